// Elements of texts, and the filters that tell which were there before.
#include "bind.hpp"
#include "elements.hpp"
#include "filters.hpp"
#include "trie.hpp"

using namespace quchong;

namespace {

using U8 = In<std::uint8_t>;
using U32 = In<u32>;
using U64 = In<u64>;
using I64 = In<std::int64_t>;
using Mask = std::vector<std::uint8_t>;

template <class T>
Out<T> copy(std::span<const T> from) {
  return give(std::vector<T>(from.begin(), from.end()));
}

void bind_elements(nb::module_& m) {
  nb::class_<StrictTable>(m, "StrictTable").def(nb::init<const TextTables&>(), nb::arg("tables"), nb::keep_alive<1, 2>());
  m.def("element_digests",
        [](const StrictTable& table, U64 address, I64 length, int form, bool composed, int threads) {
          const auto texts = texts_of(address, length);
          std::vector<u64> high(length.size()), low(length.size());
          Mask state(length.size());
          unlocked([&] {
            for_elements(table, texts, static_cast<ElementForm>(form), composed, state, threads,
                         [&](std::size_t i, std::span<const unsigned char> bytes, int) {
                           const Digest d = digest_bytes(bytes);
                           high[i] = d.high;
                           low[i] = d.low;
                         });
            return 0;
          });
          return std::make_tuple(give(std::move(high)), give(std::move(low)), give(std::move(state)));
        },
        nb::arg("table"), nb::arg("address"), nb::arg("length"), nb::arg("form"), nb::arg("composed"), nb::arg("threads"));
  m.def("element_hashes",
        [](const StrictTable& table, U64 address, I64 length, int form, bool composed, bool utf16, int threads) {
          const auto texts = texts_of(address, length);
          std::vector<u32> bkdr(length.size()), ap(length.size());
          Mask state(length.size());
          unlocked([&] {
            for_elements(table, texts, static_cast<ElementForm>(form), composed, state, threads,
                         [&](std::size_t i, std::span<const unsigned char> bytes, int) {
                           std::tie(bkdr[i], ap[i]) = PaperHashes::of(bytes, utf16);
                         });
            return 0;
          });
          return std::make_tuple(give(std::move(bkdr)), give(std::move(ap)), give(std::move(state)));
        },
        nb::arg("table"), nb::arg("address"), nb::arg("length"), nb::arg("form"), nb::arg("composed"), nb::arg("utf16"), nb::arg("threads"));
  m.def("element_bytes",
        [](const StrictTable& table, U64 address, I64 length, int form, bool composed) {
          const auto texts = texts_of(address, length);
          std::vector<unsigned char> all;
          std::vector<std::int64_t> offsets(length.size() + 1);
          Mask state(length.size());
          unlocked([&] {
            for_elements(table, texts, static_cast<ElementForm>(form), composed, state, 1,
                         [&](std::size_t i, std::span<const unsigned char> bytes, int) {
                           all.insert(all.end(), bytes.begin(), bytes.end());
                           offsets[i + 1] = static_cast<std::int64_t>(bytes.size());
                         });
            for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
            return 0;
          });
          return std::make_tuple(give(std::move(all)), give(std::move(offsets)), give(std::move(state)));
        },
        nb::arg("table"), nb::arg("address"), nb::arg("length"), nb::arg("form"), nb::arg("composed"));
}

void bind_sets(nb::module_& m) {
  nb::class_<PrintedBloom>(m, "PrintedBloom")
      .def(nb::init<u64>(), nb::arg("bits"))
      .def("seen",
           [](PrintedBloom& self, U32 first, U32 second, U8 skip, bool any) {
             Mask mask(first.size());
             unlocked([&] { self.seen(view(first), view(second), view(skip), any, mask); return 0; });
             return give(std::move(mask));
           },
           nb::arg("first"), nb::arg("second"), nb::arg("skip"), nb::arg("any"))
      .def("count", &PrintedBloom::count)
      .def("bits_set", &PrintedBloom::bits_set)
      .def("words", [](const PrintedBloom& self) { return copy(self.words()); })
      .def("restore", [](PrintedBloom& self, U64 words, u64 count, u64 set) { self.restore(view(words), count, set); },
           nb::arg("words"), nb::arg("count"), nb::arg("bits_set"));
  nb::class_<BlockedBloom>(m, "BlockedBloom")
      .def(nb::init<>())
      .def("add_slice", &BlockedBloom::add_slice, nb::arg("blocks"), nb::arg("hashes"), nb::arg("capacity"))
      .def("seen",
           [](BlockedBloom& self, U64 high, U64 low, U8 skip) {
             Mask mask(high.size());
             const auto done = unlocked([&] { return self.seen(view(high), view(low), view(skip), mask); });
             return std::make_tuple(done, give(std::move(mask)));
           },
           nb::arg("high"), nb::arg("low"), nb::arg("skip"))
      .def("counts",
           [](BlockedBloom& self) {
             std::vector<u64> out;
             for (const auto& s : self.slices()) out.push_back(s.count);
             return give(std::move(out));
           })
      .def("words", [](BlockedBloom& self, std::size_t i) { return copy(self.slices().at(i).words.view()); }, nb::arg("slice"))
      .def("restore",
           [](BlockedBloom& self, std::size_t i, U64 words, u64 count) {
             auto& s = self.slices().at(i);
             std::copy(words.data(), words.data() + std::min(words.size(), s.words.size()), s.words.data());
             s.count = count;
           },
           nb::arg("slice"), nb::arg("words"), nb::arg("count"))
      .def("merge", &BlockedBloom::merge, nb::arg("other"));
  nb::class_<DigestTable>(m, "DigestTable")
      .def(nb::init<>())
      .def("seen",
           [](DigestTable& self, U64 high, U64 low, U8 skip) {
             Mask mask(high.size());
             unlocked([&] { self.seen(view(high), view(low), view(skip), mask); return 0; });
             return give(std::move(mask));
           },
           nb::arg("high"), nb::arg("low"), nb::arg("skip"))
      .def("count", &DigestTable::count)
      .def("memory", &DigestTable::memory)
      .def("dump", [](const DigestTable& self) { return give(self.dump()); });
  nb::class_<DigitTrie>(m, "DigitTrie")
      .def(nb::init<bool>(), nb::arg("end_mark"))
      .def("seen",
           [](DigitTrie& self, U32 roots, U8 skip) {
             Mask mask(roots.size());
             unlocked([&] { self.seen(view(roots), view(skip), mask); return 0; });
             return give(std::move(mask));
           },
           nb::arg("roots"), nb::arg("skip"))
      .def("count", &DigitTrie::count)
      .def("nodes", &DigitTrie::nodes)
      .def("printed_nodes", &DigitTrie::printed_nodes)
      .def("memory", &DigitTrie::memory)
      .def("dump", [](const DigitTrie& self) { return give(self.dump()); });
}

}  // namespace

void bind_filters(nb::module_& m) {
  bind_elements(m);
  bind_sets(m);
}
