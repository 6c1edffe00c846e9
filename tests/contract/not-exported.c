int calc_version = 3;
void calc_summ(void) {}
