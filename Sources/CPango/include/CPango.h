// The functions of Pango and cairo that write tables as PDF.
//
// Both libraries are optional: `bsc_pango_load` loads them when a PDF is created, on every system. The build needs none
// of their headers, because the binary interfaces of Pango 1 and cairo 1 are stable. Enumerations are passed as
// `unsigned`. `bsc_cairo_create` calls `cairo_create`, and so on.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo_font_options cairo_font_options_t;
typedef struct _PangoAttribute PangoAttribute;
typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutIter PangoLayoutIter;
typedef struct _PangoLayoutLine PangoLayoutLine;

/// `PangoRectangle`: a rectangle in Pango units.
typedef struct {
  int x, y, width, height;
} bsc_pango_rectangle;

/// Receives the bytes of a document. Returns a status of cairo.
typedef unsigned (*bsc_cairo_write)(void *_Nullable closure, const unsigned char *data, unsigned length);

static const unsigned bsc_CAIRO_STATUS_SUCCESS = 0;
static const unsigned bsc_CAIRO_PDF_METADATA_TITLE = 0;
static const unsigned bsc_CAIRO_PDF_METADATA_CREATOR = 4;
static const unsigned bsc_CAIRO_PDF_METADATA_CREATE_DATE = 5;
static const unsigned bsc_CAIRO_HINT_STYLE_NONE = 1;
static const unsigned bsc_CAIRO_HINT_METRICS_OFF = 1;
static const unsigned bsc_PANGO_WRAP_WORD_CHAR = 2;
static const unsigned bsc_PANGO_ELLIPSIZE_END = 3;
static const int bsc_PANGO_SCALE = 1024;

// X(result, name, parameters, arguments)
#define BSC_PANGO_FUNCTIONS(X)                                                                                        \
  X(cairo_surface_t *, cairo_pdf_surface_create_for_stream,                                                           \
    (bsc_cairo_write write, void *_Nullable closure, double width, double height), (write, closure, width, height))   \
  X(void, cairo_pdf_surface_set_metadata, (cairo_surface_t * surface, unsigned metadata, const char *text),           \
    (surface, metadata, text))                                                                                        \
  X(void, cairo_surface_finish, (cairo_surface_t * surface), (surface))                                               \
  X(unsigned, cairo_surface_status, (cairo_surface_t * surface), (surface))                                           \
  X(void, cairo_surface_destroy, (cairo_surface_t * surface), (surface))                                              \
  X(const char *, cairo_status_to_string, (unsigned status), (status))                                                \
  X(cairo_t *, cairo_create, (cairo_surface_t * surface), (surface))                                                  \
  X(unsigned, cairo_status, (cairo_t * cairo), (cairo))                                                               \
  X(void, cairo_destroy, (cairo_t * cairo), (cairo))                                                                  \
  X(void, cairo_save, (cairo_t * cairo), (cairo))                                                                     \
  X(void, cairo_restore, (cairo_t * cairo), (cairo))                                                                  \
  X(void, cairo_move_to, (cairo_t * cairo, double x, double y), (cairo, x, y))                                        \
  X(void, cairo_rectangle, (cairo_t * cairo, double x, double y, double width, double height),                        \
    (cairo, x, y, width, height))                                                                                     \
  X(void, cairo_clip, (cairo_t * cairo), (cairo))                                                                     \
  X(void, cairo_fill, (cairo_t * cairo), (cairo))                                                                     \
  X(void, cairo_set_source_rgb, (cairo_t * cairo, double red, double green, double blue), (cairo, red, green, blue))  \
  X(void, cairo_show_page, (cairo_t * cairo), (cairo))                                                                \
  X(cairo_font_options_t *, cairo_font_options_create, (void), ())                                                    \
  X(void, cairo_font_options_set_hint_style, (cairo_font_options_t * options, unsigned style), (options, style))      \
  X(void, cairo_font_options_set_hint_metrics, (cairo_font_options_t * options, unsigned metrics),                    \
    (options, metrics))                                                                                               \
  X(void, cairo_font_options_destroy, (cairo_font_options_t * options), (options))                                    \
  X(PangoFontMap *, pango_cairo_font_map_new, (void), ())                                                             \
  X(void, pango_cairo_font_map_set_resolution, (PangoFontMap * fonts, double dpi), (fonts, dpi))                      \
  X(PangoContext *, pango_font_map_create_context, (PangoFontMap * fonts), (fonts))                                   \
  X(void, pango_cairo_context_set_font_options,                                                                       \
    (PangoContext * context, const cairo_font_options_t *_Nullable options), (context, options))                      \
  X(void, pango_context_set_round_glyph_positions, (PangoContext * context, int rounds), (context, rounds))           \
  X(void, pango_cairo_update_context, (cairo_t * cairo, PangoContext * context), (cairo, context))                    \
  X(PangoFontDescription *, pango_font_description_from_string, (const char *text), (text))                           \
  X(void, pango_font_description_free, (PangoFontDescription * font), (font))                                         \
  X(PangoAttrList *, pango_attr_list_new, (void), ())                                                                 \
  X(PangoAttribute *, pango_attr_insert_hyphens_new, (int inserts), (inserts))                                        \
  X(void, pango_attr_list_insert, (PangoAttrList * list, PangoAttribute * attribute), (list, attribute))              \
  X(void, pango_attr_list_unref, (PangoAttrList * list), (list))                                                      \
  X(void, pango_layout_set_attributes, (PangoLayout * layout, PangoAttrList *_Nullable list), (layout, list))         \
  X(PangoLayout *, pango_layout_new, (PangoContext * context), (context))                                             \
  X(void, pango_layout_set_font_description, (PangoLayout * layout, const PangoFontDescription *_Nullable font),      \
    (layout, font))                                                                                                   \
  X(void, pango_layout_set_width, (PangoLayout * layout, int width), (layout, width))                                 \
  X(void, pango_layout_set_height, (PangoLayout * layout, int height), (layout, height))                              \
  X(void, pango_layout_set_wrap, (PangoLayout * layout, unsigned mode), (layout, mode))                               \
  X(void, pango_layout_set_ellipsize, (PangoLayout * layout, unsigned mode), (layout, mode))                          \
  X(void, pango_layout_set_text, (PangoLayout * layout, const char *text, int length), (layout, text, length))        \
  X(PangoLayoutIter *, pango_layout_get_iter, (PangoLayout * layout), (layout))                                       \
  X(int, pango_layout_iter_next_line, (PangoLayoutIter * iterator), (iterator))                                       \
  X(PangoLayoutLine *, pango_layout_iter_get_line_readonly, (PangoLayoutIter * iterator), (iterator))                 \
  X(void, pango_layout_iter_get_line_yrange,                                                                          \
    (PangoLayoutIter * iterator, int *_Nullable start, int *_Nullable end), (iterator, start, end))                   \
  X(void, pango_layout_iter_get_line_extents,                                                                         \
    (PangoLayoutIter * iterator, bsc_pango_rectangle *_Nullable ink, bsc_pango_rectangle *_Nullable logical),         \
    (iterator, ink, logical))                                                                                         \
  X(int, pango_layout_iter_get_baseline, (PangoLayoutIter * iterator), (iterator))                                    \
  X(void, pango_layout_iter_free, (PangoLayoutIter * iterator), (iterator))                                           \
  X(void, pango_cairo_show_layout_line, (cairo_t * cairo, PangoLayoutLine * line), (cairo, line))                     \
  X(void, g_object_unref, (void *object), (object))

#define BSC_PANGO_DECLARE(result, name, parameters, arguments) result bsc_##name parameters;
BSC_PANGO_FUNCTIONS(BSC_PANGO_DECLARE)
#undef BSC_PANGO_DECLARE

/// Loads Pango and cairo if they aren't loaded yet. Thread-safe. Call it before the functions above.
/// - Returns: NULL, or the reason why they cannot be loaded.
const char *_Nullable bsc_pango_load(void);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
