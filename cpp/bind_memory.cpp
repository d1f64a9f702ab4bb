// What the C library does with memory that was let go, for Python.
#include "bind.hpp"
#if defined(__GLIBC__)
#include <malloc.h>
#endif

using namespace quchong;

void bind_memory(nb::module_& m) {
  m.def("give_back_from",
        [](int bytes) {
#if defined(__GLIBC__)
          return mallopt(M_MMAP_THRESHOLD, bytes) == 1;
#else
          return bytes < 0;
#endif
        },
        nb::arg("bytes"));
}
