// Runs chunks of a range on several threads. Results must not depend on which thread takes which chunk:
// every caller writes to places that belong to the item, or merges per-chunk results in chunk order.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace quchong {

// Set by another thread, it ends a long kernel early; what the kernel returns then is worth nothing.
class Stop {
 public:
  void set() { set_.store(true, std::memory_order_relaxed); }
  bool is_set() const { return set_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> set_{false};
};

// f(thread, first, last) for consecutive pieces of [0, n) of `grain` items.
template <class F>
void parallel_for(std::int64_t n, std::int64_t grain, int threads, F&& f) {
  if (n <= 0) return;
  const std::int64_t chunks = (n + grain - 1) / grain;
  const int used = static_cast<int>(std::clamp<std::int64_t>(threads, 1, chunks));
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  auto work = [&](int thread) {
    try {
      for (std::int64_t c; (c = next.fetch_add(1)) < chunks;) f(thread, c * grain, std::min(n, (c + 1) * grain));
    } catch (...) {
      std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
      next.store(chunks);
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(used));
  try {
    for (int t = 1; t < used; ++t) pool.emplace_back(work, t);
  } catch (const std::exception&) {  // the system gives no more threads: those there are take the chunks
  }
  work(0);
  for (auto& t : pool) t.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace quchong
