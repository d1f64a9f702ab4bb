// Connected components of a graph: the least member of each node's component.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace quchong {

// Union-find in which a root is the least member of its tree: no tree has to be relabelled at the end.
// Paths are halved on the way up, so that m edges cost O(m log n) at most and nearly O(m) in practice.
inline void components(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                                 std::span<std::int64_t> label) {
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<std::int64_t>(v);
  const auto root = [&](std::int64_t v) {
    const auto at = [&](std::int64_t node) -> std::int64_t& { return label[static_cast<std::size_t>(node)]; };
    while (at(v) != v) v = at(v) = at(at(v));
    return v;
  };
  for (std::size_t k = 0; k < left.size(); ++k) {
    const std::int64_t a = root(left[k]), b = root(right[k]);
    if (a < b)
      label[static_cast<std::size_t>(b)] = a;
    else
      label[static_cast<std::size_t>(a)] = b;
  }
  // A parent is never greater than its child, so that parents have their roots already.
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = label[static_cast<std::size_t>(label[v])];
}

}  // namespace quchong
