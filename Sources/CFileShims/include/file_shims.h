#pragma once
// Linux calls that Swift's Glibc module does not show, because they are behind _GNU_SOURCE.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// copy_file_range(2), from an offset of one file to the position of another. -1 and errno ENOSYS where there is none.
ssize_t bsc_copy_file_range(int source, int64_t offset, int destination, size_t count);

// Gives an empty file its blocks before they are written (fallocate(2)): 0, or -1 and errno.
int bsc_reserve(int file, int64_t count);

// Makes all threads of this process, and those they start, wait behind others: nice 10, and the disk when nobody else
// wants it (Linux). 0, or -1 and errno.
int bsc_yield_to_others(void);

// Gives a file a name that nobody has: -1 and errno EEXIST when it is taken, EINVAL or ENOSYS where disks cannot do it.
int bsc_rename_exclusive(const char *_Nonnull from, const char *_Nonnull to);
