// Loaded into bsc before the C library (LD_PRELOAD), so that system calls fail or end the process.
// KILL_AT=n: SIGKILL at the n-th call that changes names on the disk or waits for the disk; COUNT_FILE gets the count.
// NO_EXCLUSIVE: renames can't fail because the name is taken, as on NFS. NO_LINKS: no hard links either, as on FAT.
// FAIL_CALL (open, read or write) fails with FAIL_ERRNO on the file whose path ends in FAIL_FILE, or on its temporary
// file. FAIL_SKIP calls succeed first, the next FAIL_COUNT fail. Each failure adds a byte to FAIL_LOG, and FAIL_TOTAL gets
// the number of the calls on that file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_int changes, matches;

static int number(const char *name) {
  const char *value = getenv(name);
  return value ? atoi(value) : 0;
}

static void change(void) {
  if (atomic_fetch_add(&changes, 1) + 1 == number("KILL_AT")) kill(getpid(), SIGKILL);
}

static void store(const char *variable, int count) {
  const char *path = getenv(variable);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) fprintf(file, "%d\n", count), fclose(file);
}

__attribute__((destructor)) static void end(void) {
  store("COUNT_FILE", atomic_load(&changes));
  store("FAIL_TOTAL", atomic_load(&matches));
}

int link(const char *from, const char *to) {
  change();
  return getenv("NO_LINKS") ? errno = EPERM, -1 : NEXT(link)(from, to);
}
int renameat2(int from, const char *old, int to, const char *name, unsigned int flags) {
  change();
  bool lacks = getenv("NO_LINKS") || getenv("NO_EXCLUSIVE");
  return lacks ? errno = EINVAL, -1 : NEXT(renameat2)(from, old, to, name, flags);
}
int rename(const char *from, const char *to) { change(); return NEXT(rename)(from, to); }
int unlink(const char *path) { change(); return NEXT(unlink)(path); }
int rmdir(const char *path) { change(); return NEXT(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { change(); return NEXT(mkdir)(path, mode); }
int fsync(int file) { change(); return NEXT(fsync)(file); }

static int fails(const char *call, const char *path) {
  const char *file = getenv("FAIL_FILE"), *log = getenv("FAIL_LOG");
  if (!file || strcmp(getenv("FAIL_CALL"), call)) return 0;
  size_t length = strlen(path), end = strlen(file);
  char temporary[PATH_MAX];
  snprintf(temporary, sizeof temporary, "/.%s.bsc-", file);
  if ((length < end || strcmp(path + length - end, file)) && !strstr(path, temporary)) return 0;
  int index = atomic_fetch_add(&matches, 1) - number("FAIL_SKIP");
  if (index < 0 || index >= number("FAIL_COUNT")) return 0;
  int output = NEXT(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  NEXT(write)(output, ".", 1);
  close(output);
  errno = number("FAIL_ERRNO");
  return 1;
}

static int fails_at(const char *call, int file) {
  char link[64], path[PATH_MAX];
  const char *wanted = getenv("FAIL_CALL");
  if (!wanted || strcmp(wanted, call)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(call, path);
}

#define ON_FILE(name, call, parameters, arguments) \
  ssize_t name parameters { return fails_at(call, file) ? -1 : NEXT(name) arguments; }
ON_FILE(read, "read", (int file, void *bytes, size_t size), (file, bytes, size))
ON_FILE(pread, "read", (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
ON_FILE(write, "write", (int file, const void *bytes, size_t size), (file, bytes, size))
ON_FILE(pwrite, "write", (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
ON_FILE(writev, "write", (int file, const struct iovec *pieces, int count), (file, pieces, count))

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails("open", path) ? -1 : NEXT(open)(path, flags, mode);
}
