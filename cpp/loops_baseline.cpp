#define QUCHONG_LOOPS baseline
#include "loops.hpp"
