// The filters that tell which texts were there before.
#include "bind.hpp"
#include "filters/filters.hpp"
#include "filters/trie.hpp"

namespace quchong {

namespace {
template <class T>
std::vector<T> copied(std::span<const T> from) {
  return {from.begin(), from.end()};
}
}  // namespace

void bind_filters(nb::module_& m) {
  auto printed = nb::class_<PrintedBloom>(m, "PrintedBloom").def(nb::init<u64>(), nb::arg("bits"));
  def_kernel(printed, "seen", "first second skip any", [](PrintedBloom& self, U32 first, U32 second, U8 skip, bool any) {
    return filled<std::uint8_t>(first.size(), [&](auto mask) { self.seen(first, second, skip, any, mask); });
  });
  def_kernel(printed, "count", "", [](const PrintedBloom& self) { return self.count(); });
  def_kernel(printed, "bits_set", "", [](const PrintedBloom& self) { return self.bits_set(); });
  def_kernel(printed, "words", "", [](const PrintedBloom& self) { return copied(self.words()); });
  def_kernel(printed, "restore", "words count bits_set", [](PrintedBloom& self, U64 words, u64 count, u64 set) { self.restore(words, count, set); });

  auto blocked = nb::class_<BlockedBloom>(m, "BlockedBloom").def(nb::init<>());
  def_kernel(blocked, "add_slice", "blocks hashes capacity",
             [](BlockedBloom& self, u64 blocks, int hashes, u64 capacity) { self.add_slice(blocks, hashes, capacity); });
  def_kernel(blocked, "seen", "high low skip", [](BlockedBloom& self, U64 high, U64 low, U8 skip) {
    Mask mask(high.size());
    auto done = self.seen(high, low, skip, mask);
    return parts(done, mask);
  });
  def_kernel(blocked, "counts", "", [](BlockedBloom& self) {
    std::vector<u64> out;
    for (const auto& s : self.slices()) out.push_back(s.count);
    return out;
  });
  def_kernel(blocked, "words", "slice", [](BlockedBloom& self, std::size_t i) { return copied(self.slices().at(i).words.view()); });
  def_kernel(blocked, "restore", "slice words count", [](BlockedBloom& self, std::size_t i, U64 words, u64 count) {
    auto& s = self.slices().at(i);
    std::copy(words.data(), words.data() + std::min(words.size(), s.words.size()), s.words.data());
    s.count = count;
  });
  def_kernel(blocked, "merge", "other", [](BlockedBloom& self, const BlockedBloom& other) { self.merge(other); });

  auto digests = nb::class_<DigestTable>(m, "DigestTable").def(nb::init<>());
  def_kernel(digests, "seen", "high low skip", [](DigestTable& self, U64 high, U64 low, U8 skip) {
    return filled<std::uint8_t>(high.size(), [&](auto mask) { self.seen(high, low, skip, mask); });
  });
  def_kernel(digests, "count", "", [](const DigestTable& self) { return self.count(); });
  def_kernel(digests, "memory", "", [](const DigestTable& self) { return self.memory(); });
  def_kernel(digests, "dump", "", [](const DigestTable& self) { return self.dump(); });

  auto trie = nb::class_<DigitTrie>(m, "DigitTrie").def(nb::init<bool>(), nb::arg("end_mark"));
  def_kernel(trie, "seen", "roots skip", [](DigitTrie& self, U32 roots, U8 skip) {
    return filled<std::uint8_t>(roots.size(), [&](auto mask) { self.seen(roots, skip, mask); });
  });
  def_kernel(trie, "count", "", [](const DigitTrie& self) { return self.count(); });
  def_kernel(trie, "nodes", "", [](const DigitTrie& self) { return self.nodes(); });
  def_kernel(trie, "printed_nodes", "", [](const DigitTrie& self) { return self.printed_nodes(); });
  def_kernel(trie, "memory", "", [](const DigitTrie& self) { return self.memory(); });
  def_kernel(trie, "dump", "", [](const DigitTrie& self) { return self.dump(); });
}

}  // namespace quchong
