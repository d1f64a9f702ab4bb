// Elements of texts: what filters of exact repeats compare.
#include "bind.hpp"
#include "elements/elements.hpp"

namespace quchong {

void bind_elements(nb::module_& m) {
  nb::class_<StrictTable>(m, "StrictTable").def(nb::init<const TextTables&>(), nb::arg("tables"), nb::keep_alive<1, 2>());
  def_kernel(m, "element_digests", "table address length form composed threads",
             [](const StrictTable& table, U64 address, I64 length, int form, bool composed, int threads) {
               std::vector<u64> high(length.size()), low(length.size());
               Mask state(length.size());
               for_elements(table, {address, length}, static_cast<ElementForm>(form), composed, state, threads,
                            [&](std::size_t i, std::span<const unsigned char> bytes, int) {
                              const Digest d = digest_bytes(bytes);
                              high[i] = d.high;
                              low[i] = d.low;
                            });
               return parts(high, low, state);
             });
  def_kernel(m, "element_hashes", "table address length form composed utf16 threads",
             [](const StrictTable& table, U64 address, I64 length, int form, bool composed, bool utf16, int threads) {
               std::vector<u32> bkdr(length.size()), ap(length.size());
               Mask state(length.size());
               for_elements(table, {address, length}, static_cast<ElementForm>(form), composed, state, threads,
                            [&](std::size_t i, std::span<const unsigned char> bytes, int) {
                              std::tie(bkdr[i], ap[i]) = PaperHashes::of(bytes, utf16);
                            });
               return parts(bkdr, ap, state);
             });
}

}  // namespace quchong
