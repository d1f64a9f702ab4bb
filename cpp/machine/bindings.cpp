// The machine: which loops run, what ends a kernel early, and what the C library does with memory that was let go.
#include "bind.hpp"
#include "machine/dispatch.hpp"
#include "machine/numpy_memory.hpp"
#include "machine/parallel.hpp"
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace quchong {

void bind_machine(nb::module_& m) {
  nb::class_<Stop>(m, "Stop", "Given to a long kernel and set by another thread, it ends it early; what comes back then is worth nothing.")
      .def(nb::init<>()).def("set", &Stop::set).def("is_set", &Stop::is_set);
  def_kernel(m, "loops", "", [] { return std::string(loops().name); });
  def_kernel(m, "use_loops", "name", [](const std::string& name) { return use_loops(name.c_str()); });
  def_kernel(m, "available_loops", "", [] {
    int n;
    const char* const* names = available_loops(n);
    return std::vector<std::string>(names, names + n);
  });
  def_kernel(m, "give_back_from", "bytes kept", [](int bytes, int kept) {
#if defined(__GLIBC__)
    return mallopt(M_MMAP_THRESHOLD, bytes) == 1 && mallopt(M_TRIM_THRESHOLD, kept) == 1;
#else
    return bytes < 0 && kept < 0;
#endif
  });
  def_kernel(m, "trim", "", [] {
#if defined(__GLIBC__)
    return malloc_trim(0) == 1;
#else
    return false;
#endif
  });
  def_kernel(m, "can_spill", "", [] { return can_spill(); });
  def_kernel(m, "spill", "folder bound least", [](const std::string& folder, std::int64_t bound, std::int64_t least) { spill(folder, bound, least); });
  def_kernel(m, "spilled", "", [] {
    const auto s = spilled();
    return std::make_tuple(s.mapped, s.most, s.written, s.error);
  });
  m.def("numpy_memory", &numpy_memory);
  m.def("numpy_memory_as_before", &numpy_memory_as_before, nb::arg("before"));
}

}  // namespace quchong
