// The candidates of one document, chosen from the posting lists of its keys within the limits of a join. All joins of keys and of sets
// choose by this one function, whether they hold all documents or one.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "hash.hpp"

namespace quchong {

struct SelectLimits {
  u32 cap = ~0u;                // documents of a list that are met, the first ones
  u32 most = 0;                 // candidates of a document, among the references and among the others; 0 for all
  u32 few = 0, crowd = 0;       // a document of more than 3 `few` with a list of more than `crowd` keeps `few`; crowd 0 for none
  std::int64_t references = 0;  // documents [0, references) are not paired with each other
};

// What a document was met with: the number of lists, and what it shares with the other in them, the sum of the lesser weights.
struct Tally {
  u32 lists = 0;
  u64 weight = 0;
};

// Counts of the lists in which each document was met, each of weight 1. Dense: one number for each document, zeroed again as it is read.
class DenseCount {
 public:
  void resize(std::size_t documents) {
    if (count_.empty()) count_.assign(documents, 0);
  }
  void add(std::span<const u32> documents, std::size_t, std::size_t) {
    for (u32 d : documents)
      if (count_[d]++ == 0) touched_.push_back(d);
  }
  // f(document, tally) for each document met, ascending; all counts are zero afterwards.
  template <class F>
  void drain(F&& f) {
    std::sort(touched_.begin(), touched_.end());
    for (u32 d : touched_) {
      const u32 n = count_[d];
      count_[d] = 0;
      f(d, Tally{n, n});
    }
    touched_.clear();
  }

 private:
  std::vector<u32> count_, touched_;
};

// The candidates of one document, ascending, and what each shares with it.
struct Selected {
  std::vector<u32> documents;
  std::vector<u64> shared;
  bool bounded = false, crowded = false;  // some were left out by `most` or `few`; it is in a crowd
  std::vector<u32> place;                 // scratch of `keep_most`
};

// Of the candidates from `begin` on, the ones to keep if there are more than `most`: the first half of `kept` in document order, so that a
// family has its first documents in common, and of the others those that share most (the first of equals). True if some were left out.
inline bool keep_most(Selected& out, std::size_t begin, u32 most, u32 kept) {
  const std::size_t n = out.documents.size() - begin;
  if (most == 0 || n <= most) return false;
  const std::size_t few = std::min(kept, most), first = (few + 1) / 2;
  auto& place = out.place;
  place.resize(n - first);
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<u32>(begin + first + i);
  const auto end = place.begin() + static_cast<std::ptrdiff_t>(few - first);
  std::nth_element(place.begin(), end, place.end(), [&](u32 a, u32 b) {
    return out.shared[a] != out.shared[b] ? out.shared[a] > out.shared[b] : a < b;
  });
  std::sort(place.begin(), end);
  std::size_t to = begin + first;
  for (auto p = place.begin(); p != end; ++p, ++to) out.documents[to] = out.documents[*p], out.shared[to] = out.shared[*p];
  out.documents.resize(to), out.shared.resize(to);
  return true;
}

// The number of places from `begin` to the cap of a list, at most to its end.
inline std::size_t capped_end(std::size_t begin, std::size_t size, u32 cap) { return size - begin < cap ? size : begin + cap; }

// Selects the candidates of document `me`.
//
// `lists(f)` calls f(before, size, list) for each posting list of the document: the documents of the list before `me`, ascending, the number
// of all its documents, and a number by which `count` knows the list. `rule` decides about pairs:
//   Rule::APART            references have a cap of their own in each list, and references meet nobody
//   rule.begin(before, i)  first place from i on that is met at all
//   rule.weight(x, met, unseen, shared)  whether x is a candidate, by its tally, while `unseen` lists were cut before their end; it writes
//                          what both share to `shared`
template <class Count, class Lists, class Rule>
void select_candidates(std::int64_t me, const Lists& lists, const Rule& rule, const SelectLimits& o, Count& count, Selected& out) {
  out.documents.clear(), out.shared.clear();
  out.bounded = out.crowded = false;
  u32 unseen = 0;
  // (1) Count the lists in which each earlier document is met, within the cap.
  lists([&](std::span<const u32> before, std::size_t size, std::size_t list) {
    out.crowded |= o.crowd > 0 && size > o.crowd;
    std::size_t begin = 0;
    if constexpr (Rule::APART) {
      if (o.references > 0) {  // references are first in every list
        if (me < o.references) return;
        while (begin < before.size() && before[begin] < o.references) ++begin;
        count.add(before.first(capped_end(0, begin, o.cap)), list, 0);
      }
    }
    begin = rule.begin(before, begin);
    // The first `cap` documents of a list, not the last, so that a large family shares its partners.
    const auto end = capped_end(begin, before.size(), o.cap);
    unseen += end < before.size();
    count.add(before.subspan(begin, end - begin), list, begin);
  });
  // (2) Keep those that share enough, at most `most` of the references and at most `most` of the others.
  const u32 most = out.crowded ? std::min(o.most, 3 * o.few) : o.most, kept = out.crowded ? o.few : o.most;
  std::size_t begin = 0;
  bool among_references = o.references > 0;
  count.drain([&](u32 x, const Tally& met) {
    if (among_references && x >= o.references) {  // the others begin here
      out.bounded = keep_most(out, begin, most, kept);
      begin = out.documents.size();
      among_references = false;
    }
    u64 shared = met.lists;
    if (!rule.weight(x, met, unseen, shared)) return;
    out.documents.push_back(x);
    out.shared.push_back(shared);
  });
  out.bounded |= keep_most(out, begin, most, kept);
  out.crowded &= out.bounded;
}

// The rule of a join of keys: a number of equal keys, and a share of those expected of the shorter document.
struct KeyRule {
  static constexpr bool APART = true;
  u32 min_shared = 1;
  double share = 0, within = -1;        // within < 0: no window
  double size = 0, window = 1, time = 0;  // of the document itself
  const double* sizes = nullptr;        // ... and of all others, by number: sizes scaled by the share of keys that are distinct
  const u32* windows = nullptr;
  const double* times = nullptr;

  // Lists ascend in time: documents before the window are skipped, so that the cap is spent within it.
  std::size_t begin(std::span<const u32> before, std::size_t i) const {
    if (within >= 0)
      while (i < before.size() && times[before[i]] < time - within) ++i;
    return i;
  }
  bool weight(u32 x, const Tally& met, u32, u64&) const {
    if (met.lists < min_shared) return false;
    if (share > 0) {
      // Winnowing with a window w keeps about 2 / (w + 1) of the shingles, so that two equal texts share this many keys.
      const double expected = std::min(sizes[x], size) * 2.0 / (std::max(static_cast<double>(windows[x]), window) + 1.0);
      if (met.lists < std::ceil(share * expected - 1e-9)) return false;
    }
    return within < 0 || std::fabs(time - times[x]) <= within;
  }
};

struct Shared {
  u64 weight = 0;  // sum of the lesser weights
  u32 values = 0;  // distinct values
};

// The rule of a join of sets: a number of common values, and a share of the smaller set or of both. `exact(x, met)` counts what x shares
// with the document in all lists; it is asked where the tally of the lists met does not tell.
template <class Exact>
struct SetRule {
  static constexpr bool APART = false;
  Exact exact;
  bool counted, weighted;  // pairs that some lists were too long for are counted exactly; some values weigh more than 1
  bool jaccard;
  u32 min_shared;
  double threshold, size;  // of the document itself
  u64 code;                // its scope
  std::span<const u64> scope;  // of all others, empty for none
  const double* sizes;

  std::size_t begin(std::span<const u32>, std::size_t i) const { return i; }
  bool weight(u32 x, const Tally& met, u32 unseen, u64& shared) const {
    u64 common = static_cast<u64>(met.lists) + unseen;  // at most
    if (common < min_shared) return false;
    if (!scope.empty() && scope[x] != code) return false;
    if (!weighted && !enough(x, common)) return false;
    if (weighted || (counted && unseen > 0)) {
      const Shared found = exact(x, met);
      if (found.values < min_shared || !enough(x, found.weight)) return false;
      common = found.weight;
    }
    shared = common;
    return true;
  }

 private:
  bool enough(u32 x, u64 common) const {
    const double a = sizes[x], b = size, weight = static_cast<double>(common);
    const double least = jaccard ? threshold * (a + b - weight) : threshold * std::min(a, b);
    return weight >= least - 1e-9 * (a + b);
  }
};

}  // namespace quchong
