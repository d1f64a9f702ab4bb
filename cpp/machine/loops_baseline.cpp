#define QUCHONG_LOOPS baseline
#include "machine/loops.hpp"
