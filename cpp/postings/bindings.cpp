// Posting lists: the candidates of one document, chosen within the limits of a join.
#include "bind.hpp"
#include "postings/arrivals.hpp"

namespace quchong {

void bind_postings(nb::module_& m) {
  def_kernel(m, "select_candidates",
             "documents weights ends own weight before size window time scope sizes windows times scopes rule min_shared share cap most few "
             "crowd references within exact lengths threads",
             [](U32 documents, U32 weights, I64 ends, I64 own, U32 weight, I64 before, F64 size, U32 window, F64 time, U64 scope, F64 sizes,
                U32 windows, F64 times, U64 scopes, int rule, u32 min_shared, double share, u32 cap, u32 most, u32 few, u32 crowd,
                std::int64_t references, double within, bool exact, I64 lengths, int threads) {
               auto r = select_arrivals({documents, weights, ends, own, weight, before, lengths}, {size, window, time, scope},
                                        {sizes, windows, times, scopes},
                                        {{cap, most, few, crowd, references}, min_shared, share, within, rule, exact}, threads);
               return parts(r.document, r.asking, r.shared, r.bounded, r.crowded);
             });
}

}  // namespace quchong
