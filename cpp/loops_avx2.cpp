#define QUCHONG_LOOPS avx2
#include "loops.hpp"
