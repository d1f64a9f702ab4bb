// What the nodes of structure trees are known by: their longest sentences, key sentences, or heads and tails of sentences;
// and the terms and keywords of documents. The specification is tests/twins/tree.py.
#pragma once
#include <unordered_map>

#include "sketch/simhash.hpp"
#include "elements/strict.hpp"
#include "tree/tree.hpp"

namespace quchong {

inline constexpr u64 SENTENCE_SEED = 0x53454E54;

// An outline as Python hands it back.
struct Outlined {
  std::span<const u64> tokens;  // names
  std::span<const std::uint8_t> joined;
  std::span<const std::int64_t> sentences;
  std::span<const std::uint8_t> marks;
  std::span<const std::int64_t> nodes, documents;
  std::span<const u64> title;
  std::span<const std::uint8_t> title_joined;
  std::span<const std::int64_t> titles;
  std::size_t size() const { return documents.size() - 1; }
};

// f(item, values) for n items on several threads, their values one after another.
template <class F>
RaggedHashes each(std::size_t n, int threads, F&& f) {
  constexpr std::int64_t GRAIN = 256;
  std::vector<std::vector<u64>> pieces((n + GRAIN - 1) / GRAIN);
  RaggedHashes out;
  out.offsets.assign(n + 1, 0);
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      const std::size_t before = piece.size();
      f(i, piece);
      out.offsets[i + 1] = static_cast<std::int64_t>(piece.size() - before);
    }
  });
  for (std::size_t i = 0; i < n; ++i) out.offsets[i + 1] += out.offsets[i];
  append_all(out.values, pieces);
  return out;
}

// Tokens that count: all but numbers.
inline std::int64_t spoken(const Outlined& o, std::int64_t sentence) {
  std::int64_t out = 0;
  for (auto i = o.sentences[static_cast<std::size_t>(sentence)]; i < o.sentences[static_cast<std::size_t>(sentence) + 1]; ++i)
    out += !is_number(o.tokens[static_cast<std::size_t>(i)]);
  return out;
}

inline u64 sentence_hash(const Outlined& o, std::int64_t sentence, std::vector<u32>& buffer) {
  buffer.clear();
  for (auto i = o.sentences[static_cast<std::size_t>(sentence)]; i < o.sentences[static_cast<std::size_t>(sentence) + 1]; ++i)
    if (const u64 name = o.tokens[static_cast<std::size_t>(i)]; !is_number(name)) {
      buffer.push_back(static_cast<u32>(name));
      if (!is_single(name)) buffer.push_back(static_cast<u32>(name >> 32));
    }
  return sequence_hash(buffer, SENTENCE_SEED);
}

// The `count` longest sentences of each node, one more in nodes of more than `more_from` tokens that count (0: never);
// sentences of fewer than `least` give none. Ties go to the first.
inline RaggedHashes long_sentences(const Outlined& o, std::span<const std::int64_t> which, std::int64_t count,
                                   std::int64_t more_from, std::int64_t least, int threads) {
  return each(which.size(), threads, [&](std::size_t k, std::vector<u64>& out) {
    const auto node = static_cast<std::size_t>(which[k]);
    std::vector<std::pair<std::int64_t, std::int64_t>> order;  // minus length, sentence
    std::int64_t whole = 0;
    for (auto s = o.nodes[node]; s < o.nodes[node + 1]; ++s) {
      const auto length = spoken(o, s);
      whole += length;
      if (length >= std::max<std::int64_t>(1, least)) order.emplace_back(-length, s);
    }
    const auto take = std::min<std::size_t>(order.size(), static_cast<std::size_t>(count + (more_from > 0 && whole > more_from)));
    std::sort(order.begin(), order.end());
    std::vector<u32> buffer;
    for (std::size_t i = 0; i < take; ++i) out.push_back(sentence_hash(o, order[i].second, buffer));
  });
}

// Terms in the tokens [from, to): two neighbouring characters of a script without spaces, or a word.
template <class F>
void each_term(std::span<const u64> tokens, std::span<const std::uint8_t> joined, std::int64_t from, std::int64_t to, F&& f) {
  for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
    if (is_number(tokens[i])) continue;
    if (!is_single(tokens[i])) f(mix64(tokens[i] * coefficient(0)));
    else if (i + 1 < static_cast<std::size_t>(to) && joined[i + 1] && is_single(tokens[i + 1]))
      f(mix64(tokens[i] * coefficient(0) + tokens[i + 1] * coefficient(1)));
  }
}

// Terms of each document, as often as they stand there; with `title` those of the title behind them.
inline RaggedHashes terms(const Outlined& o, bool title, int threads) {
  return each(o.size(), threads, [&](std::size_t d, std::vector<u64>& out) {
    const auto put = [&](u64 term) { out.push_back(term); };
    const auto from = o.sentences[static_cast<std::size_t>(o.nodes[static_cast<std::size_t>(o.documents[d])])];
    const auto to = o.sentences[static_cast<std::size_t>(o.nodes[static_cast<std::size_t>(o.documents[d + 1])])];
    each_term(o.tokens, o.joined, from, to, put);
    if (title) each_term(o.title, o.title_joined, o.titles[d], o.titles[d + 1], put);
  });
}

// Sets for the comparison of titles: pairs of neighbouring tokens, the token itself where there is one only.
inline RaggedHashes title_pairs(const Outlined& o, int threads) {
  return each(o.size(), threads, [&](std::size_t d, std::vector<u64>& out) {
    const auto from = static_cast<std::size_t>(o.titles[d]), to = static_cast<std::size_t>(o.titles[d + 1]);
    std::vector<u64> hashes;
    shingle_hashes(o.title.subspan(from, to - from), 2, hashes);
    out.insert(out.end(), hashes.begin(), hashes.end());
  });
}

struct Keywords {
  std::vector<u64> values, weights;  // ranked; those of the title that are not among the best follow
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> best;  // how many are among the best
};

// Keywords of each document: the `count` terms of highest tf * idf in text and title, then the other terms of the title.
// Ties go to the lower hash. Documents that are not wanted have none.
inline Keywords keywords(const Outlined& o, const FeatureWeights& idf, std::size_t count, std::span<const std::uint8_t> wanted, int threads) {
  Keywords out;
  const std::size_t n = o.size();
  out.best.resize(n);
  auto flat = each(n, threads, [&](std::size_t d, std::vector<u64>& to) {
    if (!wanted[d]) return;
    std::vector<u64> all, title;
    const auto a = o.sentences[static_cast<std::size_t>(o.nodes[static_cast<std::size_t>(o.documents[d])])];
    const auto b = o.sentences[static_cast<std::size_t>(o.nodes[static_cast<std::size_t>(o.documents[d + 1])])];
    each_term(o.title, o.title_joined, o.titles[d], o.titles[d + 1], [&](u64 t) { title.push_back(t); });
    all = title;
    each_term(o.tokens, o.joined, a, b, [&](u64 t) { all.push_back(t); });
    std::sort(all.begin(), all.end());
    std::sort(title.begin(), title.end());
    struct Term {
      u64 value, weight;
    };
    std::vector<Term> found;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t j = i;
      while (j < all.size() && all[j] == all[i]) ++j;
      found.push_back({all[i], (j - i) * idf[all[i]]});
      i = j;
    }
    const std::size_t best = std::min(count, found.size());
    const auto before = [](const Term& x, const Term& y) { return x.weight != y.weight ? x.weight > y.weight : x.value < y.value; };
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(best), found.end(), before);
    const auto rest = found.begin() + static_cast<std::ptrdiff_t>(best);
    found.erase(std::remove_if(rest, found.end(), [&](const Term& x) { return !std::binary_search(title.begin(), title.end(), x.value); }), found.end());
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(best), found.end(), before);
    out.best[d] = static_cast<std::int64_t>(best);
    for (const auto& x : found) to.insert(to.end(), {x.value, x.weight});
  });
  out.offsets = std::move(flat.offsets);
  for (auto& x : out.offsets) x /= 2;
  out.values.resize(flat.values.size() / 2);
  out.weights.resize(out.values.size());
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = flat.values[2 * i], out.weights[i] = flat.values[2 * i + 1];
  return out;
}

// Sentences of each node that hold keywords of its document, by the sum of their weights: one for every `rate` tokens that
// count, begun ones too. Ties go to the longer, then to the earlier one; without a keyword the longest sentence.
inline RaggedHashes key_sentences(const Outlined& o, std::span<const std::int64_t> which, std::span<const u64> values,
                                  std::span<const u64> weights, std::span<const std::int64_t> offsets, std::int64_t rate, int threads) {
  return each(which.size(), threads, [&](std::size_t k, std::vector<u64>& out) {
    const auto node = static_cast<std::size_t>(which[k]);
    const auto d = static_cast<std::size_t>(std::upper_bound(o.documents.begin(), o.documents.end(), which[k]) - o.documents.begin() - 1);
    const auto first = static_cast<std::size_t>(offsets[d]), last = static_cast<std::size_t>(offsets[d + 1]);
    struct Scored {
      u64 score;
      std::int64_t length, sentence;
    };
    std::vector<Scored> order;
    std::int64_t whole = 0;
    std::size_t scored = 0;
    for (auto s = o.nodes[node]; s < o.nodes[node + 1]; ++s) {
      const auto length = spoken(o, s);
      whole += length;
      if (!length) continue;
      u64 score = 0;
      each_term(o.tokens, o.joined, o.sentences[static_cast<std::size_t>(s)], o.sentences[static_cast<std::size_t>(s) + 1], [&](u64 term) {
        for (std::size_t i = first; i < last; ++i)
          if (values[i] == term) {
            score += weights[i];
            break;
          }
      });
      scored += score > 0;
      order.push_back({score, length, s});
    }
    std::sort(order.begin(), order.end(), [](const Scored& x, const Scored& y) {
      if (x.score != y.score) return x.score > y.score;
      return x.length != y.length ? x.length > y.length : x.sentence < y.sentence;
    });
    const auto wanted = static_cast<std::size_t>((whole + rate - 1) / rate);
    const auto take = std::min(order.size(), std::max<std::size_t>(1, std::min(scored, wanted)));
    std::vector<u32> buffer;
    for (std::size_t i = 0; i < take; ++i) out.push_back(sentence_hash(o, order[i].sentence, buffer));
  });
}

// First and last character of a script without spaces of each sentence that holds one of the marks: BKDR and AP hash of the
// two in one value. Sentences of fewer than two such characters give none.
inline RaggedHashes head_tails(const Outlined& o, std::span<const std::int64_t> which, u32 marks, int threads) {
  return each(which.size(), threads, [&](std::size_t k, std::vector<u64>& out) {
    const auto node = static_cast<std::size_t>(which[k]);
    for (auto s = static_cast<std::size_t>(o.nodes[node]); s < static_cast<std::size_t>(o.nodes[node + 1]); ++s) {
      if (!(o.marks[s] & marks)) continue;
      auto a = o.sentences[s], b = o.sentences[s + 1];
      while (a < b && !is_single(o.tokens[static_cast<std::size_t>(a)])) ++a;
      while (b > a && !is_single(o.tokens[static_cast<std::size_t>(b) - 1])) --b;
      if (b - a < 2) continue;
      unsigned char bytes[8];
      std::size_t n = 0;
      for (u32 c : {static_cast<u32>(o.tokens[static_cast<std::size_t>(a)]), static_cast<u32>(o.tokens[static_cast<std::size_t>(b) - 1])}) {
        if (c < 0x800) {
          bytes[n++] = static_cast<unsigned char>(0xC0 | c >> 6);
        } else if (c < 0x10000) {
          bytes[n++] = static_cast<unsigned char>(0xE0 | c >> 12);
          bytes[n++] = static_cast<unsigned char>(0x80 | (c >> 6 & 63));
        } else {
          bytes[n++] = static_cast<unsigned char>(0xF0 | c >> 18);
          bytes[n++] = static_cast<unsigned char>(0x80 | (c >> 12 & 63));
          bytes[n++] = static_cast<unsigned char>(0x80 | (c >> 6 & 63));
        }
        bytes[n++] = static_cast<unsigned char>(0x80 | (c & 63));
      }
      const auto [bkdr, ap] = PaperHashes::of({bytes, n}, false);
      out.push_back(static_cast<u64>(bkdr) << 32 | ap);
    }
  });
}

}  // namespace quchong
