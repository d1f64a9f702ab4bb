// The module `_quchong`: one family of kernels after another. This file, bind.hpp and each family's bindings.cpp alone know Python.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace quchong {
void bind_machine(nb::module_& m);
void bind_text(nb::module_& m);
void bind_page(nb::module_& m);
void bind_elements(nb::module_& m);
void bind_filters(nb::module_& m);
void bind_features(nb::module_& m);
void bind_pairs(nb::module_& m);
void bind_sketch(nb::module_& m);
void bind_sets(nb::module_& m);
void bind_join(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_align(nb::module_& m);
void bind_runs(nb::module_& m);
void bind_tree(nb::module_& m);
}  // namespace quchong

NB_MODULE(_quchong, m) {
  m.doc() = "Native kernels of quchong. Use quchong.kernels.";
  nb::set_leak_warnings(false);  // the lookup tables live as long as the process
  quchong::bind_machine(m);
  quchong::bind_text(m);
  quchong::bind_page(m);
  quchong::bind_elements(m);
  quchong::bind_filters(m);
  quchong::bind_features(m);
  quchong::bind_pairs(m);
  quchong::bind_sketch(m);
  quchong::bind_sets(m);
  quchong::bind_join(m);
  quchong::bind_graph(m);
  quchong::bind_align(m);
  quchong::bind_runs(m);
  quchong::bind_tree(m);
}
