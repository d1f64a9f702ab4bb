#define QUCHONG_LOOPS avx512
#include "loops.hpp"
