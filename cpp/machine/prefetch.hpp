// Asks for a cache line before it is needed; does nothing where the compiler has no word for it.
#pragma once

namespace quchong {

inline void fetch(const void* p) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(p);
#else
  static_cast<void>(p);
#endif
}

inline void fetch_to_write(const void* p) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(p, 1);
#else
  static_cast<void>(p);
#endif
}

}  // namespace quchong
