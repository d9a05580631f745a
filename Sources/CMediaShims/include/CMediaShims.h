// The little C that Swift cannot do: formatting libav's log lines, which arrive as a va_list.
#pragma once

#include <libavutil/avutil.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Called with a finished line of libav's log, without the line feed. `level` is AV_LOG_*.
typedef void (*bsc_log_sink)(int level, const char *_Nonnull line);

/// Sends every line of libav's log at `level` or more severe to `sink`, instead of stderr. Call once.
void bsc_log_install(bsc_log_sink _Nonnull sink, int level);

#ifdef __cplusplus
}
#endif
