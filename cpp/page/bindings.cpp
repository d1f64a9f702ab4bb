// Pages made slim.
#include "bind.hpp"
#include "page/slim.hpp"

namespace quchong {

void bind_page(nb::module_& m) {
  m.def("slim",
        [](nb::bytes html, std::size_t max_depth, std::int64_t max_tags) {
          const std::string_view page(html.c_str(), html.size());
          auto s = [&] {
            nb::gil_scoped_release release;
            return Slimmer::run(page, max_depth, max_tags);
          }();
          std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> facts;
          for (const auto& f : s.facts) facts.emplace_back(std::string(1, f.kind), f.start, f.end);
          return std::make_tuple(nb::bytes(s.html.data(), s.html.size()), s.tags, std::move(facts));
        },
        nb::arg("html"), nb::arg("max_depth"), nb::arg("max_tags"));
}

}  // namespace quchong
