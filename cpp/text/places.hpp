// Places of tokens in their texts, kept in two bytes a token. The specification is tests/twins/text.py.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "hash.hpp"
#include "machine/buffer.hpp"

namespace quchong {

// Of each token: how many characters behind the start of the one before it in its text (the text's own, for the first) it begins, and
// how many it has. What does not fit a byte is FAR in both, and its start and end stand in a list, by its number among all tokens.
struct NarrowPlaces {
  static constexpr u32 FAR = 255;
  std::vector<std::uint8_t> steps, lengths;
  std::vector<std::int64_t> far;  // three a token: its number, start and end

  // Puts the places of a text's tokens behind what is there.
  void add(const Buffer<u32>& start, const Buffer<u32>& end) {
    const std::size_t n = start.size(), base = steps.size();
    steps.resize(base + n);
    lengths.resize(base + n);
    const u32 *s = start.data(), *e = end.data();
    std::uint8_t *step = steps.data() + base, *length = lengths.data() + base;
    u32 beyond = 0;  // a loop without branches, which the compiler makes wide; a token that begins before the last one is far, too
    for (std::size_t k = 0; k < n; ++k) {
      const u32 a = s[k] - (k ? s[k - 1] : 0), b = e[k] - s[k];
      beyond |= static_cast<u32>(a >= FAR) | static_cast<u32>(b >= FAR);
      step[k] = static_cast<std::uint8_t>(a);
      length[k] = static_cast<std::uint8_t>(b);
    }
    if (!beyond) return;
    for (std::size_t k = 0; k < n; ++k) {
      const u32 a = s[k] - (k ? s[k - 1] : 0), b = e[k] - s[k];
      if (a < FAR && b < FAR) continue;
      step[k] = length[k] = static_cast<std::uint8_t>(FAR);
      far.insert(far.end(), {static_cast<std::int64_t>(base + k), s[k], e[k]});
    }
  }
};

// Pieces made chunk by chunk, joined in order.
inline void append_places(NarrowPlaces& to, std::vector<NarrowPlaces>& pieces) {
  std::size_t n = to.steps.size();
  for (const auto& p : pieces) n += p.steps.size();
  to.steps.reserve(n);
  to.lengths.reserve(n);
  for (auto& p : pieces) {
    const auto base = static_cast<std::int64_t>(to.steps.size());
    for (std::size_t k = 0; k < p.far.size(); k += 3) to.far.insert(to.far.end(), {p.far[k] + base, p.far[k + 1], p.far[k + 2]});
    to.steps.insert(to.steps.end(), p.steps.begin(), p.steps.end());
    to.lengths.insert(to.lengths.end(), p.lengths.begin(), p.lengths.end());
    p = {};
  }
}

// Places as they come in: those of text i are steps[offsets[i]] to steps[offsets[i + 1]].
struct PlacesView {
  std::span<const std::uint8_t> steps, lengths;
  std::span<const std::int64_t> far, offsets;

  // Fills start and end with the places of the tokens of a text.
  void read(std::size_t text, Buffer<u32>& start, Buffer<u32>& end) const {
    const auto from = static_cast<std::size_t>(offsets[text]), n = static_cast<std::size_t>(offsets[text + 1]) - from;
    start.resize(0);
    end.resize(0);
    start.extend(n);
    end.extend(n);
    start.resize(n);
    end.resize(n);
    u32 *s = start.raw(), *e = end.raw(), at = 0;
    std::size_t f = 0, high = far.size() / 3;  // the first far token of this text
    while (f < high) {
      const std::size_t middle = (f + high) / 2;
      if (far[3 * middle] < static_cast<std::int64_t>(from)) f = middle + 1;
      else high = middle;
    }
    for (std::size_t k = 0; k < n;) {
      const std::size_t stop = 3 * f < far.size() ? std::min(n, static_cast<std::size_t>(far[3 * f]) - from) : n;
      for (; k < stop; ++k) {
        at += steps[from + k];
        s[k] = at;
        e[k] = at + lengths[from + k];
      }
      if (k >= n) break;
      s[k] = at = static_cast<u32>(far[3 * f + 1]);
      e[k++] = static_cast<u32>(far[3 * f + 2]);
      ++f;
    }
  }
};

}  // namespace quchong
