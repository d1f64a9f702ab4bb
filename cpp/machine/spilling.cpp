#include "machine/spilling.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#if defined(__linux__) && defined(__GLIBC__) && !defined(QUCHONG_SANITIZE)
#define QUCHONG_SPILLS 1
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace quchong {

#if defined(QUCHONG_SPILLS)
namespace {

constexpr std::size_t PAGE = 4096, HEAD = 64;
constexpr std::uint64_t MARK[2] = {0x8f3a61d27c05b94eULL, 0x5be1c40d9a7726f3ULL};

// Before a block in a file stand its sizes, on the page the block begins on.
struct Head {
  std::uint64_t mark[2];
  std::uint64_t size, whole;
};
static_assert(sizeof(Head) <= HEAD);

std::atomic<std::int64_t> bound{-1}, least{1 << 20};
std::atomic<std::int64_t> held{0};  // large blocks of the process's own that came through here
std::atomic<std::int64_t> mapped{0}, most{0}, written{0};
std::atomic<int> error{0};
std::mutex guard;
char place[4096] = "";

// Anonymous pages of the process, from /proc, without taking memory: this is called while some is asked for.
std::int64_t own_pages() {
  const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[4096];
  const auto n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  const char* line = std::strstr(text, "RssAnon:");
  return line ? std::atoll(line + 8) << 10 : 0;
}

const Head* head_of(const void* block) {
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  if ((at & (PAGE - 1)) != HEAD) return nullptr;  // the page before may not be ours to read; this one is
  const auto* head = reinterpret_cast<const Head*>(at - HEAD);
  return head->mark[0] == MARK[0] && head->mark[1] == MARK[1] ? head : nullptr;
}

int unnamed_file() {
  std::lock_guard lock(guard);
  int fd = open(place, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return fd;
  char name[4200];
  std::snprintf(name, sizeof name, "%s/.quchong-memory-XXXXXX", place);  // a file system without unnamed files
  fd = mkostemp(name, O_CLOEXEC);
  if (fd >= 0) unlink(name);
  return fd;
}

}  // namespace

bool can_spill() { return true; }

void spill(const std::string& folder, std::int64_t bytes, std::int64_t from) {
  std::lock_guard lock(guard);
  std::snprintf(place, sizeof place, "%s", folder.c_str());
  if (bytes >= 0) error = 0, most = mapped.load(), written = 0;
  least = std::max<std::int64_t>(from, 1 << 16);
  bound = bytes;
}

Spilled spilled() { return {mapped, most, written, error}; }

void* spilled_block(std::size_t size, bool& failed) {
  const auto limit = bound.load(std::memory_order_relaxed);
  if (limit < 0 || size < static_cast<std::size_t>(least.load(std::memory_order_relaxed))) return nullptr;
  // Blocks that were taken and not yet touched are not among the pages; small blocks and other libraries' are.
  if (std::max(own_pages(), held.load()) + static_cast<std::int64_t>(size) <= limit) return nullptr;
  const std::size_t whole = (size + HEAD + PAGE - 1) / PAGE * PAGE;
  const int fd = unnamed_file();
  const auto fails = [&](int why) {
    error = why, failed = true;
    return nullptr;
  };
  if (fd < 0) return fails(errno);
  // Room is taken now: a page without room would end the process when it is touched.
  if (fallocate(fd, 0, 0, static_cast<off_t>(whole)) != 0 &&
      (errno != EOPNOTSUPP || posix_fallocate(fd, 0, static_cast<off_t>(whole)) != 0)) {
    const int why = errno;
    close(fd);
    return fails(why);
  }
  void* at = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int why = errno;
  close(fd);
  if (at == MAP_FAILED) return fails(why);
  *static_cast<Head*>(at) = {{MARK[0], MARK[1]}, size, whole};
  const auto now = mapped += static_cast<std::int64_t>(whole);
  written += static_cast<std::int64_t>(size);
  for (auto before = most.load(); before < now && !most.compare_exchange_weak(before, now);) {
  }
  return static_cast<char*>(at) + HEAD;
}

std::size_t spilled_size(const void* block) {
  const auto* head = head_of(block);
  return head ? head->size : 0;
}

void drop_spilled(void* block) {
  auto* at = static_cast<char*>(block) - HEAD;
  const auto whole = reinterpret_cast<Head*>(at)->whole;
  mapped -= static_cast<std::int64_t>(whole);
  munmap(at, whole);
}

void note_taken(const void* block, std::size_t size) {
  if (block && size >= (1 << 20)) held += static_cast<std::int64_t>(malloc_usable_size(const_cast<void*>(block)));
}

void note_dropped(void* block) {
  if (const auto size = malloc_usable_size(block); size >= (1 << 20)) held -= static_cast<std::int64_t>(size);
}

#else

bool can_spill() { return false; }
void spill(const std::string&, std::int64_t, std::int64_t) {}
Spilled spilled() { return {}; }
void* spilled_block(std::size_t, bool&) { return nullptr; }
std::size_t spilled_size(const void*) { return 0; }
void drop_spilled(void*) {}
void note_taken(const void*, std::size_t) {}
void note_dropped(void*) {}

#endif

}  // namespace quchong

#if defined(QUCHONG_SPILLS)
// Of this module alone: a linker script keeps these names inside, so no other library's memory is touched. Both sides of every block
// are ours or the C library's, which `operator delete` tells apart.
namespace {

void* take(std::size_t size) noexcept {
  constexpr std::size_t LARGE = 1 << 20;
  if (size < LARGE) return std::malloc(size ? size : 1);
  bool failed = false;
  if (void* block = quchong::spilled_block(size, failed); block || failed) return block;
  void* block = std::malloc(size);
  quchong::note_taken(block, size);
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* block = take(size)) return block;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void operator delete(void* block) noexcept {
  if (!block) return;
  if (quchong::spilled_size(block)) return quchong::drop_spilled(block);
  quchong::note_dropped(block);
  std::free(block);
}
void operator delete[](void* block) noexcept { operator delete(block); }
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
void operator delete[](void* block, std::size_t) noexcept { operator delete(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { operator delete(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { operator delete(block); }
#endif
