#define QUCHONG_LOOPS avx2
#include "machine/loops.hpp"
