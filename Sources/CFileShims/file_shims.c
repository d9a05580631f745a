#define _GNU_SOURCE
#include "file_shims.h"

#include <errno.h>
#include <fcntl.h>
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
