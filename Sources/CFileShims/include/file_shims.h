#pragma once
// Linux calls that Swift's Glibc module does not import, because they need _GNU_SOURCE.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// copy_file_range(2) from an offset of one file to the position of another. -1 and errno ENOSYS when not supported.
ssize_t bsc_copy_file_range(int source, int64_t offset, int destination, size_t count);

// Allocates the blocks of an empty file before it is written (fallocate(2)): 0, or -1 and errno.
int bsc_reserve(int file, int64_t count);

// Lowers the priority of all threads of this process, and of those they start: nice 10, and idle disk priority
// (Linux). 0, or -1 and errno.
int bsc_yield_to_others(void);

// Renames a file without replacing another: -1 and errno EEXIST when the name exists, EINVAL or ENOSYS when not
// supported.
int bsc_rename_exclusive(const char *_Nonnull from, const char *_Nonnull to);
