/* A library that lies beside the executable. */
int twice(int x) { return 2 * x; }
