#include "CMediaShims.h"

#include <stddef.h>

#ifdef BSC_LAZY_LIBRARIES

#include <CLazyLibrary.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

// The functions of FFmpeg that `LibAV` and the headers of `CFFmpeg` use. If one is missing here, the program cannot be
// linked.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
#define SIDE_DATA(X) X(av_packet_side_data_free) X(av_packet_side_data_get) X(av_packet_side_data_new)
#else
#define SIDE_DATA(X) X(av_stream_get_side_data) X(av_stream_new_side_data)
#endif
#define FUNCTIONS(X)                                                                                                  \
  SIDE_DATA(X) X(av_audio_fifo_alloc) X(av_audio_fifo_free) X(av_audio_fifo_read) X(av_audio_fifo_size)               \
  X(av_audio_fifo_write) X(av_buffer_pool_get) X(av_buffer_pool_init) X(av_buffer_pool_uninit) X(av_buffer_ref)       \
  X(av_buffer_unref) X(av_channel_layout_copy) X(av_channel_layout_default) X(av_channel_layout_describe)             \
  X(av_chroma_location_name) X(av_codec_get_id) X(av_color_primaries_name) X(av_color_range_name)                     \
  X(av_color_space_name) X(av_color_transfer_name) X(av_dict_free) X(av_dict_get) X(av_dict_set) X(av_frame_alloc)    \
  X(av_frame_copy) X(av_frame_copy_props) X(av_frame_free) X(av_frame_get_buffer) X(av_frame_get_side_data)           \
  X(av_frame_ref) X(av_free) X(av_freep) X(av_get_packed_sample_fmt) X(av_get_pix_fmt) X(av_get_pix_fmt_name)         \
  X(av_guess_sample_aspect_ratio) X(av_hwdevice_ctx_create) X(av_hwframe_ctx_alloc) X(av_hwframe_ctx_init)            \
  X(av_hwframe_get_buffer) X(av_hwframe_transfer_data) X(av_image_fill_arrays) X(av_image_get_buffer_size)            \
  X(av_image_get_linesize) X(av_interleaved_write_frame) X(av_log_format_line2) X(av_log_set_callback) X(av_malloc)   \
  X(av_mallocz) X(av_max_alloc) X(av_new_packet) X(av_new_program) X(av_packet_alloc) X(av_packet_copy_props)         \
  X(av_packet_free) X(av_packet_move_ref) X(av_packet_rescale_ts) X(av_packet_unref) X(av_pix_fmt_desc_get)           \
  X(av_program_add_stream_index) X(av_read_frame) X(av_realloc_array) X(av_rescale_q) X(av_sample_fmt_is_planar)      \
  X(av_samples_set_silence) X(av_seek_frame) X(av_strerror) X(av_version_info) X(av_write_frame) X(av_write_trailer)  \
  X(avcodec_alloc_context3) X(avcodec_descriptor_get) X(avcodec_find_decoder) X(avcodec_find_decoder_by_name)         \
  X(avcodec_find_encoder_by_name) X(avcodec_flush_buffers) X(avcodec_free_context) X(avcodec_get_class)               \
  X(avcodec_get_name) X(avcodec_open2) X(avcodec_parameters_copy) X(avcodec_parameters_from_context)                  \
  X(avcodec_parameters_to_context) X(avcodec_profile_name) X(avcodec_receive_frame) X(avcodec_receive_packet)         \
  X(avcodec_send_frame) X(avcodec_send_packet) X(avformat_alloc_context) X(avformat_alloc_output_context2)            \
  X(avformat_close_input) X(avformat_find_stream_info) X(avformat_free_context) X(avformat_index_get_entries_count)   \
  X(avformat_index_get_entry) X(avformat_new_stream) X(avformat_open_input) X(avformat_query_codec)                   \
  X(avformat_version) X(avformat_write_header) X(avio_alloc_context) X(avio_close_dyn_buf) X(avio_closep)             \
  X(avio_context_free) X(avio_open2) X(avio_open_dyn_buf) X(swr_alloc_set_opts2) X(swr_convert_frame) X(swr_free)     \
  X(swr_init) X(sws_freeContext) X(sws_getContext) X(sws_scale)

#define STRING(x) #x
#define FILE_NAME(name, version) "lib" #name ".so." STRING(version)
// libavformat also finds the functions of the libraries that it uses.
BSC_LAZY_LIBRARY(FILE_NAME(avformat, LIBAVFORMAT_VERSION_MAJOR), FILE_NAME(swscale, LIBSWSCALE_VERSION_MAJOR))

const char *bsc_ffmpeg_load(void) { return bsc_lazy_load(&library); }

#else

const char *bsc_ffmpeg_load(void) { return NULL; }

#endif
