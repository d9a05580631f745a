// Declarations that Swift cannot import from zimg.
#pragma once
#include <zimg.h>

static const unsigned bsc_ZIMG_API_VERSION = ZIMG_API_VERSION;

// The planes are an array of an unnamed struct, which Swift does not import.
static inline void bsc_zimg_set_source_plane(zimg_image_buffer_const *buffer, int plane, const void *data,
                                             ptrdiff_t stride) {
  buffer->plane[plane].data = data;
  buffer->plane[plane].stride = stride;
  buffer->plane[plane].mask = ZIMG_BUFFER_MAX;
}

static inline void bsc_zimg_set_target_plane(zimg_image_buffer *buffer, int plane, void *data, ptrdiff_t stride) {
  buffer->plane[plane].data = data;
  buffer->plane[plane].stride = stride;
  buffer->plane[plane].mask = ZIMG_BUFFER_MAX;
}
