// The module `_quchong`: one family of kernels after another. This file, bind.hpp and each family's bindings.cpp alone know Python.
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "bind.hpp"

namespace quchong {

std::vector<std::string> words_of(const char* kernel, const char* names, std::size_t arguments, bool method) {
  std::istringstream stream(names);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  if (method) words.insert(words.begin(), "self");
  if (words.size() != arguments) throw std::logic_error(std::string(kernel) + ": as many names as arguments");
  return words;
}

void bind_machine(nb::module_& m);
void bind_records(nb::module_& m);
void bind_text(nb::module_& m);
void bind_page(nb::module_& m);
void bind_posts(nb::module_& m);
void bind_elements(nb::module_& m);
void bind_filters(nb::module_& m);
void bind_features(nb::module_& m);
void bind_pairs(nb::module_& m);
void bind_sketch(nb::module_& m);
void bind_sets(nb::module_& m);
void bind_join(nb::module_& m);
void bind_postings(nb::module_& m);
void bind_segments(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_align(nb::module_& m);
void bind_differences(nb::module_& m);
void bind_runs(nb::module_& m);
void bind_tree(nb::module_& m);
}  // namespace quchong

using namespace quchong;

NB_MODULE(_quchong, m) {
  m.doc() = "Native kernels of quchong. Use quchong.kernels.";
  nb::set_leak_warnings(false);  // the lookup tables live as long as the process
  bind_machine(m);
  bind_records(m);
  bind_text(m);
  bind_page(m);
  bind_posts(m);
  bind_elements(m);
  bind_filters(m);
  bind_features(m);
  bind_pairs(m);
  bind_sketch(m);
  bind_sets(m);
  bind_join(m);
  bind_postings(m);
  bind_segments(m);
  bind_graph(m);
  bind_align(m);
  bind_differences(m);
  bind_runs(m);
  bind_tree(m);
}
