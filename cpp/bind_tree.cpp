// Structure trees, what their nodes are known by, and layers beside each other, for Python.
#include "bind.hpp"
#include "layers.hpp"
#include "tree_features.hpp"

namespace quchong {

void bind_tree(nb::module_& m) {
  using U8 = In<std::uint8_t>;
  using U32 = In<u32>;
  using U64 = In<u64>;
  using I64 = In<std::int64_t>;

  const auto ragged = [](RaggedHashes&& r) { return std::make_tuple(give(std::move(r.values)), give(std::move(r.offsets))); };

  struct Handle {  // an outline stays on this side; Python sees its arrays
    Outline o;
    Outlined view() const { return {o.tokens, o.joined, o.sentences, o.marks, o.nodes, o.documents, o.title, o.title_joined, o.titles}; }
  };
  nb::class_<Handle>(m, "Outline")
      .def("__len__", [](const Handle& h) { return h.o.documents.size() - 1; })
      .def("depth", [](const Handle& h) { return give(std::vector(h.o.depth)); })
      .def("parent", [](const Handle& h) { return give(std::vector(h.o.parent)); })
      .def("documents", [](const Handle& h) { return give(std::vector(h.o.documents)); })
      .def("nodes", [](const Handle& h) { return give(std::vector(h.o.nodes)); })
      .def("sentences", [](const Handle& h) { return give(std::vector(h.o.sentences)); })
      .def("marks", [](const Handle& h) { return give(std::vector(h.o.marks)); })
      .def("tokens", [](const Handle& h) { return give(std::vector(h.o.tokens)); })
      .def("joined", [](const Handle& h) { return give(std::vector(h.o.joined)); })
      .def("title", [](const Handle& h) { return give(std::vector(h.o.title)); })
      .def("titles", [](const Handle& h) { return give(std::vector(h.o.titles)); })
      .def("counts", [](const Handle& h) { return give(std::vector(h.o.counts)); })
      .def("long_sentences",
           [=](const Handle& h, I64 which, std::int64_t count, std::int64_t more_from, std::int64_t least, int threads) {
             return ragged(unlocked([&] { return long_sentences(h.view(), view(which), count, more_from, least, threads); }));
           },
           nb::arg("which"), nb::arg("count"), nb::arg("more_from"), nb::arg("least"), nb::arg("threads"))
      .def("key_sentences",
           [=](const Handle& h, I64 which, U64 values, U64 weights, I64 offsets, std::int64_t rate, int threads) {
             return ragged(unlocked([&] { return key_sentences(h.view(), view(which), view(values), view(weights), view(offsets), rate, threads); }));
           },
           nb::arg("which"), nb::arg("values"), nb::arg("weights"), nb::arg("offsets"), nb::arg("rate"), nb::arg("threads"))
      .def("head_tails",
           [=](const Handle& h, I64 which, u32 marks, int threads) {
             return ragged(unlocked([&] { return head_tails(h.view(), view(which), marks, threads); }));
           },
           nb::arg("which"), nb::arg("marks"), nb::arg("threads"))
      .def("terms",
           [=](const Handle& h, bool title, int threads) { return ragged(unlocked([&] { return terms(h.view(), title, threads); })); },
           nb::arg("title"), nb::arg("threads"))
      .def("title_pairs", [=](const Handle& h, int threads) { return ragged(unlocked([&] { return title_pairs(h.view(), threads); })); },
           nb::arg("threads"))
      .def("keywords",
           [](const Handle& h, const FeatureWeights& idf, std::size_t count, U8 wanted, int threads) {
             auto k = unlocked([&] { return keywords(h.view(), idf, count, view(wanted), threads); });
             return std::make_tuple(give(std::move(k.values)), give(std::move(k.weights)), give(std::move(k.offsets)), give(std::move(k.best)));
           },
           nb::arg("idf"), nb::arg("count"), nb::arg("wanted"), nb::arg("threads"));
  m.def("outline",
        [](const TextTables& tables, U64 address, I64 length, U64 block_address, I64 block_length, U64 title_address, I64 title_length,
           bool full, u32 cuts, u32 heading, int threads) {
          return unlocked([&] {
            return Handle{outline(tables, texts_of(address, length), texts_of(block_address, block_length), texts_of(title_address, title_length),
                                  {full, false}, {cuts, heading}, threads)};
          });
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("block_address"), nb::arg("block_length"), nb::arg("title_address"),
        nb::arg("title_length"), nb::arg("full"), nb::arg("cuts"), nb::arg("heading"), nb::arg("threads"));
  m.def("match_layers",
        [](U64 values_left, I64 nodes_left, I64 documents_left, U64 values_right, I64 nodes_right, I64 documents_right, U32 left, U32 right,
           int how, double least, std::size_t bits, int threads) {
          auto r = unlocked([&] {
            return match_layers({view(values_left), view(nodes_left), view(documents_left)},
                                {view(values_right), view(nodes_right), view(documents_right)}, view(left), view(right),
                                static_cast<Match>(how), least, bits, threads);
          });
          return std::make_tuple(give(std::move(r.left)), give(std::move(r.right)), give(std::move(r.of_left)), give(std::move(r.of_right)));
        },
        nb::arg("values_left"), nb::arg("nodes_left"), nb::arg("documents_left"), nb::arg("values_right"), nb::arg("nodes_right"),
        nb::arg("documents_right"), nb::arg("left"), nb::arg("right"), nb::arg("how"), nb::arg("least"), nb::arg("bits"), nb::arg("threads"));
}

}  // namespace quchong
