// A disk that stumbles: the calls on one file fail for a while, as a network file system or a tired disk lets them.
// Loaded before libc (LD_PRELOAD). Which: STUMBLE_CALL (open, read or write), STUMBLE_FILE (how its path ends; of a
// temporary the name that it will get), STUMBLE_ERRNO; how long: STUMBLE_SKIP calls go through, the next STUMBLE_COUNT
// fail. Each failure is a byte in STUMBLE_LOG, so that whoever looks knows that it happened.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;

static int is_meant(const char *path) {
  const char *wanted = getenv("STUMBLE_FILE");
  if (!wanted || !path) return 0;
  size_t length = strlen(path), end = strlen(wanted);
  if (length >= end && !strcmp(path + length - end, wanted)) return 1;
  // `.name.bsc-0123.tmp` becomes `name`.
  char staged[PATH_MAX];
  snprintf(staged, sizeof staged, "/.%s.bsc-", wanted);
  return strstr(path, staged) != NULL;
}

static int stumbles(const char *call, const char *path) {
  const char *wanted = getenv("STUMBLE_CALL"), *skip = getenv("STUMBLE_SKIP"), *count = getenv("STUMBLE_COUNT");
  if (!wanted || !count || strcmp(wanted, call) || !is_meant(path)) return 0;
  int first = skip ? atoi(skip) : 0, call_number = atomic_fetch_add(&calls, 1);
  if (call_number < first || call_number >= first + atoi(count)) return 0;
  const char *log = getenv("STUMBLE_LOG");
  if (log) {
    ssize_t (*real_write)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    int (*real_open)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    int file = real_open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
      real_write(file, ".", 1);
      close(file);
    }
  }
  const char *code = getenv("STUMBLE_ERRNO");
  errno = code ? atoi(code) : EIO;
  return 1;
}

static int stumbles_at(const char *call, int file) {
  char link[64], path[PATH_MAX];
  const char *wanted = getenv("STUMBLE_CALL");
  if (!wanted || strcmp(wanted, call)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return stumbles(call, path);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define ON_FILE(result, name, call, parameters, arguments) \
  result name parameters { REAL(name); return stumbles_at(call, file) ? -1 : real arguments; }

ON_FILE(ssize_t, read, "read", (int file, void *bytes, size_t count), (file, bytes, count))
ON_FILE(ssize_t, pread, "read", (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
ON_FILE(ssize_t, pread64, "read", (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at))
ON_FILE(ssize_t, write, "write", (int file, const void *bytes, size_t count), (file, bytes, count))
ON_FILE(ssize_t, pwrite, "write", (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
ON_FILE(ssize_t, pwrite64, "write", (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
ON_FILE(ssize_t, writev, "write", (int file, const struct iovec *pieces, int count), (file, pieces, count))

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return stumbles("open", path) ? -1 : real(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)
