unsigned long count(void) { return 1; }
void stop(void) {}
double half(void) { return 0.5; }
