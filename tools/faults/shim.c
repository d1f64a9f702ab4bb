/* Stands between a process and the C library: counts the calls that change or read files below one folder, and at the
 * one asked for sends a signal, fails with an error, writes half, or hangs. Loaded with LD_PRELOAD; see shim.py.
 *
 * Only the process whose number stands in the page is counted; the page is shared, so that its parent sees the counts.
 *
 * A handler of signals may call in here: Python's writes a byte, and does so on the stack that faulthandler made for handlers,
 * 10 kB of which the frame of the signal takes a third. So paths stand in memory of the thread, not on its stack, and a call
 * from within a call of the same thread goes straight through, uncounted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CHANGES, READS };
enum { NOTHING, SIGNAL_BEFORE, SIGNAL_AFTER, FAIL, HALF, HANG };

typedef struct {
  int32_t pid;        /* counted; 0: nobody */
  int32_t kind;       /* CHANGES or READS: what `at` counts */
  int32_t action;
  int32_t number;     /* of the signal, or errno */
  int32_t sticky;     /* FAIL goes on for all later calls, a signal comes again at the next one */
  int32_t hanging;    /* a call hangs now */
  int64_t at;         /* which call, from 1 */
  int64_t count[2];   /* calls so far, by kind */
  int64_t fired;      /* how often the fault struck */
  uint8_t writes[65536]; /* of changes so far, by number: is it but a write? */
  char root[1024];    /* files below it are counted */
  char what[256];     /* the call that was struck */
  char place[1024];   /* its path */
} Page;

static Page *page;

__attribute__((visibility("default"))) Page *faults_page(void) { return page; }

#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD int busy;              /* this thread is in here */
OF_THREAD char path[PATH_MAX];   /* of its call */
OF_THREAD char base[PATH_MAX];

static int counted(void) { return page && page->pid && !busy && page->pid == (int32_t)getpid(); }

static int fd_path(int fd, char *out, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, out, size - 1);
  if (n < 0) return 0;
  out[n] = 0;
  return 1;
}

static int full_path(int dir, const char *path, char *out, size_t size) {
  if (!path) return 0;
  if (path[0] == '/') {
    snprintf(out, size, "%s", path);
    return 1;
  }
  if (dir == AT_FDCWD ? !getcwd(base, sizeof base) : !fd_path(dir, base, sizeof base)) return 0;
  snprintf(out, size, "%s/%s", base, path);
  return 1;
}

static int below(const char *path) {
  size_t n = strlen(page->root);
  return n && !strncmp(path, page->root, n) && (path[n] == '/' || !path[n]);
}

/* What to do with this call: an action, with errno set where it fails. `space`: does it need room on the disk? */
static int struck(int kind, const char *what, const char *path, int space, int writes) {
  if (!below(path)) return NOTHING;
  int64_t n = __atomic_add_fetch(&page->count[kind], 1, __ATOMIC_SEQ_CST);
  if (kind == CHANGES && n < 65536) page->writes[n] = (uint8_t)writes;
  if (page->kind != kind || !page->at || n < page->at) return NOTHING;
  int again = page->sticky && (page->action == FAIL || (page->action == SIGNAL_BEFORE && n == page->at + 1));
  if (n > page->at && !again) return NOTHING;
  int full = page->number == ENOSPC || page->number == EDQUOT;
  if (page->action == FAIL && page->sticky && full && !space) return NOTHING;
  if (!page->fired) {
    snprintf(page->what, sizeof page->what, "%s", what);
    snprintf(page->place, sizeof page->place, "%s", path);
  }
  page->fired++;
  int action = page->action == HALF && !writes ? SIGNAL_BEFORE : page->action;
  switch (action) {
    case SIGNAL_BEFORE:
      kill(getpid(), page->number);
      return NOTHING;
    case FAIL:
      errno = page->number;
      return FAIL;
    case HANG: {
      page->hanging = 1;
      struct timespec long_time = {100000, 0};
      nanosleep(&long_time, NULL); /* as a call on a mount that can be interrupted */
      page->hanging = 0;
      errno = EINTR;
      return FAIL;
    }
    default:
      return action;
  }
}

/* The same for a call on an open file, and for one on a name. */
static int looked_at_file(int kind, const char *what, int fd, int space, int writes) {
  if (!counted()) return NOTHING;
  busy = 1;
  int action = fd_path(fd, path, sizeof path) ? struck(kind, what, path, space, writes) : NOTHING;
  busy = 0;
  return action;
}

static int looked_at_name(int kind, const char *what, int dir, const char *name, int space) {
  if (!counted()) return NOTHING;
  busy = 1;
  int action = full_path(dir, name, path, sizeof path) ? struck(kind, what, path, space, 0) : NOTHING;
  busy = 0;
  return action;
}

static void after(int action) {
  if (action == SIGNAL_AFTER) {
    int kept = errno;
    kill(getpid(), page->number);
    errno = kept;
  }
}

static void *found(void **kept, const char *name) {
  if (!*kept) *kept = dlsym(RTLD_NEXT, name);
  return *kept;
}

#define REAL(name) ((__typeof__(&name))found(&real_##name, #name))

#define ON_FD(type, name, kind, space, parameters, arguments)                \
  static void *real_##name;                                                  \
  type name parameters {                                                     \
    int action = looked_at_file(kind, #name, fd, space, 0);                  \
    if (action == FAIL) return -1;                                           \
    type result = REAL(name) arguments;                                      \
    after(action);                                                           \
    return result;                                                           \
  }

#define ON_PATH(type, name, dir, place, space, parameters, arguments)        \
  static void *real_##name;                                                  \
  type name parameters {                                                     \
    int action = looked_at_name(CHANGES, #name, dir, place, space);          \
    if (action == FAIL) return -1;                                           \
    type result = REAL(name) arguments;                                      \
    after(action);                                                           \
    return result;                                                           \
  }

/* A write may also put half of its bytes down and end the process. */
#define ON_WRITE(name, parameters, arguments, halved)                        \
  static void *real_##name;                                                  \
  ssize_t name parameters {                                                  \
    int action = looked_at_file(CHANGES, #name, fd, 1, 1);                   \
    if (action == FAIL) return -1;                                           \
    if (action == HALF) {                                                    \
      ssize_t some = REAL(name) halved;                                      \
      (void)some;                                                            \
      kill(getpid(), page->number);                                          \
    }                                                                        \
    ssize_t result = REAL(name) arguments;                                   \
    after(action);                                                           \
    return result;                                                           \
  }

ON_WRITE(write, (int fd, const void *bytes, size_t n), (fd, bytes, n), (fd, bytes, n / 2))
ON_WRITE(pwrite, (int fd, const void *bytes, size_t n, off_t at), (fd, bytes, n, at), (fd, bytes, n / 2, at))
ON_WRITE(pwrite64, (int fd, const void *bytes, size_t n, off64_t at), (fd, bytes, n, at), (fd, bytes, n / 2, at))
ON_WRITE(writev, (int fd, const struct iovec *parts, int n), (fd, parts, n), (fd, parts, n / 2))

ON_FD(int, fsync, CHANGES, 1, (int fd), (fd))
ON_FD(int, fdatasync, CHANGES, 1, (int fd), (fd))
ON_FD(int, ftruncate, CHANGES, 1, (int fd, off_t size), (fd, size))
ON_FD(int, ftruncate64, CHANGES, 1, (int fd, off64_t size), (fd, size))
ON_FD(ssize_t, read, READS, 0, (int fd, void *bytes, size_t n), (fd, bytes, n))
ON_FD(ssize_t, pread, READS, 0, (int fd, void *bytes, size_t n, off_t at), (fd, bytes, n, at))
ON_FD(ssize_t, pread64, READS, 0, (int fd, void *bytes, size_t n, off64_t at), (fd, bytes, n, at))
ON_FD(ssize_t, readv, READS, 0, (int fd, const struct iovec *parts, int n), (fd, parts, n))

ON_PATH(int, rename, AT_FDCWD, from, 0, (const char *from, const char *to), (from, to))
ON_PATH(int, renameat, a, from, 0, (int a, const char *from, int b, const char *to), (a, from, b, to))
ON_PATH(int, renameat2, a, from, 0, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
ON_PATH(int, unlink, AT_FDCWD, name_, 0, (const char *name_), (name_))
ON_PATH(int, unlinkat, dir, name_, 0, (int dir, const char *name_, int flags), (dir, name_, flags))
ON_PATH(int, rmdir, AT_FDCWD, name_, 0, (const char *name_), (name_))
ON_PATH(int, mkdir, AT_FDCWD, name_, 1, (const char *name_, mode_t mode), (name_, mode))
ON_PATH(int, mkdirat, dir, name_, 1, (int dir, const char *name_, mode_t mode), (dir, name_, mode))
ON_PATH(int, link, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
ON_PATH(int, linkat, b, to, 1, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
ON_PATH(int, symlink, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
ON_PATH(int, symlinkat, dir, to, 1, (const char *from, int dir, const char *to), (from, dir, to))
ON_PATH(int, chmod, AT_FDCWD, name_, 0, (const char *name_, mode_t mode), (name_, mode))

/* Opening to write is a change, opening to read a reading. */
static int opening(const char *what, int dir, const char *name, int flags) {
  int changes = (flags & (O_CREAT | O_TRUNC | O_APPEND)) || (flags & O_ACCMODE) != O_RDONLY;
  return looked_at_name(changes ? CHANGES : READS, what, dir, name, (flags & O_CREAT) != 0);
}

#define OPENS(name, dir, parameters, arguments)                              \
  static void *real_##name;                                                  \
  int name parameters {                                                      \
    mode_t mode = 0;                                                         \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                   \
      va_list more;                                                          \
      va_start(more, flags);                                                 \
      mode = va_arg(more, mode_t);                                           \
      va_end(more);                                                          \
    }                                                                        \
    int action = opening(#name, dir, place, flags);                          \
    if (action == FAIL) return -1;                                           \
    int result = REAL(name) arguments;                                       \
    after(action);                                                           \
    return result;                                                           \
  }

OPENS(open, AT_FDCWD, (const char *place, int flags, ...), (place, flags, mode))
OPENS(open64, AT_FDCWD, (const char *place, int flags, ...), (place, flags, mode))
OPENS(openat, dir, (int dir, const char *place, int flags, ...), (dir, place, flags, mode))
OPENS(openat64, dir, (int dir, const char *place, int flags, ...), (dir, place, flags, mode))

/* `write` is looked up here, as a handler of signals may be the first to call it. */
__attribute__((constructor)) static void begin(void) {
  void *made = mmap(NULL, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (made != MAP_FAILED) page = made;
  found(&real_write, "write");
}
