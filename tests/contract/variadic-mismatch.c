int log_all(const char *format, ...) { return format[0]; }
int add(int a, int b) { return a + b; }
