// Two fields to two whole pictures, by libavfilter's bwdif.
//
// libavfilter is loaded when it is needed and not before: with everything that it brings along it would double the time
// that every command takes to start, for a kind of source that hardly anybody has.
#pragma once

#include <libavutil/frame.h>
#include <libavutil/rational.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bsc_deinterlacer bsc_deinterlacer;

// What the pictures are, before they come.
typedef struct {
  int width, height;
  int pixel_format;
  AVRational time_base;
  int color_space, color_range;
} bsc_deinterlacer_source;

// NULL and an AVERROR in `status`; AVERROR(ENOSYS) when libavfilter is not there. Pictures come out in half the ticks:
// their time base is half of the source's.
bsc_deinterlacer *_Nullable bsc_deinterlacer_open(const bsc_deinterlacer_source *_Nonnull source, int *_Nonnull status);

// Takes a reference to the frame; NULL says that no more will come.
int bsc_deinterlacer_send(bsc_deinterlacer *_Nonnull deinterlacer, AVFrame *_Nullable frame);

// AVERROR(EAGAIN) when more has to be sent first, AVERROR_EOF at the end.
int bsc_deinterlacer_receive(bsc_deinterlacer *_Nonnull deinterlacer, AVFrame *_Nonnull frame);

void bsc_deinterlacer_close(bsc_deinterlacer *_Nullable deinterlacer);

#ifdef __cplusplus
}
#endif
