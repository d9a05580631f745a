// Declarations that Swift cannot import from FFmpeg, and all differences between its versions (5.1 to 9.0).
#pragma once
#include <libavcodec/avcodec.h>
#include <libavcodec/defs.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdbool.h>

// Constants that are casts or function-like macros.
static const int64_t bsc_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const int bsc_AVERROR_EOF = AVERROR_EOF;
static const int bsc_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int bsc_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int bsc_AVERROR_EINVAL = AVERROR(EINVAL);
static const int bsc_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int bsc_AVERROR_EXIT = AVERROR_EXIT;
static const int bsc_AVERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int bsc_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int bsc_AVERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;

/// The errno inside an AVERROR, or 0 when it is one of FFmpeg's own tags.
static inline int bsc_averror_errno(int code) {
  int number = AVUNERROR(code);
  return number > 0 && number < 4096 ? number : 0;
}

/// One name for a type that is opaque up to 7.0 and a complete struct from 8.0.
typedef struct SwsContext *bsc_sws_ref;

/// The fields of an AVIndexEntry, which are bit fields that Swift does not import.
typedef struct {
  int64_t timestamp, offset;
  int size;
  bool is_key, is_discarded;
} bsc_index_entry;

/// The entry at a position below avformat_index_get_entries_count().
static inline bsc_index_entry bsc_index_entry_at(AVStream *stream, int position) {
  const AVIndexEntry *entry = avformat_index_get_entry(stream, position);
  return (bsc_index_entry){entry->timestamp, entry->pos, entry->size, (entry->flags & AVINDEX_KEYFRAME) != 0,
                           (entry->flags & AVINDEX_DISCARD_FRAME) != 0};
}

// Side data of a stream moved from AVStream to AVCodecParameters in FFmpeg 6.1.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
#define BSC_CODEC_PARAMETERS_SIDE_DATA 1
#endif

/// Bytes of a stream's side data of one type, or NULL.
static inline const uint8_t *bsc_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                                  size_t *size) {
#ifdef BSC_CODEC_PARAMETERS_SIDE_DATA
  const AVPacketSideData *found = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                          stream->codecpar->nb_coded_side_data, type);
  if (found == NULL) {
    return NULL;
  }
  *size = found->size;
  return found->data;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

/// Allocates a stream's side data of one type, for the caller to fill; NULL when out of memory.
static inline uint8_t *bsc_stream_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#ifdef BSC_CODEC_PARAMETERS_SIDE_DATA
  AVPacketSideData *made = av_packet_side_data_new(&stream->codecpar->coded_side_data,
                                                   &stream->codecpar->nb_coded_side_data, type, size, 0);
  return made == NULL ? NULL : made->data;
#else
  return av_stream_new_side_data(stream, type, size);
#endif
}

/// Removes all side data that avcodec_parameters_copy copied (none before 6.1).
static inline void bsc_parameters_drop_side_data(AVCodecParameters *parameters) {
#ifdef BSC_CODEC_PARAMETERS_SIDE_DATA
  av_packet_side_data_free(&parameters->coded_side_data, &parameters->nb_coded_side_data);
#else
  (void)parameters;
#endif
}

static inline int bsc_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame->key_frame;
#endif
}

static inline int bsc_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame;
#endif
}

/// Removes the source's frame type from a decoded frame, so that the encoder chooses one.
static inline void bsc_frame_clear_picture_type(AVFrame *frame) { frame->pict_type = AV_PICTURE_TYPE_NONE; }

/// The profile's name; the type of the constant depends on the version.
static inline const char *bsc_profile_name(const AVCodecParameters *parameters) {
  return avcodec_profile_name(parameters->codec_id, parameters->profile);
}

// Macros up to 7.1, an enum from 8.0.
static const int bsc_SWS_FLAGS = SWS_BICUBIC | SWS_ACCURATE_RND;

/// Appends a chapter. libav has no public function for it.
static inline int bsc_add_chapter(AVFormatContext *context, int64_t id, AVRational time_base, int64_t start,
                                  int64_t end, const char *title) {
  AVChapter *chapter = (AVChapter *)av_mallocz(sizeof(AVChapter));
  AVChapter **chapters =
      (AVChapter **)av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof(AVChapter *));
  if (chapters != NULL) {
    context->chapters = chapters;
  }
  if (chapter == NULL || chapters == NULL) {
    av_free(chapter);
    return AVERROR(ENOMEM);
  }
  chapter->id = id;
  chapter->time_base = time_base;
  chapter->start = start;
  chapter->end = end;
  context->chapters[context->nb_chapters++] = chapter;
  return title == NULL ? 0 : av_dict_set(&chapter->metadata, "title", title, 0);
}
