// What batches of documents come in and go out as: flat arrays and the offsets that part them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hash.hpp"

namespace quchong {

// UTF-8 texts wherever they lie: Arrow's buffers, taken from without a copy.
struct Texts {
  std::span<const u64> address;
  std::span<const std::int64_t> length;
  std::int64_t size() const { return static_cast<std::int64_t>(address.size()); }
  std::span<const unsigned char> operator[](std::size_t i) const {
    return {reinterpret_cast<const unsigned char*>(address[i]), static_cast<std::size_t>(length[i])};
  }
};

// Token sequences of several documents, one after another.
template <class T>
struct RaggedOf {
  std::span<const T> tokens;
  std::span<const std::int64_t> offsets;
  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const T> operator[](std::size_t i) const {
    return tokens.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

using Ragged = RaggedOf<u32>;
using RaggedNames = RaggedOf<u64>;  // tokens by their names (text/words.hpp)

// Hashes of several documents, one after another.
struct RaggedHashes {
  std::vector<u64> values;
  std::vector<std::int64_t> offsets;
};

// Pieces made chunk by chunk, joined in order.
template <class T>
void append_all(std::vector<T>& to, std::vector<std::vector<T>>& pieces) {
  std::size_t n = to.size();
  for (const auto& p : pieces) n += p.size();
  to.reserve(n);
  for (auto& p : pieces) {
    to.insert(to.end(), p.begin(), p.end());
    std::vector<T>().swap(p);
  }
}

inline constexpr std::int64_t TEXT_GRAIN = 64;
inline std::size_t text_chunks(std::int64_t n) { return static_cast<std::size_t>((n + TEXT_GRAIN - 1) / TEXT_GRAIN); }

}  // namespace quchong
