// Turns each pair of fields into two frames with libavfilter's bwdif.
//
// libavfilter is loaded on demand, because it and its dependencies would double the start time of every command for a
// rare type of source.
#pragma once

#include <libavutil/frame.h>
#include <libavutil/rational.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bsc_deinterlacer bsc_deinterlacer;

// The properties of the frames.
typedef struct {
  int width, height;
  int pixel_format;
  AVRational time_base;
  int color_space, color_range;
} bsc_deinterlacer_source;

// Returns NULL and an AVERROR in `status` on failure; AVERROR(ENOSYS) when libavfilter is not installed. The time base
// of the output is half of the source's.
bsc_deinterlacer *_Nullable bsc_deinterlacer_open(const bsc_deinterlacer_source *_Nonnull source, int *_Nonnull status);

// Retains a reference to the frame. NULL ends the input.
int bsc_deinterlacer_send(bsc_deinterlacer *_Nonnull deinterlacer, AVFrame *_Nullable frame);

// Returns AVERROR(EAGAIN) when more input is needed, AVERROR_EOF at the end.
int bsc_deinterlacer_receive(bsc_deinterlacer *_Nonnull deinterlacer, AVFrame *_Nonnull frame);

void bsc_deinterlacer_close(bsc_deinterlacer *_Nullable deinterlacer);

#ifdef __cplusplus
}
#endif
