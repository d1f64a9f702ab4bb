// Only this file, bind.hpp and bind_*.cpp know Python.
#include "bind.hpp"
#include "join.hpp"
#include "sketch.hpp"
#include "survivors.hpp"

using namespace quchong;

void bind_filters(nb::module_& m);
void bind_simhash(nb::module_& m);
void bind_slim(nb::module_& m);
void bind_memory(nb::module_& m);
namespace quchong {
void bind_short(nb::module_& m);
void bind_sets(nb::module_& m);
void bind_spotsigs(nb::module_& m);
void bind_setsketch(nb::module_& m);
void bind_paths(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_vectors(nb::module_& m);
void bind_repeats(nb::module_& m);
void bind_align(nb::module_& m);
void bind_runs(nb::module_& m);
void bind_matching(nb::module_& m);
void bind_ppjoin(nb::module_& m);
}

NB_MODULE(_quchong, m) {
  bind_short(m);
  bind_sets(m);
  bind_spotsigs(m);
  bind_setsketch(m);
  bind_paths(m);
  bind_tree(m);
  bind_vectors(m);
  bind_repeats(m);
  bind_align(m);
  bind_runs(m);
  bind_matching(m);
  bind_ppjoin(m);
  bind_memory(m);
  nb::set_leak_warnings(false);  // the lookup tables live as long as the process
  m.doc() = "Native kernels of quchong. Use quchong.kernels.";
  using U8 = In<std::uint8_t>;
  using U32 = In<u32>;
  using U64 = In<u64>;
  using I64 = In<std::int64_t>;
  using F64 = In<double>;

  m.def("loops", [] { return std::string(loops().name); });
  m.def("use_loops", [](const std::string& name) { return use_loops(name.c_str()); }, nb::arg("name"));
  m.def("available_loops", [] {
    int n;
    const char* const* names = available_loops(n);
    return std::vector<std::string>(names, names + n);
  });

  nb::class_<Stop>(m, "Stop").def(nb::init<>()).def("set", &Stop::set).def("is_set", &Stop::is_set);
  nb::class_<TextTables>(m, "TextTables")
      .def("__init__",
           [](TextTables* self, U32 folds, U32 step1, U32 step2, U32 words) {
             new (self) TextTables(view(folds), view(step1), view(step2), view(words));
           },
           nb::arg("folds"), nb::arg("step1"), nb::arg("step2"), nb::arg("number_words"));
  m.def("composing_ranges", [] {
    std::vector<u32> out;
    for (const auto& r : UNICODE_COMPOSING) out.insert(out.end(), {r.first, r.last});
    return give(std::move(out));
  });
  m.def("word_hash", [](U32 word) { return Normaliser<false>::word_hash(view(word)); }, nb::arg("word"));

  m.def("composes",
        [](const TextTables& tables, U64 address, I64 length, int threads) {
          const auto texts = texts_of(address, length);
          std::vector<std::uint8_t> out(static_cast<std::size_t>(texts.size()));
          unlocked([&] {
            parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int, std::int64_t a, std::int64_t b) {
              for (auto i = static_cast<std::size_t>(a); i < static_cast<std::size_t>(b); ++i)
                out[i] = composes(tables, texts[i].data(), static_cast<std::int64_t>(texts[i].size()));
            });
            return 0;
          });
          return give(std::move(out));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("threads"));
  m.def("fingerprints",
        [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int ngram, int short_window,
           int long_window, u32 long_tokens, bool anchors, int threads) {
          auto f = unlocked([&] {
            return fingerprints(tables, texts_of(address, length), {full, characters},
                                {ngram, short_window, long_window, long_tokens, anchors}, threads);
          });
          return std::make_tuple(give(std::move(f.tokens)), give(std::move(f.singles)), give(std::move(f.high)),
                                 give(std::move(f.low)), give(std::move(f.offsets)), give(std::move(f.anchors)));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("full"), nb::arg("characters"), nb::arg("ngram"),
        nb::arg("short_window"), nb::arg("long_window"), nb::arg("long_tokens"), nb::arg("anchors"), nb::arg("threads"));
  m.def("tokenise",
        [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, bool places, int threads) {
          auto t = unlocked([&] {
            const TextOptions options{full, characters};
            return places ? tokenise<true>(tables, texts_of(address, length), options, threads)
                          : tokenise<false>(tables, texts_of(address, length), options, threads);
          });
          return std::make_tuple(give(std::move(t.tokens)), give(std::move(t.offsets)), give(std::move(t.singles)),
                                 give(std::move(t.start)), give(std::move(t.end)));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("full"), nb::arg("characters"), nb::arg("places"), nb::arg("threads"));
  m.def("equal_forms",
        [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 left, U32 right, int threads) {
          std::vector<std::uint8_t> out(left.size());
          unlocked([&] {
            equal_forms(tables, texts_of(address, length), {full, characters}, view(left), view(right), out, threads);
            return 0;
          });
          return give(std::move(out));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("full"), nb::arg("characters"), nb::arg("left"), nb::arg("right"), nb::arg("threads"));
  m.def("passages",
        [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 left, U32 right, U8 ngram, U32 shortest, int threads) {
          auto p = unlocked([&] {
            return passages(tables, texts_of(address, length), {full, characters}, view(left), view(right), view(ngram), view(shortest), threads);
          });
          return std::make_tuple(give(std::move(p.offsets)), give(std::move(p.places)));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("full"), nb::arg("characters"), nb::arg("left"), nb::arg("right"),
        nb::arg("ngram"), nb::arg("shortest"), nb::arg("threads"));
  m.def("sample_overlaps",
        [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 sample, I64 sample_offsets, U8 sample_long,
           int w_short, int w_long, u32 long_tokens, double least, int threads, const Stop* stop) {
          auto o = unlocked([&] {
            return sample_overlaps(tables, texts_of(address, length), {full, characters}, ragged_of(sample, sample_offsets),
                                   view(sample_long), w_short, w_long, long_tokens, least, threads, stop);
          });
          return std::make_tuple(give(std::move(o.text)), give(std::move(o.sample)), give(std::move(o.shared)), give(std::move(o.distinct)));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("full"), nb::arg("characters"), nb::arg("sample"), nb::arg("sample_offsets"),
        nb::arg("sample_long"), nb::arg("w_short"), nb::arg("w_long"), nb::arg("long_tokens"), nb::arg("least"), nb::arg("threads"), nb::arg("stop").none());

  m.def("shingle_hashes",
        [](U32 tokens, int w) {
          std::vector<u64> out;
          shingle_hashes(view(tokens), w, out);
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("ngram"));
  m.def("winnow",
        [](U64 hashes, int window) {
          std::vector<u64> h(hashes.data(), hashes.data() + hashes.size()), out;
          winnow(h, window, out);
          return give(std::move(out));
        },
        nb::arg("hashes"), nb::arg("window"));
  m.def("distinct_shingles",
        [](U32 tokens, I64 offsets, U8 ngram, int threads) {
          std::vector<u32> out(ngram.size());
          unlocked([&] { distinct_shingles(ragged_of(tokens, offsets), view(ngram), out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("threads"));
  m.def("shared_shingles",
        [](U32 tokens, I64 offsets, U32 left, U32 right, U8 ngram, int threads) {
          std::vector<u32> out(left.size());
          unlocked([&] { shared_shingles(ragged_of(tokens, offsets), view(left), view(right), view(ngram), out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("ngram"), nb::arg("threads"));
  m.def("compare_numbers",
        [](U32 tokens, I64 offsets, U32 left, U32 right, int threads) {
          std::vector<u32> out(5 * left.size());
          unlocked([&] { compare_numbers(ragged_of(tokens, offsets), view(left), view(right), out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("threads"));
  m.def("repeated_swaps",
        [](U32 tokens, I64 offsets, U32 left, U32 right, std::int64_t max_cells, int threads) {
          std::vector<std::uint8_t> out(left.size());
          unlocked([&] { repeated_swaps(ragged_of(tokens, offsets), view(left), view(right), out, max_cells, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("max_cells"), nb::arg("threads"));
  m.def("disjoint_places",
        [](U32 tokens, I64 offsets, U32 left, U32 right, U32 names, I64 name_offsets, int threads) {
          std::vector<std::uint8_t> out(left.size());
          unlocked([&] {
            disjoint_places(ragged_of(tokens, offsets), view(left), view(right), ragged_of(names, name_offsets), out, threads);
            return 0;
          });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("names"), nb::arg("name_offsets"), nb::arg("threads"));
  m.def("added_only",
        [](U32 tokens, I64 offsets, U32 left, U32 right, int threads) {
          std::vector<std::uint8_t> out(left.size());
          unlocked([&] { added_only(ragged_of(tokens, offsets), view(left), view(right), out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("threads"));
  m.def("equal_runs",
        [](U32 left, U32 right, int ngram, u32 shortest) {
          std::vector<Run> runs;
          RunScratch scratch;
          equal_runs(view(left), view(right), ngram, shortest, scratch, runs);
          std::vector<u32> out;
          for (const auto& r : runs) out.insert(out.end(), {r.left, r.right, r.length});
          return give(std::move(out));
        },
        nb::arg("left"), nb::arg("right"), nb::arg("ngram"), nb::arg("shortest"));

  m.def("join_keys",
        [](U64 keys, I64 offsets, I64 order, U32 size, U32 window, F64 time, u32 cap, u32 min_shared, double share,
           u32 most, std::int64_t references, double within, std::int64_t wave, int threads) {
          auto r = unlocked([&] {
            return join_keys(view(keys), view(offsets), view(order), view(size), view(window), view(time),
                             {cap, min_shared, share, most, references, within, wave}, threads);
          });
          return std::make_tuple(give(std::move(r.left)), give(std::move(r.right)), give(std::move(r.shared)), r.capped_keys, r.largest_key, r.bounded);
        },
        nb::arg("keys"), nb::arg("offsets"), nb::arg("order"), nb::arg("size"), nb::arg("window"), nb::arg("time"), nb::arg("cap"), nb::arg("min_shared"),
        nb::arg("share"), nb::arg("most"), nb::arg("references"), nb::arg("within"), nb::arg("wave"), nb::arg("threads"));

  m.def("k_mins",
        [](U32 tokens, I64 offsets, int ngram, int num_perm, u64 seed, int threads) {
          std::vector<u32> out(static_cast<std::size_t>(num_perm) * (offsets.size() - 1));
          unlocked([&] { k_mins(ragged_of(tokens, offsets), ngram, num_perm, seed, out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("num_perm"), nb::arg("seed"), nb::arg("threads"));
  m.def("one_permutation",
        [](U32 tokens, I64 offsets, int ngram, int num_perm, u64 seed, int threads) {
          std::vector<u32> out(static_cast<std::size_t>(num_perm) * (offsets.size() - 1));
          unlocked([&] { one_permutation(ragged_of(tokens, offsets), ngram, num_perm, seed, out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("num_perm"), nb::arg("seed"), nb::arg("threads"));
  m.def("band_keys",
        [](U32 signatures, int num_perm, int bands, int rows, int threads) {
          const std::size_t n = num_perm ? signatures.size() / static_cast<std::size_t>(num_perm) : 0;
          std::vector<u64> out(n * static_cast<std::size_t>(bands));
          unlocked([&] { band_keys(view(signatures), n, num_perm, bands, rows, out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("signatures"), nb::arg("num_perm"), nb::arg("bands"), nb::arg("rows"), nb::arg("threads"));

  m.def("survivors",
        [](U32 loser, U32 winner, I64 priority, U8 forced) {
          std::vector<std::uint8_t> stays(priority.size());
          unlocked([&] { survivors(view(loser), view(winner), view(priority), view(forced), stays); return 0; });
          return give(std::move(stays));
        },
        nb::arg("loser"), nb::arg("winner"), nb::arg("priority"), nb::arg("forced"));

  bind_filters(m);
  bind_simhash(m);
  bind_slim(m);
}
