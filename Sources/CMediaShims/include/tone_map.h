// Converts whole frames with a color lookup table: the inner loop of tone mapping.
//
// Frames are planar 4:2:0. The source has 16-bit code values, the target 8-bit ones. Values between the points of the
// table are interpolated in tetrahedra with integers, so the result is the same on every processor.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // The number of points along luma, and along each of the two chroma axes. Brightness changes slowly; saturated colors
  // reach the edge of the gamut, and cameras use a quarter of the chroma axes.
  BSC_TONE_LUMA_POINTS = 33,
  BSC_TONE_CHROMA_POINTS = 65,
  BSC_TONE_POINTS = BSC_TONE_LUMA_POINTS * BSC_TONE_CHROMA_POINTS * BSC_TONE_CHROMA_POINTS,
};

// One frame: three planes, and the bytes from row to row. Width and height are even; the chroma planes have half of
// each.
typedef struct {
  const uint16_t *_Nonnull source[3];
  ptrdiff_t source_stride[3];
  uint8_t *_Nonnull target[3];
  ptrdiff_t target_stride[3];
  int width, height;
  // Whether chroma samples are between two columns, as in JPEG, instead of in the left column.
  bool is_chroma_centered;
} bsc_tone_picture;

// The points in the order luma, Cb, Cr (Cr changes fastest). Luma and chroma results have eight fraction bits;
// `chroma` has Cb in its low half and Cr in its high half. `luma` needs one more element than there are points,
// because two values are read at once.
typedef struct {
  const uint16_t *_Nonnull luma;
  const uint32_t *_Nonnull chroma;
} bsc_tone_table;

// Converts the rows from `first` to `end`, both even.
void bsc_tone_map(const bsc_tone_table *_Nonnull table, const bsc_tone_picture *_Nonnull picture, int first, int end);

// The same without vector instructions; for tests, and for processors without them.
void bsc_tone_map_scalar(
    const bsc_tone_table *_Nonnull table, const bsc_tone_picture *_Nonnull picture, int first, int end);

#ifdef __cplusplus
}
#endif
