#include "machine/dispatch.hpp"

#include <atomic>
#include <cstring>

#if defined(__x86_64__) || defined(_M_X64)
#if !defined(_MSC_VER)
#define QUCHONG_X86 1
#endif
#endif

#define QUCHONG_DECLARE(N)                                                                                         \
  namespace N {                                                                                                    \
  void shingles(const std::uint32_t*, std::int64_t, int, const std::uint64_t*, std::uint64_t*);                    \
  void window_minima(std::uint64_t*, std::int64_t, int);                                                           \
  void k_mins(const std::uint64_t*, std::int64_t, const std::uint32_t*, const std::uint32_t*, const std::uint32_t*, \
              int, std::uint32_t*);                                                                                \
  void word_hashes(const std::uint32_t*, std::int64_t, std::uint32_t*);                                            \
  void remix(std::uint64_t*, std::int64_t, std::uint64_t);                                                         \
  std::uint64_t majority(const std::uint64_t*, std::int64_t);                                                      \
  void weigh(const std::uint64_t*, const std::uint32_t*, std::int64_t, std::uint64_t*);                            \
  constexpr Loops table{#N, shingles, window_minima, k_mins, word_hashes, remix, majority, weigh};                 \
  }

namespace quchong {

QUCHONG_DECLARE(baseline)
#ifdef QUCHONG_X86
QUCHONG_DECLARE(avx2)
QUCHONG_DECLARE(avx512)
#endif

namespace {

struct Choice {
  const Loops* usable[3];
  const char* names[3];
  int count = 0;
  std::atomic<const Loops*> current;  // others may compute while a test chooses

  Choice() {
    add(baseline::table);
#ifdef QUCHONG_X86
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("fma");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v3) add(avx2::table);
    if (v4) add(avx512::table);
#endif
    current = usable[count - 1];
  }
  void add(const Loops& l) {
    usable[count] = &l;
    names[count++] = l.name;
  }
};

Choice& choice() {
  static Choice c;
  return c;
}

}  // namespace

const Loops& loops() { return *choice().current.load(std::memory_order_relaxed); }

bool use_loops(const char* name) {
  auto& c = choice();
  for (int i = 0; i < c.count; ++i)
    if (!std::strcmp(c.names[i], name)) {
      c.current.store(c.usable[i], std::memory_order_relaxed);
      return true;
    }
  return false;
}

const char* const* available_loops(int& count) {
  count = choice().count;
  return choice().names;
}

}  // namespace quchong
