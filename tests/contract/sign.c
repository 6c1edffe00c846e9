void fill(unsigned *out, char c) { *out = (unsigned)c; }
