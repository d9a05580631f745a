#include "CMediaShims.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void bsc_allocator_for_pictures(void) {
#ifdef __GLIBC__
  // Frames are allocated and freed on several threads. By default glibc raises its threshold for direct mappings to
  // 32 MB and keeps freed frames in an arena per thread.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 2);
#endif
}
