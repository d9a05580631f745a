// The little C that Swift cannot do: formatting libav's log lines, which arrive as a va_list; vector instructions.
#pragma once

#include <libavutil/avutil.h>

#include "deinterlace.h"
#include "tone_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called with a finished line of libav's log, without the line feed. `level` is AV_LOG_*. `codec_opaque` is the `opaque`
/// of the codec that wrote the line: its worker threads have the same one. NULL for lines of anything else.
typedef void (*bsc_log_sink)(int level, const char *_Nonnull line, void *_Nullable codec_opaque);

/// Sends every line of libav's log at `level` or more severe to `sink`, instead of stderr. Call once.
void bsc_log_install(bsc_log_sink _Nonnull sink, int level);

/// Sets the memory allocator up for large pictures that are freed on other threads. Call once.
void bsc_allocator_for_pictures(void);

#ifdef __cplusplus
}
#endif
