#include "CPango.h"

#include <CLazyLibrary.h>
#include <stddef.h>

#ifdef __APPLE__
#define LIBRARY "libpangocairo-1.0.0.dylib"
#else
#define LIBRARY "libpangocairo-1.0.so.0"
#endif

static struct {
#define FIELD(result, name, parameters, arguments) result(*name) parameters;
  BSC_PANGO_FUNCTIONS(FIELD)
} pango;

static const bsc_lazy_function functions[] = {
#define ENTRY(result, name, parameters, arguments) {#name, (void **)&pango.name},
    BSC_PANGO_FUNCTIONS(ENTRY)};

// The dynamic linker also searches the libraries that this one depends on: Pango, cairo and GObject.
static const char *const files[] = {LIBRARY, NULL};
static bsc_lazy_library library = {
    .files = files, .functions = functions, .function_count = sizeof functions / sizeof *functions};

const char *bsc_pango_load(void) { return bsc_lazy_load(&library); }

#define CALL(result, name, parameters, arguments)                                                                     \
  result bsc_##name parameters { return pango.name arguments; }
BSC_PANGO_FUNCTIONS(CALL)
