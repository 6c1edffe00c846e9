void fill(const int *out, const int *both) { (void)out, (void)both; }
