void each(int (*f)(void *, int)) { (void)f; }
void every(int (*f)(long, double)) { (void)f; }
