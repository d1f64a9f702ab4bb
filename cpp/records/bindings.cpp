// Records of text files.
#include "bind.hpp"
#include "records/records.hpp"

namespace quchong {

void bind_records(nb::module_& m) {
  def_kernel(m, "line_records", "block start blanks most", [](U8 block, std::int64_t start, U8 blanks, std::int64_t most) {
    auto r = line_records(block, start, blanks, most);
    return parts(r.starts, r.ends, r.line, r.done, r.lines, r.full);
  });
  def_kernel(m, "csv_records", "block start delimiter final longest open searched most",
             [](U8 block, std::int64_t start, int delimiter, bool final, std::int64_t longest, std::int64_t open, std::int64_t searched,
                std::int64_t most) {
               auto r = csv_records(block, start, static_cast<std::uint8_t>(delimiter), final, longest, open, searched, most);
               return parts(r.starts, r.ends, r.line, r.done, r.lines, r.full, r.unclosed, r.open, r.searched);
             });
}

}  // namespace quchong
