#define QUCHONG_LOOPS avx512
#include "machine/loops.hpp"
