// Finds the lists of keys in segments, and in runs: postings in memory, sorted by key, of later documents.
#pragma once
#include <array>
#include <optional>
#include <utility>

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

// A list that one of the keys has: postings [start, start + length) of a bucket of a segment, or of a run.
struct Found {
  u32 key;  // which of the keys, in the order in which they were given
  u64 start, length;
};

// Keys in ascending order, each with its place in the order in which they were given.
struct SortedKeys {
  std::vector<u64> values;
  std::vector<u32> places;

  // The values of `value(i)`, sorted by digits of 11 bits; a digit that is the same in all is passed over.
  template <class F>
  SortedKeys(std::size_t n, const F& value) : values(n), places(n) {
    constexpr int DIGIT = 11;
    constexpr std::size_t FEW = 512;
    if (n > std::size_t{~u32{0}}) throw std::length_error("more than 2^32 keys at once");
    u64 any = 0, all = ~u64{0};
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = value(i), places[i] = static_cast<u32>(i);
      any |= values[i], all &= values[i];
    }
    if (n < FEW) {
      std::sort(places.begin(), places.end(), [&](u32 a, u32 b) { return values[a] < values[b]; });
      for (std::size_t i = 0; i < n; ++i) values[i] = value(places[i]);
      return;
    }
    std::vector<u64> other_values(n);
    std::vector<u32> other_places(n);
    for (int shift = 0; shift < 64; shift += DIGIT) {
      if (((any ^ all) >> shift & low_bits(DIGIT)) == 0) continue;
      std::array<std::size_t, std::size_t{1} << DIGIT> starts{};
      for (const u64 v : values) ++starts[v >> shift & low_bits(DIGIT)];
      std::size_t start = 0;
      for (auto& count : starts) start += std::exchange(count, start);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t to = starts[values[i] >> shift & low_bits(DIGIT)]++;
        other_values[to] = values[i], other_places[to] = places[i];
      }
      values.swap(other_values), places.swap(other_places);
    }
  }
};

// One bucket that is searched for some sorted codes in it.
struct BucketSearch {
  Bucket bucket;
  CodeReader reader{bucket};
  u64 base = 0;                // what is before the codes of the bucket
  std::size_t at = 0, end = 0;  // of the sorted codes

  BucketSearch() = default;
  BucketSearch(const BucketSearch&) = delete;

  // Reads one code; returns false once nothing more can be found.
  bool step(const SortedKeys& codes, std::vector<Found>& out) {
    if (!reader.next()) return false;
    const u64 code = base | reader.code;
    while (at < end && codes.values[at] < code) ++at;
    for (; at < end && codes.values[at] == code; ++at) out.push_back({codes.places[at], reader.start, reader.length});
    return at < end;
  }
};

// The lists of the sorted codes [from, to) in a segment. Several buckets are read in turn, a code of each: reading one code waits for the
// one before it in the same bucket, and not for those of others.
inline void find_in_segment(const Segment& s, const SortedKeys& codes, std::size_t from, std::size_t to, std::vector<Found>& out) {
  constexpr std::size_t GROUP = 32, ABREAST = 6;  // codes whose memory is asked for before the first is read; buckets that are read in turn
  const int span = s.footer.span();
  const double share = static_cast<double>(s.footer.postings) * s.footer.width() / 8.0 / static_cast<double>(s.footer.stream + 1);  // of documents
  std::array<BucketSearch, ABREAST> searches;
  std::array<BucketSearch*, ABREAST> going;
  std::size_t count = 0;
  const auto step_all = [&] {
    for (std::size_t i = 0; i < count;) {
      if (going[i]->step(codes, out)) ++i;
      else std::swap(going[i], going[--count]);
    }
  };
  for (std::size_t i = 0; i < ABREAST; ++i) going[i] = &searches[i];
  for (std::size_t group = from; group < to; group += GROUP) {
    const std::size_t last = std::min(group + GROUP, to);
    for (std::size_t k = group; k < last; ++k) prefetch(s.entry(codes.values[k] >> span));
    for (std::size_t k = group; k < last; ++k) {
      const auto bytes = s.bucket(codes.values[k] >> span);
      prefetch(bytes.data());  // the header; the documents behind it are not read here
      const auto first = static_cast<std::size_t>(share * static_cast<double>(bytes.size()));
      for (std::size_t at = first; at < std::min<std::size_t>(bytes.size(), first + 512); at += 64) prefetch(bytes.data() + at);
    }
    for (std::size_t k = group; k < last;) {
      while (count == ABREAST) step_all();
      auto& search = *going[count];
      const u64 bucket = codes.values[k] >> span;
      search.base = bucket << span, search.at = k;
      for (++k; k < last && codes.values[k] >> span == bucket;) ++k;
      search.end = k;
      search.bucket = Bucket(s.footer, s.bucket(bucket));
      search.reader.restart();
      ++count;
    }
  }
  while (count) step_all();
}

// The lists of the sorted keys [from, to) in a run.
inline void find_in_run(std::span<const u64> run, const SortedKeys& keys, std::size_t from, std::size_t to, std::vector<Found>& out) {
  if (from == to) return;
  auto at = std::lower_bound(run.begin(), run.end(), keys.values[from]), end = at;
  for (std::size_t k = from; k < to && at != run.end(); ++k) {
    const u64 key = keys.values[k];
    if (k == from || key != keys.values[k - 1]) {
      // The next key is near by: the step is doubled until it is passed.
      std::ptrdiff_t step = 1;
      auto low = at;
      while (step < run.end() - low && low[step] < key) low += step, step *= 2;
      at = std::lower_bound(low, run.end() - low > step ? low + step + 1 : run.end(), key);
      end = at == run.end() || *at != key ? at : at + 1;
      if (end != at && end != run.end() && *end == key) end = std::upper_bound(end, run.end(), key);
    }
    if (end != at) out.push_back({keys.places[k], static_cast<u64>(at - run.begin()), static_cast<u64>(end - at)});
  }
}

// What was found of each key, in the order of the keys as they were given, and for one key in the order of the sources: segments, then runs.
class FoundByKey {
 public:
  struct One {
    u32 source;
    u64 start, length;
  };

  FoundByKey(std::size_t keys, std::vector<std::vector<std::vector<Found>>>& of_sources) : starts_(keys + 1) {
    for (const auto& chunks : of_sources)
      for (const auto& chunk : chunks)
        for (const auto& one : chunk) ++starts_[one.key + 1];
    for (std::size_t i = 0; i < keys; ++i) starts_[i + 1] += starts_[i];
    all_.resize(starts_[keys]);
    auto next = starts_;
    for (std::size_t source = 0; source < of_sources.size(); ++source) {
      for (const auto& chunk : of_sources[source])
        for (const auto& one : chunk) all_[next[one.key]++] = {static_cast<u32>(source), one.start, one.length};
      of_sources[source].clear();
    }
  }
  std::span<const One> operator[](std::size_t key) const { return {all_.data() + starts_[key], starts_[key + 1] - starts_[key]}; }

 private:
  std::vector<std::size_t> starts_;
  std::vector<One> all_;
};

inline FoundByKey find_sources(const std::vector<Segment>& segments, const PostingRuns& runs, std::span<const u64> keys, int threads) {
  constexpr std::int64_t GRAIN = 8192;
  const auto n = static_cast<std::int64_t>(keys.size());
  std::vector<std::vector<std::vector<Found>>> found(segments.size() + runs.keys.size());
  const auto search = [&](std::size_t source, const auto& some) {
    found[source].resize(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
    parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
      some(static_cast<std::size_t>(from), static_cast<std::size_t>(to), found[source][static_cast<std::size_t>(from / GRAIN)]);
    });
  };
  std::optional<SortedKeys> codes;
  for (std::size_t i = 0, bits = 0; i < segments.size(); ++i) {
    const auto& s = segments[i];
    if (const auto own = static_cast<std::size_t>(s.footer.bits); own != bits) {
      bits = own;
      codes.emplace(keys.size(), [&](std::size_t k) { return code_of(keys[k], s.footer.bits); });
    }
    search(i, [&](std::size_t from, std::size_t to, std::vector<Found>& out) { find_in_segment(s, *codes, from, to, out); });
  }
  if (!runs.keys.empty()) {
    const SortedKeys sorted(keys.size(), [&](std::size_t k) { return keys[k]; });
    for (std::size_t r = 0; r < runs.keys.size(); ++r)
      search(segments.size() + r, [&](std::size_t from, std::size_t to, std::vector<Found>& out) { find_in_run(runs.keys[r], sorted, from, to, out); });
  }
  return {keys.size(), found};
}

inline FoundLists find_lists(const std::vector<Segment>& segments, const PostingRuns& runs, std::span<const u64> keys, Bytes gone,
                             const LookupLimits& o, int threads) {
  constexpr std::int64_t GRAIN = 512;
  const auto n = static_cast<std::int64_t>(keys.size());
  const FoundByKey found = find_sources(segments, runs, keys, threads);
  std::vector<FoundLists> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& out = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
      ListBuilder list(out, gone, o, o.before.empty() ? ~u64{0} : static_cast<u64>(std::max<std::int64_t>(o.before[k], 0)));
      for (const auto& [source, start, length] : found[k]) {
        if (list.full()) break;
        const u64 first = start;
        if (source >= segments.size()) {
          const auto& documents = runs.documents[source - segments.size()];
          const auto& weights = runs.weights[source - segments.size()];
          list.add(length, [&](u64 i) { return documents[first + i]; }, [&](u64 i) { return weights[first + i]; });
          continue;
        }
        const auto& s = segments[source];
        const auto& f = s.footer;
        const Bucket bucket(f, s.bucket(code_of(keys[k], f.bits) >> f.span()));
        const auto document = [&](u64 i) {
          const u32 d = bucket.document(first + i);
          if (d >= f.documents) damaged_segment();
          return f.first + d;
        };
        list.add(length, document, [&](u64 i) { return bucket.weight_width ? bucket.weight(first + i) : 1; });
      }
      out.ends.push_back(static_cast<std::int64_t>(out.documents.size()));
      out.lengths.push_back(static_cast<std::int64_t>(list.counted()));
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
