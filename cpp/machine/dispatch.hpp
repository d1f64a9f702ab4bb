// Which build of the loops this processor runs. Chosen once, when the module is loaded.
#pragma once
#include <cstdint>

namespace quchong {

struct Loops {
  const char* name;
  void (*shingles)(const std::uint32_t*, std::int64_t, int, const std::uint64_t*, std::uint64_t*);
  void (*window_minima)(std::uint64_t*, std::int64_t, int);
  void (*k_mins)(const std::uint64_t*, std::int64_t, const std::uint32_t*, const std::uint32_t*, const std::uint32_t*, int,
                 std::uint32_t*);
  void (*word_hashes)(const std::uint32_t*, std::int64_t, std::uint32_t*);
  void (*remix)(std::uint64_t*, std::int64_t, std::uint64_t);
  std::uint64_t (*majority)(const std::uint64_t*, std::int64_t);
  void (*weigh)(const std::uint64_t*, const std::uint32_t*, std::int64_t, std::uint64_t*);
};

const Loops& loops();
bool use_loops(const char* name);  // for tests and benchmarks: false when this processor lacks it
const char* const* available_loops(int& count);

}  // namespace quchong
