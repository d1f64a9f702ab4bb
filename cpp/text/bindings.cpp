// Texts: their normal form, tokens, fingerprints and sentences.
#include "bind.hpp"
#include "text/batches.hpp"
#include "text/sentences.hpp"
#include "text/stretches.hpp"

namespace quchong {

void bind_text(nb::module_& m) {
  nb::class_<TextTables> tables(m, "TextTables", "Lookup tables of the text kernels.");
  def_kernel(tables, "__init__", "folds step1 step2 number_words hash_bits symbols code",
             [](TextTables* self, U32 folds, U32 step1, U32 step2, U32 words, int bits, bool symbols, bool code) {
               new (self) TextTables(folds, step1, step2, words, bits, symbols, code);
             });
  def_kernel(m, "composing_ranges", "", [] {
    std::vector<u32> out;
    for (const auto& r : UNICODE_COMPOSING) out.insert(out.end(), {r.first, r.last});
    return out;
  });
  def_kernel(m, "word_hash", "tables word", [](const TextTables& tables, U32 word) { return Normaliser<false>::word_hash(word, tables.hash_mask); });
  def_kernel(m, "word_name", "word", [](U32 word) { return word_name(WORD_TOKEN, word); });
  def_kernel(m, "composes", "tables address length threads", [](const TextTables& tables, U64 address, I64 length, int threads) {
    return filled<std::uint8_t>(length.size(), [&](auto out) { composes(tables, Texts{address, length}, out, threads); });
  });
  def_kernel(m, "fingerprints",
             "tables address length full characters ngram short_window long_window long_tokens anchors threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int ngram, int short_window,
                int long_window, u32 long_tokens, bool anchors, int threads) {
               auto f = fingerprints<false>(tables, {address, length}, {full, characters},
                                            {ngram, short_window, long_window, long_tokens, anchors}, threads);
               return parts(f.tokens, f.singles, f.high, f.low, f.offsets, f.anchors);
             });
  def_kernel(m, "fingerprints_kept",
             "tables address length full characters ngram short_window long_window long_tokens anchors threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int ngram, int short_window,
                int long_window, u32 long_tokens, bool anchors, int threads) {
               auto f = fingerprints<true>(tables, {address, length}, {full, characters},
                                           {ngram, short_window, long_window, long_tokens, anchors}, threads);
               return parts(f.tokens, f.singles, f.high, f.low, f.offsets, f.anchors, f.stream, f.numbers, f.word_tokens, f.name_high,
                            f.name_low);
             });
  def_kernel(m, "take_tokens", "tokens offsets index threads", [](U32 tokens, I64 offsets, U32 index, int threads) {
    std::vector<std::int64_t> ends(index.size() + 1);
    auto taken = take_tokens({tokens, offsets}, index, ends, threads);
    return parts(taken, ends);
  });
  def_kernel(m, "tokenise", "tables address length full characters places threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, bool places, int threads) {
               auto t = places ? tokenise<PlacesAs::NUMBERS, WordsAs::NUMBERS>(tables, {address, length}, {full, characters}, threads)
                               : tokenise<PlacesAs::NONE, WordsAs::NUMBERS>(tables, {address, length}, {full, characters}, threads);
               return parts(t.tokens, t.offsets, t.singles, t.start, t.end, t.moved.numbers, t.moved.tokens);
             });
  def_kernel(m, "tokenise_placed", "tables address length full characters threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int threads) {
               auto t = tokenise<PlacesAs::NARROW, WordsAs::NUMBERS>(tables, {address, length}, {full, characters}, threads);
               return parts(t.tokens, t.offsets, t.singles, t.narrow.steps, t.narrow.lengths, t.narrow.far, t.moved.numbers, t.moved.tokens);
             });
  def_kernel(m, "hash_tokens", "tables address length full characters threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int threads) {
               auto t = tokenise<PlacesAs::NONE, WordsAs::HASHES>(tables, {address, length}, {full, characters}, threads);
               return parts(t.tokens, t.offsets, t.singles);
             });
  def_kernel(m, "name_tokens", "tables address length full characters places threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, bool places, int threads) {
               auto t = places ? tokenise<PlacesAs::NUMBERS, WordsAs::NAMES>(tables, {address, length}, {full, characters}, threads)
                               : tokenise<PlacesAs::NONE, WordsAs::NAMES>(tables, {address, length}, {full, characters}, threads);
               return parts(t.tokens, t.offsets, t.singles, t.start, t.end);
             });
  def_kernel(m, "stretches", "tables address length full characters text first last margin threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 text, U32 first, U32 last,
                U8 margin, int threads) {
               auto s = stretches(tables, {full, characters}, {address, length}, {text, first, last, margin}, threads);
               return parts(s.places, s.offsets, s.bytes);
             });
  def_kernel(m, "placed_stretches", "steps lengths far offsets address length text first last margin threads",
             [](U8 steps, U8 lengths, I64 far, I64 offsets, U64 address, I64 length, U32 text, U32 first, U32 last, U8 margin, int threads) {
               auto s = stretches(PlacesView{steps, lengths, far, offsets}, {address, length}, {text, first, last, margin}, threads);
               return parts(s.places, s.offsets, s.bytes);
             });
  def_kernel(m, "equal_forms", "tables address length full characters left right threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 left, U32 right, int threads) {
               return filled<std::uint8_t>(left.size(), [&](auto out) {
                 equal_forms(tables, {address, length}, {full, characters}, left, right, out, threads);
               });
             });
  def_kernel(m, "shingle_hashes", "tokens ngram", [](U32 tokens, int ngram) {
    std::vector<u64> out;
    shingle_hashes(tokens, ngram, out);
    return out;
  });
  def_kernel(m, "winnow", "hashes window", [](U64 hashes, int window) {
    std::vector<u64> h(hashes.begin(), hashes.end()), out;
    winnow(h, window, out);
    return out;
  });
  def_kernel(m, "sentence_places", "address length threads", [](U64 address, I64 length, int threads) {
    auto r = sentence_places({address, length}, threads);
    return parts(r.start, r.end, r.offsets);
  });
  def_kernel(m, "sentence_breaks", "address length threads", [](U64 address, I64 length, int threads) {
    auto r = sentence_breaks({address, length}, threads);
    return parts(r.places, r.offsets);
  });
}

}  // namespace quchong
