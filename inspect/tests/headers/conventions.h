/* How functions are called on Windows. */
typedef void (__stdcall *callback)(int);
__declspec(dllimport) int __stdcall standard(int a, callback done);
int __cdecl ordinary(int a);
void __attribute__((stdcall)) by_attribute(int a);
int (__stdcall *returns_callback(void))(int);
__declspec(dllexport align(16)) int exported(void);
int __vectorcall by_vector(double x);
