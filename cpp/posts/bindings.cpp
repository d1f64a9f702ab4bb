// Posts: the marks that forwarding and habit add to them.
#include "bind.hpp"
#include "posts/folding.hpp"

namespace quchong {

void bind_posts(nb::module_& m) {
  nb::class_<PostTables> tables(m, "PostTables", "Lookup tables of the marks of posts.");
  def_kernel(tables, "__init__", "words", [](PostTables* self, U32 words) { new (self) PostTables(words); });
  def_kernel(m, "fold_posts", "tables address length steps beside_content beside_marks threads",
             [](const PostTables& tables, U64 address, I64 length, u32 steps, u32 beside_content, u32 beside_marks, int threads) {
               auto f = fold_posts(tables, {address, length}, steps, {beside_content, beside_marks}, threads);
               return parts(f.which, f.offsets, f.start, f.end, f.put, f.byte_offsets, f.bytes);
             });
}

}  // namespace quchong
