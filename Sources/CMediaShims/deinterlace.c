#include "deinterlace.h"

#include <CLazyLibrary.h>
#include <errno.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavfilter/version.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>
#include <stddef.h>

#define STRING(x) #x
#define TEXT(x) STRING(x)
#ifdef __APPLE__
#define LIBRARY "libavfilter." TEXT(LIBAVFILTER_VERSION_MAJOR) ".dylib"
#else
#define LIBRARY "libavfilter.so." TEXT(LIBAVFILTER_VERSION_MAJOR)
#endif

struct bsc_deinterlacer {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
};

// The libavfilter functions that are used.
static struct {
  __typeof__(&avfilter_graph_alloc) graph_alloc;
  __typeof__(&avfilter_graph_free) graph_free;
  __typeof__(&avfilter_get_by_name) get_by_name;
  __typeof__(&avfilter_graph_alloc_filter) alloc_filter;
  __typeof__(&avfilter_init_str) init_str;
  __typeof__(&avfilter_link) link;
  __typeof__(&avfilter_graph_config) graph_config;
  __typeof__(&av_buffersrc_parameters_alloc) parameters_alloc;
  __typeof__(&av_buffersrc_parameters_set) parameters_set;
  __typeof__(&av_buffersrc_add_frame_flags) add_frame;
  __typeof__(&av_buffersink_get_frame) get_frame;
} filter;

static const bsc_lazy_function functions[] = {
    {"avfilter_graph_alloc", (void **)&filter.graph_alloc},
    {"avfilter_graph_free", (void **)&filter.graph_free},
    {"avfilter_get_by_name", (void **)&filter.get_by_name},
    {"avfilter_graph_alloc_filter", (void **)&filter.alloc_filter},
    {"avfilter_init_str", (void **)&filter.init_str},
    {"avfilter_link", (void **)&filter.link},
    {"avfilter_graph_config", (void **)&filter.graph_config},
    {"av_buffersrc_parameters_alloc", (void **)&filter.parameters_alloc},
    {"av_buffersrc_parameters_set", (void **)&filter.parameters_set},
    {"av_buffersrc_add_frame_flags", (void **)&filter.add_frame},
    {"av_buffersink_get_frame", (void **)&filter.get_frame},
};
static const char *const files[] = {LIBRARY, NULL};
static bsc_lazy_library library = {
    .files = files, .functions = functions, .function_count = sizeof functions / sizeof *functions};

static int set_up(bsc_deinterlacer *self, const bsc_deinterlacer_source *source) {
  self->graph = filter.graph_alloc();
  if (self->graph == NULL) return AVERROR(ENOMEM);
  const AVFilter *buffer = filter.get_by_name("buffer"), *bwdif = filter.get_by_name("bwdif"),
                 *sink = filter.get_by_name("buffersink");
  if (buffer == NULL || bwdif == NULL || sink == NULL) return AVERROR(ENOSYS);
  self->source = filter.alloc_filter(self->graph, buffer, "source");
  AVFilterContext *middle = filter.alloc_filter(self->graph, bwdif, "bwdif");
  self->sink = filter.alloc_filter(self->graph, sink, "sink");
  AVBufferSrcParameters *parameters = filter.parameters_alloc();
  if (self->source == NULL || middle == NULL || self->sink == NULL || parameters == NULL) {
    av_free(parameters);
    return AVERROR(ENOMEM);
  }
  parameters->width = source->width;
  parameters->height = source->height;
  parameters->format = source->pixel_format;
  parameters->time_base = source->time_base;
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(9, 16, 100)
  parameters->color_space = (enum AVColorSpace)source->color_space;
  parameters->color_range = (enum AVColorRange)source->color_range;
#endif
  int status = filter.parameters_set(self->source, parameters);
  av_free(parameters);
  if (status < 0 || (status = filter.init_str(self->source, NULL)) < 0 ||
      (status = filter.init_str(middle, "mode=send_field:parity=auto:deint=all")) < 0 ||
      (status = filter.init_str(self->sink, NULL)) < 0 || (status = filter.link(self->source, 0, middle, 0)) < 0 ||
      (status = filter.link(middle, 0, self->sink, 0)) < 0)
    return status;
  return filter.graph_config(self->graph, NULL);
}

bsc_deinterlacer *bsc_deinterlacer_open(const bsc_deinterlacer_source *source, int *status) {
  if (bsc_lazy_load(&library) != NULL) {
    *status = AVERROR(ENOSYS);
    return NULL;
  }
  bsc_deinterlacer *self = av_mallocz(sizeof(*self));
  *status = self == NULL ? AVERROR(ENOMEM) : set_up(self, source);
  if (*status >= 0) return self;
  bsc_deinterlacer_close(self);
  return NULL;
}

int bsc_deinterlacer_send(bsc_deinterlacer *self, AVFrame *frame) {
  return filter.add_frame(self->source, frame, AV_BUFFERSRC_FLAG_KEEP_REF);
}

int bsc_deinterlacer_receive(bsc_deinterlacer *self, AVFrame *frame) { return filter.get_frame(self->sink, frame); }

void bsc_deinterlacer_close(bsc_deinterlacer *self) {
  if (self == NULL) return;
  filter.graph_free(&self->graph);
  av_free(self);
}
