/* Conventions of 32-bit Windows. */

__declspec(dllexport) int __stdcall of_stdcall(int a, double b) { return a + (int)b; }
__declspec(dllexport) int __fastcall of_fastcall(int a, int b) { return a + b; }
__declspec(dllexport) int __cdecl of_cdecl(int a) { return a; }
__declspec(dllexport) int data = 5;
int _fltused;
