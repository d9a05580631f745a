#include "CMediaShims.h"

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Atomic(bsc_log_sink) installed_sink;
static atomic_int installed_level = AV_LOG_WARNING;

// Returns the `opaque` pointer of the codec that logs. Each libav logging context starts with a pointer to its class.
static void *codec_opaque(void *context) {
  const AVClass *class = context == NULL ? NULL : *(const AVClass **)context;
  if (class == NULL || class != avcodec_get_class()) {
    return NULL;
  }
  return ((AVCodecContext *)context)->opaque;
}

static void log_callback(void *context, int level, const char *format, va_list arguments) {
  bsc_log_sink sink = atomic_load(&installed_sink);
  void *codec = codec_opaque(context);
  level &= 0xff;
  // Report what libavcodec conceals: each concealed frame (error_resilience.c, at the level "info"), and
  // each missing H.264 reference (h264_slice.c, "debug").
  if (codec != NULL && (strncmp(format, "concealing ", 11) == 0 || strncmp(format, "Frame num gap ", 14) == 0)) {
    level = AV_LOG_ERROR;
  }
  if (sink == NULL || level > atomic_load(&installed_level)) {
    return;
  }
  char line[1024];
  int print_prefix = 1;
  if (av_log_format_line2(context, level, format, arguments, line, sizeof line, &print_prefix) < 0) {
    return;
  }
  size_t length = strlen(line);
  while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
    line[--length] = '\0';
  }
  if (length > 0) {
    sink(level, line, codec);
  }
}

void bsc_log_install(bsc_log_sink sink, int level) {
  atomic_store(&installed_level, level);
  atomic_store(&installed_sink, sink);
  av_log_set_callback(log_callback);
}
