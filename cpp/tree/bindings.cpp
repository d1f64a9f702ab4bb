// Structure trees, what their nodes are known by, and layers beside each other.
#include "bind.hpp"
#include "tree/features.hpp"
#include "tree/layers.hpp"

namespace quchong {

void bind_tree(nb::module_& m) {
  struct Handle {  // an outline stays on this side; Python sees its arrays
    Outline o;
    Outlined view() const { return {o.tokens, o.joined, o.sentences, o.marks, o.nodes, o.documents, o.title, o.title_joined, o.titles}; }
  };
  nb::class_<Handle> outlines(m, "Outline");
  def_kernel(outlines, "__len__", "", [](const Handle& h) { return h.o.documents.size() - 1; });
  def_kernel(outlines, "depth", "", [](const Handle& h) { return h.o.depth; });
  def_kernel(outlines, "parent", "", [](const Handle& h) { return h.o.parent; });
  def_kernel(outlines, "documents", "", [](const Handle& h) { return h.o.documents; });
  def_kernel(outlines, "nodes", "", [](const Handle& h) { return h.o.nodes; });
  def_kernel(outlines, "sentences", "", [](const Handle& h) { return h.o.sentences; });
  def_kernel(outlines, "marks", "", [](const Handle& h) { return h.o.marks; });
  def_kernel(outlines, "tokens", "", [](const Handle& h) { return h.o.tokens; });
  def_kernel(outlines, "joined", "", [](const Handle& h) { return h.o.joined; });
  def_kernel(outlines, "title", "", [](const Handle& h) { return h.o.title; });
  def_kernel(outlines, "titles", "", [](const Handle& h) { return h.o.titles; });
  def_kernel(outlines, "counts", "", [](const Handle& h) { return h.o.counts; });
  def_kernel(outlines, "long_sentences", "which count more_from least threads",
             [](const Handle& h, I64 which, std::int64_t count, std::int64_t more_from, std::int64_t least, int threads) {
               auto r = long_sentences(h.view(), which, count, more_from, least, threads);
               return parts(r.values, r.offsets);
             });
  def_kernel(outlines, "key_sentences", "which values weights offsets rate threads",
             [](const Handle& h, I64 which, U64 values, U64 weights, I64 offsets, std::int64_t rate, int threads) {
               auto r = key_sentences(h.view(), which, values, weights, offsets, rate, threads);
               return parts(r.values, r.offsets);
             });
  def_kernel(outlines, "head_tails", "which marks threads", [](const Handle& h, I64 which, u32 marks, int threads) {
    auto r = head_tails(h.view(), which, marks, threads);
    return parts(r.values, r.offsets);
  });
  def_kernel(outlines, "terms", "title threads", [](const Handle& h, bool title, int threads) {
    auto r = terms(h.view(), title, threads);
    return parts(r.values, r.offsets);
  });
  def_kernel(outlines, "title_pairs", "threads", [](const Handle& h, int threads) {
    auto r = title_pairs(h.view(), threads);
    return parts(r.values, r.offsets);
  });
  def_kernel(outlines, "keywords", "idf count wanted threads",
             [](const Handle& h, const FeatureWeights& idf, std::size_t count, U8 wanted, int threads) {
               auto k = keywords(h.view(), idf, count, wanted, threads);
               return parts(k.values, k.weights, k.offsets, k.best);
             });
  def_kernel(m, "outline",
             "tables address length block_address block_length title_address title_length full cuts heading threads",
             [](const TextTables& tables, U64 address, I64 length, U64 block_address, I64 block_length, U64 title_address,
                I64 title_length, bool full, u32 cuts, u32 heading, int threads) {
               return Handle{outline(tables, {address, length}, {block_address, block_length}, {title_address, title_length},
                                     {full, false}, {cuts, heading}, threads)};
             });
  def_kernel(m, "match_layers",
             "values_left nodes_left documents_left values_right nodes_right documents_right left right how least bits threads",
             [](U64 values_left, I64 nodes_left, I64 documents_left, U64 values_right, I64 nodes_right, I64 documents_right,
                U32 left, U32 right, int how, double least, std::size_t bits, int threads) {
               auto r = match_layers({values_left, nodes_left, documents_left}, {values_right, nodes_right, documents_right}, left,
                                     right, static_cast<Match>(how), least, bits, threads);
               return parts(r.left, r.right, r.of_left, r.of_right);
             });
}

}  // namespace quchong
