// Whole batches of texts: which compose, fingerprints (digest, lengths, anchors), tokens, and equal normal forms.
#pragma once
#include <algorithm>
#include <cstring>

#include "arrays.hpp"
#include "machine/parallel.hpp"
#include "text/places.hpp"
#include "text/shingles.hpp"
#include "text/text.hpp"
#include "text/words.hpp"

namespace quchong {

// 1 for every text that holds a character which may compose with the one before it.
inline void composes(const TextTables& tables, const Texts& texts, std::span<std::uint8_t> out, int threads) {
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i)
      out[i] = composes(tables, texts[i].data(), static_cast<std::int64_t>(texts[i].size()));
  });
}

inline constexpr u64 DIGEST_SEED_HIGH = 0x71756368, DIGEST_SEED_LOW = 0x6F6E6721;

struct AnchorOptions {
  int ngram = 5, short_window = 4, long_window = 16;
  u32 long_tokens = 200;  // texts of at least so many tokens take the long window
  bool anchors = true;
};

struct Fingerprints {
  std::vector<u32> tokens, singles;       // per text
  std::vector<u64> high, low;             // digest of the normal form
  std::vector<std::int64_t> offsets{0};   // of anchors
  std::vector<u64> anchors;               // in order within a text, no two neighbours equal
  // Where tokens are kept, those themselves, one text after another, and of each different word its number, its token and its name of
  // 128 bits, by which words of other batches are told from it.
  std::vector<u32> stream, numbers, word_tokens;
  std::vector<u64> name_high, name_low;
};

// The different words of a batch, by number.
inline void list_words(const WordNumbers& words, Fingerprints& f) {
  std::vector<std::pair<u32, Word>> all;
  words.each([&](const Word& w, u32 number) { all.emplace_back(number, w); });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [number, w] : all) {
    u64 name[2];
    sequence_hashes<2>(w.span(), {NAME_SEED_HIGH, NAME_SEED_LOW}, name);
    f.numbers.push_back(number);
    f.word_tokens.push_back(w.token);
    f.name_high.push_back(name[0]);
    f.name_low.push_back(name[1]);
  }
}

template <bool KEPT>
Fingerprints fingerprints(const TextTables& tables, const Texts& texts, const TextOptions& options, const AnchorOptions& anchor,
                          int threads) {
  const auto n = static_cast<std::size_t>(texts.size());
  Fingerprints f;
  f.tokens.resize(n);
  f.singles.resize(n);
  f.high.resize(n);
  f.low.resize(n);
  f.offsets.resize(n + 1);
  std::vector<std::vector<u64>> pieces(text_chunks(texts.size()));
  std::vector<std::vector<u32>> kept(KEPT ? pieces.size() : 0);
  std::vector<int> owner(kept.size(), -1);
  std::vector<ThreadWords> words(KEPT ? static_cast<std::size_t>(threads) : 0);
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    const auto chunk = static_cast<std::size_t>(from / TEXT_GRAIN);
    auto& piece = pieces[chunk];
    Normaliser<false> normaliser(tables, options, s);
    std::vector<u64> hashes, keys;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      f.tokens[d] = static_cast<u32>(s.tokens.size());
      f.singles[d] = static_cast<u32>(s.singles);
      if constexpr (KEPT) {
        owner[chunk] = thread;
        take_words(s, words[static_cast<std::size_t>(thread)], d, chunk, kept[chunk].size());
        kept[chunk].insert(kept[chunk].end(), s.tokens.begin(), s.tokens.end());
      }
      u64 digest[2];
      sequence_hashes<2>(s.stream, {DIGEST_SEED_HIGH, DIGEST_SEED_LOW}, digest);
      f.high[d] = digest[0];
      f.low[d] = digest[1];
      keys.clear();
      if (anchor.anchors) {
        shingle_hashes(s.tokens, anchor.ngram, hashes);
        winnow(hashes, s.tokens.size() < anchor.long_tokens ? anchor.short_window : anchor.long_window, keys);
      }
      piece.insert(piece.end(), keys.begin(), keys.end());
      f.offsets[d + 1] = static_cast<std::int64_t>(keys.size());
    }
  });
  f.offsets[0] = 0;
  for (std::size_t d = 0; d < n; ++d) f.offsets[d + 1] += f.offsets[d];
  append_all(f.anchors, pieces);
  if constexpr (KEPT) {
    const WordNumbers numbers(words, threads);
    numbers.apply(owner, [&](std::size_t c) -> std::vector<u32>& { return kept[c]; });
    list_words(numbers, f);
  }
  append_all(f.stream, kept);
  return f;
}

// Some documents' tokens, in the order of `index`; offsets go to `offsets`, one more than there are documents.
inline std::vector<u32> take_tokens(const Ragged& docs, std::span<const u32> index, std::span<std::int64_t> offsets, int threads) {
  offsets[0] = 0;
  for (std::size_t i = 0; i < index.size(); ++i) offsets[i + 1] = offsets[i] + static_cast<std::int64_t>(docs[index[i]].size());
  std::vector<u32> out(static_cast<std::size_t>(offsets[index.size()]));
  parallel_for(static_cast<std::int64_t>(index.size()), TEXT_GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      const auto doc = docs[index[i]];
      std::copy(doc.begin(), doc.end(), out.begin() + offsets[i]);
    }
  });
  return out;
}

// How a word becomes a token: by a hash of its letters, by a number that no other word of the call has, or by a wide name.
enum class WordsAs { HASHES, NUMBERS, NAMES };

// Where tokens stand in their texts: not asked for, as numbers, or in two bytes a token.
enum class PlacesAs { NONE, NUMBERS, NARROW };

template <class T>
struct Tokens {
  std::vector<T> tokens;
  std::vector<u32> start, end;  // in characters of the text, where asked for
  NarrowPlaces narrow;          // the same in two bytes a token
  std::vector<std::int64_t> offsets;
  std::vector<u32> singles;
  NumberedWords moved;  // with numbers only
};

template <PlacesAs PLACES, WordsAs WORDS>
auto tokenise(const TextTables& tables, const Texts& texts, const TextOptions& options, int threads) {
  using T = std::conditional_t<WORDS == WordsAs::NAMES, u64, u32>;
  constexpr bool NUMBERS = WORDS == WordsAs::NUMBERS;
  const auto n = static_cast<std::size_t>(texts.size());
  Tokens<T> t;
  t.offsets.resize(n + 1);
  t.singles.resize(n);
  const auto chunks = text_chunks(texts.size());
  std::vector<std::vector<T>> tokens(chunks);
  std::vector<std::vector<u32>> start(chunks), end(chunks);
  std::vector<NarrowPlaces> narrow(PLACES == PlacesAs::NARROW ? chunks : 0);
  std::vector<int> owner(chunks, -1);
  std::vector<ThreadWords> words(NUMBERS ? static_cast<std::size_t>(threads) : 0);
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    const auto c = static_cast<std::size_t>(from / TEXT_GRAIN);
    owner[c] = thread;
    Normaliser<PLACES != PlacesAs::NONE> normaliser(tables, options, s);
    std::size_t bytes = 0;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) bytes += texts[d].size();
    tokens[c].reserve(bytes / 3 + 1);  // a Chinese text's; it grows where there are more
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      if constexpr (NUMBERS) take_words(s, words[static_cast<std::size_t>(thread)], d, c, tokens[c].size());
      if constexpr (WORDS == WordsAs::NAMES) append_names(s, tokens[c]);
      else tokens[c].insert(tokens[c].end(), s.tokens.begin(), s.tokens.end());
      if constexpr (PLACES == PlacesAs::NARROW) narrow[c].add(s.token_start, s.token_end);
      if constexpr (PLACES == PlacesAs::NUMBERS) {
        start[c].insert(start[c].end(), s.token_start.begin(), s.token_start.end());
        end[c].insert(end[c].end(), s.token_end.begin(), s.token_end.end());
      }
      t.offsets[d + 1] = static_cast<std::int64_t>(s.tokens.size());
      t.singles[d] = static_cast<u32>(s.singles);
    }
  });
  t.offsets[0] = 0;
  for (std::size_t d = 0; d < n; ++d) t.offsets[d + 1] += t.offsets[d];
  if constexpr (NUMBERS) {
    const WordNumbers numbers(words, threads);
    numbers.apply(owner, [&](std::size_t i) -> std::vector<u32>& { return tokens[i]; });
    t.moved = numbers.moved();
  }
  append_all(t.tokens, tokens);
  append_all(t.start, start);
  append_all(t.end, end);
  append_places(t.narrow, narrow);
  return t;
}

// 1 where both texts have the same normal form, character by character: the check behind every exact pair.
inline void equal_forms(const TextTables& tables, const Texts& texts, const TextOptions& options,
                        std::span<const u32> left, std::span<const u32> right, std::span<std::uint8_t> out, int threads) {
  std::vector<Scratch> scratches(2 * static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(left.size()), 64, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto &a = scratches[2 * static_cast<std::size_t>(thread)], &b = scratches[2 * static_cast<std::size_t>(thread) + 1];
    Normaliser<false> na(tables, options, a), nb(tables, options, b);
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      const auto x = texts[left[i]], y = texts[right[i]];
      if (x.size() == y.size() && (x.empty() || !std::memcmp(x.data(), y.data(), x.size()))) {
        out[i] = 1;
        continue;
      }
      na.run(x.data(), static_cast<std::int64_t>(x.size()));
      nb.run(y.data(), static_cast<std::int64_t>(y.size()));
      out[i] = a.stream == b.stream;
    }
  });
}

}  // namespace quchong
