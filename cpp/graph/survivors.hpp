// Who survives, over arcs from loser to winner. The specification is tests/twins/graph.py:
// winners are decided first, and when only cycles are left, the best node of each cycle goes ahead.
//
// That procedure never looks at fates to choose the next node, so it can be said without time: a node waits for all
// its winners save those it waives, and it waives a winner that is worse than itself and leads back to it through
// nodes that are all worse than itself. In other words: add the nodes of a cycle from worst to best; an arc is waived
// if its two ends fall into one strongly connected component at the very step that adds its loser. These steps are
// found by halving the range of steps, so that a component of k nodes and m arcs costs O(m log k), however many
// cycles lie inside one another. Without the waived arcs the graph has no cycle and one sweep decides it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quchong {

// Strongly connected components of a small dense-numbered graph (Tarjan 1972, with a stack of its own).
// Fill `first` (size k + 1) and `target`, call find(), read `component`.
class StrongComponents {
 public:
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> target;
  std::vector<std::uint32_t> component;
  std::uint32_t count = 0;

  void find() {
    const auto k = static_cast<std::uint32_t>(first.size() - 1);
    component.assign(k, OPEN);
    order_.assign(k, 0);
    low_.resize(k);
    cursor_.assign(first.begin(), first.end() - 1);
    count = 0;
    std::uint32_t time = 0;
    for (std::uint32_t root = 0; root < k; ++root) {
      if (order_[root]) continue;
      enter(root, ++time);
      while (!path_.empty()) {
        const std::uint32_t v = path_.back();
        if (cursor_[v] < first[v + 1]) {
          const std::uint32_t w = target[cursor_[v]++];
          if (!order_[w])
            enter(w, ++time);
          else if (component[w] == OPEN)
            low_[v] = std::min(low_[v], order_[w]);
          continue;
        }
        path_.pop_back();
        if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
        if (low_[v] == order_[v]) close(v);
      }
    }
  }

 private:
  static constexpr std::uint32_t OPEN = UINT32_MAX;
  std::vector<std::uint32_t> order_, low_, path_, open_;
  std::vector<std::size_t> cursor_;

  void enter(std::uint32_t v, std::uint32_t time) {
    order_[v] = low_[v] = time;
    path_.push_back(v);
    open_.push_back(v);
  }
  void close(std::uint32_t root) {
    for (std::uint32_t v = UINT32_MAX; v != root; open_.pop_back()) component[v = open_.back()] = count;
    ++count;
  }
};

// Finds the arcs to waive inside one strongly connected component.
class Waiver {
 public:
  static constexpr std::size_t NEVER = SIZE_MAX;

  // Ends are numbered from 0 = worst node of the component; `step` is the later (better) of the two ends and
  // `place` what to report when the arc is waived, NEVER where the loser is the worse end.
  struct Arc {
    std::uint32_t loser, winner, step;
    std::size_t place;
  };

  std::vector<std::size_t> waived;

  // All arcs of one component of `size` nodes; what is to be waived is added to `waived`.
  void search(std::span<Arc> arcs, std::uint32_t size) {
    if (number_.size() < size) number_.resize(size, UINT32_MAX);
    halve(arcs, 0, size - 1);
  }

 private:
  StrongComponents graph_;
  std::vector<std::uint32_t> number_, seen_;

  // All arcs given are known to close (to get both ends into one component) at a step in [low, high].
  void halve(std::span<Arc> arcs, std::uint32_t low, std::uint32_t high) {
    auto open = [&](const Arc& a) { return a.place != NEVER && a.step >= low; };
    if (std::none_of(arcs.begin(), arcs.end(), open)) return;
    if (low == high) {
      for (const Arc& a : arcs)
        if (open(a)) waived.push_back(a.place);
      return;
    }
    const std::uint32_t middle = low + (high - low) / 2;
    renumber(arcs);
    connect(arcs, middle);
    const auto& part = graph_.component;
    const auto later = std::partition(arcs.begin(), arcs.end(),
                                      [&](const Arc& a) { return part[a.loser] == part[a.winner]; });
    for (auto a = later; a != arcs.end(); ++a) a->loser = part[a->loser], a->winner = part[a->winner];
    const auto closed = static_cast<std::size_t>(later - arcs.begin());
    halve(arcs.first(closed), low, middle);
    halve(arcs.subspan(closed), middle + 1, high);
  }

  // Ends get the numbers 0, 1, 2, ... so that the work depends on the arcs at hand only.
  void renumber(std::span<Arc> arcs) {
    seen_.clear();
    auto of = [&](std::uint32_t v) {
      if (number_[v] == UINT32_MAX) number_[v] = static_cast<std::uint32_t>(seen_.size()), seen_.push_back(v);
      return number_[v];
    };
    for (Arc& a : arcs) a.loser = of(a.loser), a.winner = of(a.winner);
    for (const std::uint32_t v : seen_) number_[v] = UINT32_MAX;
  }

  void connect(std::span<const Arc> arcs, std::uint32_t last_step) {
    auto& first = graph_.first;
    const std::size_t nodes = seen_.size();
    first.assign(nodes + 1, 0);
    for (const Arc& a : arcs) first[a.loser] += a.step <= last_step;
    for (std::size_t v = 0, sum = 0; v <= nodes; ++v) sum += first[v], first[v] = sum;  // ends of the lists
    graph_.target.resize(first[nodes]);
    for (const Arc& a : arcs)
      if (a.step <= last_step) graph_.target[--first[a.loser]] = a.winner;
    graph_.find();
  }
};

// What is known of a node: the values of stays.
enum Fate : std::uint8_t { GONE = 0, STAYS = 1, NOT_KNOWN = 2 };

// Decides every node: stays[v] is STAYS, GONE, or NOT_KNOWN where that depends on arcs that are open.
//   loser, winner   the arcs, ends below stays.size() (the caller checks); their order, doubles and self arcs are
//                   without effect
//   priority        smaller is better; equal ones are ordered by node
//   forced          not 0: the node stays whatever its winners do
//   open            empty, or not 0 for each arc that may turn out not to exist. No two ends of an open arc may lie on
//                   one cycle (strong_components tells), because which arcs of a cycle are waived depends on all of them.
// O(nodes + arcs) where there is no cycle, O(m log k) on top for each component of k nodes and m arcs.
inline void survivors(std::span<const std::uint32_t> loser, std::span<const std::uint32_t> winner,
                      std::span<const std::int64_t> priority, std::span<const std::uint8_t> forced,
                      std::span<const std::uint8_t> open, std::span<std::uint8_t> stays) {
  constexpr std::uint32_t NONE = UINT32_MAX;
  const std::size_t n = stays.size(), m = loser.size();

  // losers[first[w]] ... losers[first[w + 1]]: who waits for w
  std::vector<std::size_t> first(n + 1, 0);
  std::vector<std::uint32_t> waits(n, 0);
  for (std::size_t i = 0; i < m; ++i)
    if (loser[i] != winner[i]) ++first[winner[i]], ++waits[loser[i]];
  for (std::size_t v = 0, sum = 0; v <= n; ++v) sum += first[v], first[v] = sum;
  std::vector<std::uint32_t> losers(first[n]);
  std::vector<std::uint8_t> unsure(open.empty() ? 0 : first[n]);  // of each arc in `losers`: it is open
  for (std::size_t i = 0; i < m; ++i) {
    if (loser[i] == winner[i]) continue;
    const std::size_t at = --first[winner[i]];
    losers[at] = loser[i];
    if (!open.empty()) unsure[at] = open[i];
  }

  std::vector<std::uint32_t> ready;
  auto sweep = [&] {
    while (!ready.empty()) {
      const std::uint32_t w = ready.back();
      ready.pop_back();
      for (std::size_t at = first[w]; at < first[w + 1]; ++at) {
        const std::uint32_t v = losers[at];
        if (v == NONE) continue;  // waived
        if (!forced[v] && stays[w] != GONE && stays[v] != GONE) {
          const bool sure = stays[w] == STAYS && (open.empty() || !unsure[at]);
          stays[v] = sure ? GONE : NOT_KNOWN;
        }
        if (--waits[v] == 0) ready.push_back(v);
      }
    }
  };
  std::fill(stays.begin(), stays.end(), std::uint8_t{STAYS});
  for (std::size_t v = 0; v < n; ++v)
    if (waits[v] == 0) ready.push_back(static_cast<std::uint32_t>(v));
  sweep();

  // Who still waits hangs on a cycle, and so do all who wait for him.
  std::vector<std::uint32_t> rest;
  for (std::size_t v = 0; v < n; ++v)
    if (waits[v]) rest.push_back(static_cast<std::uint32_t>(v));
  if (rest.empty()) return;
  auto worse = [&](std::uint32_t a, std::uint32_t b) {
    return priority[a] != priority[b] ? priority[a] > priority[b] : a > b;
  };
  std::sort(rest.begin(), rest.end(), worse);

  std::vector<std::uint32_t> label(n, NONE);
  for (std::size_t i = 0; i < rest.size(); ++i) label[rest[i]] = static_cast<std::uint32_t>(i);
  StrongComponents graph;
  graph.first.push_back(0);
  for (const std::uint32_t w : rest) {
    for (std::size_t at = first[w]; at < first[w + 1]; ++at) graph.target.push_back(label[losers[at]]);
    graph.first.push_back(graph.target.size());
  }
  graph.find();

  // members of each component, worst first
  const auto& part = graph.component;
  std::vector<std::size_t> begin(graph.count + std::size_t{1}, 0);
  std::vector<std::uint32_t> members(rest.size()), step(rest.size());
  for (const std::uint32_t p : part) ++begin[p + std::size_t{1}];
  for (std::size_t p = 0; p < graph.count; ++p) begin[p + 1] += begin[p];
  std::vector<std::size_t> end(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    step[i] = static_cast<std::uint32_t>(end[part[i]] - begin[part[i]]);
    members[end[part[i]]++] = static_cast<std::uint32_t>(i);
  }

  Waiver waiver;
  std::vector<Waiver::Arc> arcs;
  for (std::uint32_t p = 0; p < graph.count; ++p) {
    const std::size_t size = begin[p + 1] - begin[p];
    if (size < 2) continue;
    arcs.clear();
    for (std::size_t j = begin[p]; j < begin[p + 1]; ++j) {
      const std::uint32_t w = members[j];
      for (std::size_t at = first[rest[w]]; at < first[rest[w] + 1]; ++at) {
        const std::uint32_t v = label[losers[at]];
        if (part[v] == p)
          arcs.push_back({step[v], step[w], std::max(step[v], step[w]), step[v] > step[w] ? at : Waiver::NEVER});
      }
    }
    waiver.search(arcs, static_cast<std::uint32_t>(size));
  }
  for (const std::size_t at : waiver.waived) {
    const std::uint32_t v = losers[at];
    losers[at] = NONE;
    if (--waits[v] == 0) ready.push_back(v);
  }
  sweep();
}

// Numbers the strongly connected components of the arcs; nodes of one cycle share a number. O(nodes + arcs).
inline void strong_components(std::span<const std::uint32_t> loser, std::span<const std::uint32_t> winner,
                              std::span<std::uint32_t> component) {
  StrongComponents graph;
  graph.first.assign(component.size() + 1, 0);
  for (const std::uint32_t v : loser) ++graph.first[v];
  for (std::size_t v = 0, sum = 0; v < graph.first.size(); ++v) sum += graph.first[v], graph.first[v] = sum;
  graph.target.resize(loser.size());
  for (std::size_t i = 0; i < loser.size(); ++i) graph.target[--graph.first[loser[i]]] = winner[i];
  graph.find();
  std::copy(graph.component.begin(), graph.component.end(), component.begin());
}

}  // namespace quchong
