#include "CMediaShims.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

void bsc_allocator_for_pictures(void) {
#ifdef __GLIBC__
  // Frames are allocated and freed on several threads. By default, glibc raises its mmap threshold to 32 MB and keeps
  // freed frames in per-thread arenas.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 2);
#endif
#ifdef __linux__
  // x264 requests huge pages, which round the size of each frame up to a multiple of 2 MB. They save no measurable
  // time.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
}
