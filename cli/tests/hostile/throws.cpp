#include <stdexcept>
extern "C" int throws(void) { throw std::runtime_error("thrown"); }
