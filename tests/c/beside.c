/* A library in the folder of the executable. */
int twice(int x) { return 2 * x; }
