// C code that Swift cannot replace: formatting libav's log lines from a va_list, and vector instructions.
#pragma once

#include <libavutil/avutil.h>

#include "deinterlace.h"
#include "tone_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called with a complete line of libav's log, without the line feed. `level` is AV_LOG_*. `codec_opaque` is the
/// `opaque` of the codec that logged the line, shared by its worker threads. NULL for other lines.
typedef void (*bsc_log_sink)(int level, const char *_Nonnull line, void *_Nullable codec_opaque);

/// Sends every line of libav's log at `level` or more severe to `sink`, instead of stderr. Call once.
void bsc_log_install(bsc_log_sink _Nonnull sink, int level);

/// Loads FFmpeg, if the program is not linked with it. Call it before the first function of FFmpeg.
/// - Returns: NULL, or the reason why it cannot be loaded.
const char *_Nullable bsc_ffmpeg_load(void);

/// Configures the memory allocator for large frames that are freed on other threads. Call once.
void bsc_allocator_for_pictures(void);

#ifdef __cplusplus
}
#endif
