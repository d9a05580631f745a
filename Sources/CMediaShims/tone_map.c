#include "tone_map.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
  // The fractions between two points have 11 bits on each axis.
  FRACTION_BITS = 11,
  STEP_CB = BSC_TONE_CHROMA_POINTS,
  STEP_Y = BSC_TONE_CHROMA_POINTS * BSC_TONE_CHROMA_POINTS,
  STEP_ALL = STEP_Y + STEP_CB + 1,
  // The number of columns that are converted together, so that their chroma stays in the first-level cache.
  TILE = 512,
};

// Thresholds of ordered dithering (Bayer's 8x8 matrix), scaled to the eight fraction bits.
static const uint8_t dither[8][8] = {
    {2, 130, 34, 162, 10, 138, 42, 170},  {194, 66, 226, 98, 202, 74, 234, 106},
    {50, 178, 18, 146, 58, 186, 26, 154}, {242, 114, 210, 82, 250, 122, 218, 90},
    {14, 142, 46, 174, 6, 134, 38, 166},  {206, 78, 238, 110, 198, 70, 230, 102},
    {62, 190, 30, 158, 54, 182, 22, 150}, {254, 126, 222, 94, 246, 118, 214, 86},
};

// The position of a color: the corner of its cell, the next two corners of its tetrahedron, and the weight of each of
// the four corners.
typedef struct {
  uint32_t base, second, third;
  uint32_t weight[4];
} cell;

static inline cell locate(uint32_t y, uint32_t cb, uint32_t cr) {
  // 32 cells along luma, 64 along each chroma axis, of 16-bit values.
  uint32_t fy = y & 2047, fb = (cb & 1023) << 1, fr = (cr & 1023) << 1;
  cell c;
  c.base = (y >> 11) * STEP_Y + (cb >> 10) * STEP_CB + (cr >> 10);
  uint32_t most = fy >= fb ? fy : fb, least = fy < fb ? fy : fb;
  uint32_t first = fy >= fb ? STEP_Y : STEP_CB, last = fy < fb ? STEP_Y : STEP_CB;
  if (fr > most) first = 1;
  if (fr <= least) last = 1;
  most = fr > most ? fr : most;
  least = fr < least ? fr : least;
  uint32_t middle = fy + fb + fr - most - least;
  c.second = c.base + first;
  c.third = c.base + STEP_ALL - last;
  c.weight[0] = (1 << FRACTION_BITS) - most;
  c.weight[1] = most - middle;
  c.weight[2] = middle - least;
  c.weight[3] = least;
  return c;
}

static inline uint8_t dithered(uint32_t value, int x, int y) {
  uint32_t code = (value + dither[y & 7][x & 7]) >> 8;
  return code > 255 ? 255 : (uint8_t)code;
}

static inline uint32_t luma_at(const uint16_t *table, cell c) {
  return (table[c.base] * c.weight[0] + table[c.second] * c.weight[1] + table[c.third] * c.weight[2] +
          table[c.base + STEP_ALL] * c.weight[3]) >>
         FRACTION_BITS;
}

static void luma_scalar(
    const uint16_t *table, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, uint8_t *out, int x, int count,
    int row) {
  for (int i = 0; i < count; i++) out[i] = dithered(luma_at(table, locate(y[i], cb[i], cr[i])), x + i, row);
}

static void chroma_scalar(
    const uint32_t *table, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, uint8_t *out_cb, uint8_t *out_cr,
    int x, int count, int row) {
  for (int i = 0; i < count; i++) {
    cell c = locate(y[i], cb[i], cr[i]);
    uint32_t index[4] = {c.base, c.second, c.third, c.base + STEP_ALL};
    uint32_t low = 0, high = 0;
    for (int k = 0; k < 4; k++) {
      low += (table[index[k]] & 0xFFFF) * c.weight[k];
      high += (table[index[k]] >> 16) * c.weight[k];
    }
    out_cb[i] = dithered(low >> FRACTION_BITS, x + i, row);
    out_cr[i] = dithered(high >> FRACTION_BITS, x + i, row);
  }
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

typedef struct {
  __m256i index[4];
  __m256i weight[4];
} cells;

AVX2 static inline cells locate8(__m256i y, __m256i cb, __m256i cr) {
  const __m256i step_y = _mm256_set1_epi32(STEP_Y), step_cb = _mm256_set1_epi32(STEP_CB);
  const __m256i one = _mm256_set1_epi32(1), all = _mm256_set1_epi32(STEP_ALL);
  const __m256i rest = _mm256_set1_epi32(1023);
  __m256i fy = _mm256_and_si256(y, _mm256_set1_epi32(2047));
  __m256i fb = _mm256_slli_epi32(_mm256_and_si256(cb, rest), 1);
  __m256i fr = _mm256_slli_epi32(_mm256_and_si256(cr, rest), 1);
  __m256i base = _mm256_add_epi32(
      _mm256_mullo_epi32(_mm256_srli_epi32(y, 11), step_y),
      _mm256_add_epi32(_mm256_mullo_epi32(_mm256_srli_epi32(cb, 10), step_cb), _mm256_srli_epi32(cr, 10)));
  __m256i most = _mm256_max_epi32(fy, fb), least = _mm256_min_epi32(fy, fb);
  __m256i is_cb_more = _mm256_cmpgt_epi32(fb, fy);
  __m256i first = _mm256_blendv_epi8(step_y, step_cb, is_cb_more);
  __m256i last = _mm256_blendv_epi8(step_cb, step_y, is_cb_more);
  first = _mm256_blendv_epi8(first, one, _mm256_cmpgt_epi32(fr, most));
  last = _mm256_blendv_epi8(one, last, _mm256_cmpgt_epi32(fr, least));
  most = _mm256_max_epi32(most, fr);
  least = _mm256_min_epi32(least, fr);
  __m256i middle = _mm256_sub_epi32(_mm256_add_epi32(_mm256_add_epi32(fy, fb), fr), _mm256_add_epi32(most, least));
  cells c;
  c.index[0] = base;
  c.index[1] = _mm256_add_epi32(base, first);
  c.index[3] = _mm256_add_epi32(base, all);
  c.index[2] = _mm256_sub_epi32(c.index[3], last);
  c.weight[0] = _mm256_sub_epi32(_mm256_set1_epi32(1 << FRACTION_BITS), most);
  c.weight[1] = _mm256_sub_epi32(most, middle);
  c.weight[2] = _mm256_sub_epi32(middle, least);
  c.weight[3] = least;
  return c;
}

AVX2 static inline __m256i eight(const uint16_t *values) {
  return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)values));
}

// Adds the dither, removes the fraction bits, and stores eight bytes.
AVX2 static inline void store8(__m256i value, __m256i threshold, uint8_t *out) {
  value = _mm256_srli_epi32(_mm256_add_epi32(_mm256_srli_epi32(value, FRACTION_BITS), threshold), 8);
  __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256(value, 1));
  _mm_storel_epi64((__m128i *)out, _mm_packus_epi16(words, words));
}

AVX2 static inline __m256i thresholds(int row) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)dither[row & 7]));
}

// `x` is a multiple of eight, so the thresholds start with the first one.
AVX2 static void luma_avx2(
    const uint16_t *table, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, uint8_t *out, int x, int count,
    int row) {
  const __m256i low_half = _mm256_set1_epi32(0xFFFF), threshold = thresholds(row);
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    cells c = locate8(eight(y + i), eight(cb + i), eight(cr + i));
    __m256i sum = _mm256_setzero_si256();
    for (int k = 0; k < 4; k++) {
      __m256i value = _mm256_and_si256(_mm256_i32gather_epi32((const int *)table, c.index[k], 2), low_half);
      sum = _mm256_add_epi32(sum, _mm256_mullo_epi32(value, c.weight[k]));
    }
    store8(sum, threshold, out + i);
  }
  luma_scalar(table, y + i, cb + i, cr + i, out + i, x + i, count - i, row);
}

AVX2 static void chroma_avx2(
    const uint32_t *table, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, uint8_t *out_cb, uint8_t *out_cr,
    int x, int count, int row) {
  const __m256i low_half = _mm256_set1_epi32(0xFFFF), threshold = thresholds(row);
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    cells c = locate8(eight(y + i), eight(cb + i), eight(cr + i));
    __m256i low = _mm256_setzero_si256(), high = low;
    for (int k = 0; k < 4; k++) {
      __m256i value = _mm256_i32gather_epi32((const int *)table, c.index[k], 4);
      low = _mm256_add_epi32(low, _mm256_mullo_epi32(_mm256_and_si256(value, low_half), c.weight[k]));
      high = _mm256_add_epi32(high, _mm256_mullo_epi32(_mm256_srli_epi32(value, 16), c.weight[k]));
    }
    store8(low, threshold, out_cb + i);
    store8(high, threshold, out_cr + i);
  }
  chroma_scalar(table, y + i, cb + i, cr + i, out_cb + i, out_cr + i, x + i, count - i, row);
}

#endif

// Interpolates chroma for each column of a row: three quarters of its chroma row and one quarter of the adjacent row,
// then between columns. `first` and `count` are even luma columns.
static void upsample(
    const uint16_t *near, const uint16_t *far, uint16_t *out, int first, int count, int chroma_width, bool centered) {
  // Four times the values, with a neighbor on each side. Outside the frame the edge value is repeated.
  uint32_t blended[TILE / 2 + 2];
  int half = first / 2, half_count = count / 2;
  for (int i = 0; i < half_count; i++) blended[i + 1] = 3u * near[half + i] + far[half + i];
  int before = half > 0 ? half - 1 : 0;
  int after = half + half_count < chroma_width ? half + half_count : chroma_width - 1;
  blended[0] = 3u * near[before] + far[before];
  blended[half_count + 1] = 3u * near[after] + far[after];
  const uint32_t *v = blended + 1;
  if (centered) {
    for (int i = 0; i < half_count; i++) {
      out[2 * i] = (uint16_t)((3 * v[i] + v[i - 1] + 8) >> 4);
      out[2 * i + 1] = (uint16_t)((3 * v[i] + v[i + 1] + 8) >> 4);
    }
  } else {
    // Even columns have their own sample; odd ones are between two samples.
    for (int i = 0; i < half_count; i++) {
      out[2 * i] = (uint16_t)((v[i] + 2) >> 2);
      out[2 * i + 1] = (uint16_t)((v[i] + v[i + 1] + 4) >> 3);
    }
  }
}

// Interpolates luma at the positions of the chroma samples, from two rows and the adjacent columns.
static void luma_for_chroma(
    const uint16_t *top, const uint16_t *bottom, uint16_t *out, int first, int count, bool centered) {
  top += 2 * first;
  bottom += 2 * first;
  if (centered) {
    for (int i = 0; i < count; i++)
      out[i] = (uint16_t)((top[2 * i] + bottom[2 * i] + top[2 * i + 1] + bottom[2 * i + 1] + 2) >> 2);
    return;
  }
  for (int i = 0; i < count; i++) {
    int left = 2 * i - (first + i > 0);
    uint32_t here = (uint32_t)top[2 * i] + bottom[2 * i];
    out[i] = (uint16_t)((2 * here + top[left] + bottom[left] + top[2 * i + 1] + bottom[2 * i + 1] + 4) >> 3);
  }
}

typedef void luma_loop(
    const uint16_t *, const uint16_t *, const uint16_t *, const uint16_t *, uint8_t *, int, int, int);
typedef void chroma_loop(
    const uint32_t *, const uint16_t *, const uint16_t *, const uint16_t *, uint8_t *, uint8_t *, int, int, int);

static inline const uint16_t *source_row(const bsc_tone_picture *p, int plane, int row) {
  return (const uint16_t *)((const uint8_t *)p->source[plane] + row * p->source_stride[plane]);
}

static void map_rows(
    const bsc_tone_table *table, const bsc_tone_picture *p, int first, int end, luma_loop *luma, chroma_loop *chroma) {
  uint16_t cb[TILE], cr[TILE], y[TILE / 2];
  int chroma_width = p->width / 2, chroma_height = p->height / 2;
  for (int pair = first / 2; pair < end / 2; pair++) {
    for (int x = 0; x < p->width; x += TILE) {
      int count = p->width - x < TILE ? p->width - x : TILE;
      for (int k = 0; k < 2; k++) {
        int row = 2 * pair + k;
        // Chroma rows are between two luma rows.
        int other = k == 0 ? pair - 1 : pair + 1;
        if (other < 0) other = 0;
        if (other >= chroma_height) other = chroma_height - 1;
        upsample(
            source_row(p, 1, pair), source_row(p, 1, other), cb, x, count, chroma_width, p->is_chroma_centered);
        upsample(
            source_row(p, 2, pair), source_row(p, 2, other), cr, x, count, chroma_width, p->is_chroma_centered);
        luma(
            table->luma, source_row(p, 0, row) + x, cb, cr, p->target[0] + row * p->target_stride[0] + x, x, count,
            row);
      }
      int half = x / 2, half_count = count / 2;
      luma_for_chroma(
          source_row(p, 0, 2 * pair), source_row(p, 0, 2 * pair + 1), y, half, half_count, p->is_chroma_centered);
      chroma(
          table->chroma, y, source_row(p, 1, pair) + half, source_row(p, 2, pair) + half,
          p->target[1] + pair * p->target_stride[1] + half, p->target[2] + pair * p->target_stride[2] + half, half,
          half_count, pair);
    }
  }
}

void bsc_tone_map_scalar(const bsc_tone_table *table, const bsc_tone_picture *picture, int first, int end) {
  map_rows(table, picture, first, end, luma_scalar, chroma_scalar);
}

void bsc_tone_map(const bsc_tone_table *table, const bsc_tone_picture *picture, int first, int end) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    map_rows(table, picture, first, end, luma_avx2, chroma_avx2);
    return;
  }
#endif
  bsc_tone_map_scalar(table, picture, first, end);
}
