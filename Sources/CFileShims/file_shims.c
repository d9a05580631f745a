#define _GNU_SOURCE
#include "file_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ssize_t bsc_copy_file_range(int source, int64_t offset, int destination, size_t count) {
#ifdef __linux__
  off64_t position = offset;
  return copy_file_range(source, &position, destination, NULL, count, 0);
#else
  (void)source, (void)offset, (void)destination, (void)count;
  errno = ENOSYS;
  return -1;
#endif
}

int bsc_reserve(int file, int64_t count) {
#ifdef __linux__
  return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, count);
#else
  (void)file, (void)count;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

#if defined(__linux__)
#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// From linux/ioprio.h, which libc does not include.
#define BSC_IOPRIO_WHO_PROCESS 1
#define BSC_IOPRIO_IDLE (3 << 13)

int bsc_yield_to_others(void) {
  // On Linux each thread has a priority, which new threads inherit.
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL) return setpriority(PRIO_PROCESS, 0, 10);
  int result = 0;
  struct dirent *entry;
  while ((entry = readdir(tasks)) != NULL) {
    int thread = atoi(entry->d_name);
    if (thread <= 0) continue;
    if (setpriority(PRIO_PROCESS, (id_t)thread, 10) != 0) result = -1;
    syscall(SYS_ioprio_set, BSC_IOPRIO_WHO_PROCESS, thread, BSC_IOPRIO_IDLE);
  }
  closedir(tasks);
  return result;
}
#else
#include <sys/resource.h>

int bsc_yield_to_others(void) { return setpriority(PRIO_PROCESS, 0, 10); }
#endif

int bsc_rename_exclusive(const char *from, const char *to) {
#if defined(__linux__)
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#elif defined(__APPLE__)
  return renamex_np(from, to, RENAME_EXCL);
#else
  errno = ENOSYS;
  return -1;
#endif
}
