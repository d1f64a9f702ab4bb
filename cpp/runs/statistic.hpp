// What matching statistics tell of one position.
#pragma once
#include <cstdint>
#include <span>

#include "arrays.hpp"

namespace quchong {

// Of one position: the longest match that starts there and occurs in the other text, and its first place there; 0, 0: none.
struct Statistic {
  u32 length = 0, place = 0;
};

// Positions at which a match may start, 1 or 0 a token; empty: all.
using Starts = std::span<const std::uint8_t>;

}  // namespace quchong
