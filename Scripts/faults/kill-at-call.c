// Loaded into bsc before the C library: the process is killed at its n-th call that changes names on the disk, where n
// is KILL_AT_CALL. Without a kill, the number of calls goes to the file KILL_COUNT_FILE at the end. With NO_EXCLUSIVE
// set a name cannot be given only if it is free, as on network file systems, and with NO_LINKS not by hard links either.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int count;

static void call(void) {
  const char *at = getenv("KILL_AT_CALL");
  if (atomic_fetch_add(&count, 1) + 1 == (at ? atoi(at) : -1)) kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("KILL_COUNT_FILE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%d\n", atomic_load(&count));
  fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int link(const char *from, const char *to) {
  call();
  if (!getenv("NO_LINKS")) return NEXT(link)(from, to);
  errno = EPERM;
  return -1;
}
int renameat2(int from, const char *old, int to, const char *name, unsigned int flags) {
  call();
  if (!getenv("NO_LINKS") && !getenv("NO_EXCLUSIVE")) return NEXT(renameat2)(from, old, to, name, flags);
  errno = EINVAL;
  return -1;
}
int rename(const char *from, const char *to) { call(); return NEXT(rename)(from, to); }
int unlink(const char *path) { call(); return NEXT(unlink)(path); }
int rmdir(const char *path) { call(); return NEXT(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { call(); return NEXT(mkdir)(path, mode); }
int fsync(int file) { call(); return NEXT(fsync)(file); }
