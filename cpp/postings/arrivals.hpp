// Candidates of documents that arrive one by one, from posting lists that somebody else keeps: `select_candidates` for lists that were looked
// up, in memory in proportion to them and not to all documents.
#pragma once
#include "postings/select.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// Documents as a join knows them besides their keys, by number.
struct DocumentSizes {
  std::span<const double> size;  // features, scaled as the join compares them
  std::span<const u32> window;
  std::span<const double> time;
  std::span<const u64> scope;
};

// The posting lists of some documents that ask: document i of them has lists own[i] .. own[i + 1], list l holds
// documents[ends[l] .. ends[l + 1]), ascending, with as many weights; weight[l] is that of the key in the document that asks.
struct PostingLists {
  std::span<const u32> documents, weights;
  std::span<const std::int64_t> ends, own;
  std::span<const u32> weight;
  std::span<const std::int64_t> before;  // only documents below this number are met
  std::span<const std::int64_t> lengths;  // of the whole lists below it, if lists are their fronts; empty if they are whole
};

struct ArrivalOptions {
  SelectLimits limits;
  u32 min_shared = 1;
  double share = 0, within = -1;
  int rule = 0;        // 0 keys, 1 sets by the smaller one, 2 sets by Jaccard
  bool exact = false;  // sets: what lists share beyond the cap is counted, not granted
};

struct Arrived {
  std::vector<u32> document, asking;  // sorted by the one that asks, then document
  std::vector<u64> shared;
  std::vector<std::uint8_t> bounded, crowded;  // of each document that asks
};

// The documents met in lists, with the weights of the lists: sorted when they are read.
class SparseCount {
 public:
  explicit SparseCount(const PostingLists& lists) : lists_(lists) {}
  void add(std::span<const u32> documents, std::size_t list, std::size_t begin) {
    const auto weights = lists_.weights.subspan(static_cast<std::size_t>(lists_.ends[list]) + begin, documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) met_.push_back({documents[i], std::min(weights[i], lists_.weight[list])});
  }
  template <class F>
  void drain(F&& f) {
    std::sort(met_.begin(), met_.end(), [](const Met& a, const Met& b) { return a.document < b.document; });
    for (std::size_t i = 0; i < met_.size();) {
      const u32 document = met_[i].document;
      Tally tally;
      for (; i < met_.size() && met_[i].document == document; ++i) ++tally.lists, tally.weight += met_[i].weight;
      f(document, tally);
    }
    met_.clear();
  }

 private:
  struct Met {
    u32 document, weight;
  };
  const PostingLists& lists_;
  std::vector<Met> met_;
};

inline Arrived select_arrivals(const PostingLists& lists, const DocumentSizes& mine, const DocumentSizes& all, const ArrivalOptions& o,
                               int threads) {
  const auto n = static_cast<std::int64_t>(lists.before.size());
  constexpr std::int64_t GRAIN = 16;
  Arrived out;
  out.bounded.assign(static_cast<std::size_t>(n), 0);
  out.crowded.assign(static_cast<std::size_t>(n), 0);
  std::vector<Arrived> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    SparseCount count(lists);
    Selected chosen;
    struct Cut {
      std::size_t list, end;
    };
    std::vector<Cut> cut;  // lists that are longer than the cap, and where their documents before the asking one end
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      cut.clear();
      const auto each = [&](auto&& f) {
        for (auto l = static_cast<std::size_t>(lists.own[i]); l < static_cast<std::size_t>(lists.own[i + 1]); ++l) {
          const auto begin = static_cast<std::size_t>(lists.ends[l]), end = static_cast<std::size_t>(lists.ends[l + 1]);
          const auto whole = lists.documents.subspan(begin, end - begin);
          const auto place = static_cast<std::size_t>(
              std::partition_point(whole.begin(), whole.end(), [&](u32 d) { return static_cast<std::int64_t>(d) < lists.before[i]; }) - whole.begin());
          if (place > o.limits.cap) cut.push_back({l, begin + place});
          const auto size = lists.lengths.empty() ? place : std::max(place, static_cast<std::size_t>(lists.lengths[l]));
          f(whole.first(place), size + 1, l);  // the list as it is with the document that asks, whoever came later
        }
      };
      const auto exact = [&](u32 x, const Tally& met) {
        Shared found{met.weight, met.lists};
        for (const auto& c : cut) {
          const auto a = lists.documents.begin() + lists.ends[c.list] + o.limits.cap;
          const auto b = lists.documents.begin() + static_cast<std::ptrdiff_t>(c.end);
          const auto at = std::lower_bound(a, b, x);
          if (at == b || *at != x) continue;
          ++found.values;
          found.weight += std::min(lists.weights[static_cast<std::size_t>(at - lists.documents.begin())], lists.weight[c.list]);
        }
        return found;
      };
      if (o.rule == 0) {
        const KeyRule rule{o.min_shared, o.share, o.within, mine.size[i], static_cast<double>(mine.window[i]), mine.time[i],
                           all.size.data(), all.window.data(), all.time.data()};
        select_candidates(lists.before[i], each, rule, o.limits, count, chosen);
      } else {
        if (lists.before[i] < o.limits.references) continue;  // references do not meet
        const SetRule<decltype(exact)> rule{exact, o.exact, o.exact, o.rule == 2, o.min_shared, o.share, mine.size[i],
                                            mine.scope[i], all.scope, all.size.data()};
        select_candidates(lists.before[i], each, rule, o.limits, count, chosen);
      }
      piece.document.insert(piece.document.end(), chosen.documents.begin(), chosen.documents.end());
      piece.asking.insert(piece.asking.end(), chosen.documents.size(), static_cast<u32>(i));
      piece.shared.insert(piece.shared.end(), chosen.shared.begin(), chosen.shared.end());
      out.bounded[i] = chosen.bounded;
      out.crowded[i] = chosen.crowded;
    }
  });
  for (auto& p : pieces) {
    out.document.insert(out.document.end(), p.document.begin(), p.document.end());
    out.asking.insert(out.asking.end(), p.asking.begin(), p.asking.end());
    out.shared.insert(out.shared.end(), p.shared.begin(), p.shared.end());
    p = Arrived{};
  }
  return out;
}

}  // namespace quchong
