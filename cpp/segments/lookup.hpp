// Finds the lists of keys in segments, and in runs: postings in memory, sorted by key, of later documents.
#pragma once
#include "segments/merge.hpp"

namespace quchong {

struct PostingRuns {
  const std::vector<std::span<const u64>>& keys;
  const std::vector<std::span<const u32>>&documents, &weights;
};

struct LookupLimits {
  u64 most = 0, counted = 0;             // documents of a list that are returned, 0 for all; ... that are counted
  std::span<const std::int64_t> before;  // of each key: only documents below it; empty for all
};

struct FoundLists {
  std::vector<u32> documents, weights;
  std::vector<std::int64_t> ends, lengths;
};

inline void prefetch(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
#else
  (void)p;
#endif
}

// The list of one key as it is put together: living documents that are returned, and counted.
class ListBuilder {
 public:
  ListBuilder(FoundLists& out, Bytes gone, const LookupLimits& o, u64 before)
      : out_(out), gone_(gone), before_(before), most_(o.most ? o.most : ~u64{0}), stop_(o.most ? std::max(o.most, o.counted) : ~u64{0}) {}
  bool full() const { return counted_ >= stop_; }
  u64 counted() const { return std::min(counted_, stop_); }

  // A list of `n` documents: document(i) ascend, weight(i) are their weights.
  template <class D, class W>
  void add(u64 n, const D& document, const W& weight) {
    if (before_ <= ~u32{0}) {
      u64 low = 0;
      while (low < n) {  // the documents below the bound
        const u64 middle = low + (n - low) / 2;
        if (document(middle) < before_) low = middle + 1;
        else n = middle;
      }
    }
    if (gone_.empty()) {
      const u64 taken = std::min(n, most_ - returned_);
      for (u64 i = 0; i < taken; ++i) put(document(i), weight(i));
      counted_ += n;
      return;
    }
    for (u64 i = 0; i < n && !full(); ++i) {
      const u32 d = document(i);
      if (is_gone(gone_, d)) continue;
      ++counted_;
      if (returned_ < most_) put(d, weight(i));
    }
  }

 private:
  void put(u32 document, u32 weight) {
    if (document < least_) damaged_segment();
    least_ = u64{document} + 1;
    ++returned_;
    out_.documents.push_back(document);
    out_.weights.push_back(weight);
  }

  FoundLists& out_;
  Bytes gone_;
  u64 before_, most_, stop_, counted_ = 0, returned_ = 0, least_ = 0;
};

inline void find_in_segment(const Segment& s, u64 code, ListBuilder& list) {
  const auto& f = s.footer;
  const Bucket bucket(f, s.bucket(code >> f.span()));
  const u64 wanted = code & low_bits(f.span());
  CodeReader reader(bucket);
  while (reader.next() && reader.code <= wanted) {
    if (reader.code != wanted) continue;
    const auto document = [&](u64 i) {
      const u32 d = bucket.document(reader.start + i);
      if (d >= f.documents) damaged_segment();
      return f.first + d;
    };
    list.add(reader.length, document, [&](u64 i) { return bucket.weight_width ? bucket.weight(reader.start + i) : 1; });
    return;
  }
}

inline FoundLists find_lists(const std::vector<Segment>& segments, const PostingRuns& runs, std::span<const u64> keys, Bytes gone,
                             const LookupLimits& o, int threads) {
  constexpr std::int64_t GRAIN = 512;
  constexpr std::size_t GROUP = 32;  // keys whose memory is asked for before the first is read
  const auto n = static_cast<std::int64_t>(keys.size());
  std::vector<FoundLists> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& out = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (auto group = static_cast<std::size_t>(from); group < static_cast<std::size_t>(to); group += GROUP) {
      const std::size_t end = std::min(group + GROUP, static_cast<std::size_t>(to));
      for (const auto& s : segments)
        for (std::size_t k = group; k < end; ++k) prefetch(s.entry(code_of(keys[k], s.footer.bits) >> s.footer.span()));
      for (const auto& s : segments)
        for (std::size_t k = group; k < end; ++k) {
          const auto bytes = s.bucket(code_of(keys[k], s.footer.bits) >> s.footer.span());
          for (std::size_t at = 0; at < std::min<std::size_t>(bytes.size(), 768); at += 64) prefetch(bytes.data() + at);
        }
      for (std::size_t k = group; k < end; ++k) {
        ListBuilder list(out, gone, o, o.before.empty() ? ~u64{0} : static_cast<u64>(std::max<std::int64_t>(o.before[k], 0)));
        for (const auto& s : segments)
          if (!list.full()) find_in_segment(s, code_of(keys[k], s.footer.bits), list);
        for (std::size_t r = 0; r < runs.keys.size() && !list.full(); ++r) {
          const auto& run = runs.keys[r];
          const auto first = std::lower_bound(run.begin(), run.end(), keys[k]);
          const auto last = std::upper_bound(first, run.end(), keys[k]);
          const auto start = static_cast<std::size_t>(first - run.begin());
          list.add(static_cast<u64>(last - first), [&](u64 i) { return runs.documents[r][start + i]; },
                   [&](u64 i) { return runs.weights[r][start + i]; });
        }
        out.ends.push_back(static_cast<std::int64_t>(out.documents.size()));
        out.lengths.push_back(static_cast<std::int64_t>(list.counted()));
      }
    }
  });
  FoundLists out;
  if (pieces.size() == 1) out = std::move(pieces[0]);
  for (std::size_t i = 0; pieces.size() > 1 && i < pieces.size(); ++i) {
    auto& p = pieces[i];
    const auto base = static_cast<std::int64_t>(out.documents.size());
    out.documents.insert(out.documents.end(), p.documents.begin(), p.documents.end());
    out.weights.insert(out.weights.end(), p.weights.begin(), p.weights.end());
    out.lengths.insert(out.lengths.end(), p.lengths.begin(), p.lengths.end());
    for (const auto e : p.ends) out.ends.push_back(base + e);
    p = FoundLists{};
  }
  out.ends.insert(out.ends.begin(), 0);
  return out;
}

}  // namespace quchong
