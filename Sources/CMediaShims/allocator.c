#include "CMediaShims.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void bsc_allocator_for_pictures(void) {
#ifdef __GLIBC__
  // Pictures come and go on several threads. Left to itself, glibc would raise its limit for direct mappings to 32 MB
  // and keep dead pictures in an arena for each thread.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 2);
#endif
}
