// Shared libraries that are loaded when one of their functions is called for the first time.
//
// FFmpeg and libcurl need about 130 other libraries, and loading them takes most of the time of a command such as
// `bsc jobs`. Therefore, on x86-64 Linux, the program is not linked with them. It contains a stub for each function that
// it uses, which jumps to the function's address. Before the library is loaded, that is the address of code that loads
// it. Other systems link the libraries (see Package.swift).
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// A function of a library, and the variable for its address.
typedef struct {
  const char *_Nonnull name;
  void *_Nonnull *_Nonnull address;
} bsc_lazy_function;

/// The files and functions of a library. Each file is searched for each function.
typedef struct {
  /// The names of the files, which include the version of the binary interface. Ends with NULL.
  const char *_Nullable const *_Nonnull files;
  const bsc_lazy_function *_Nonnull functions;
  int function_count;
  int is_loaded;
  /// The reason why the library cannot be loaded. Empty if it has not been tried.
  char problem[256];
} bsc_lazy_library;

/// Loads a library if it isn't loaded yet. Thread-safe. A failure is permanent.
/// - Returns: NULL, or the reason why it cannot be loaded.
const char *_Nullable bsc_lazy_load(bsc_lazy_library *_Nonnull library);

/// Loads libcurl, if the program is not linked with it.
/// - Returns: NULL, or the reason why it cannot be loaded.
const char *_Nullable bsc_curl_load(void);

#ifdef __cplusplus
}
#endif

// MARK: Stubs

// Defines the stubs of a library, and the variable `library`, in a C file with a list of functions:
//
//   #define FUNCTIONS(X) X(curl_easy_init) X(curl_easy_cleanup)
//   BSC_LAZY_LIBRARY("libcurl.so.4")
#define BSC_LAZY_LIBRARY(...)                                                                                         \
  /* Passes the library to `bsc_lazy_first` in a register that doesn't contain an argument. */                        \
  void load_and_continue(void) __asm__("load_and_continue");                                                          \
  FUNCTIONS(BSC_LAZY_STUB)                                                                                            \
  static const bsc_lazy_function functions[] = {FUNCTIONS(BSC_LAZY_ENTRY)};                                           \
  static const char *const files[] = {__VA_ARGS__, 0};                                                                \
  __attribute__((used)) static bsc_lazy_library library = {                                                           \
      .files = files, .functions = functions, .function_count = sizeof functions / sizeof *functions};                \
  __asm__(".text\nload_and_continue:\n"                                                                               \
          "lea library(%rip), %r10\n"                                                                                 \
          "jmp bsc_lazy_first\n");

// A stub stores the address of the function's variable in r11, and jumps to the variable's value. This keeps all
// arguments, so the stub doesn't need the function's type. The stubs are hidden, so that the libraries don't call them.
#define BSC_LAZY_STUB(name)                                                                                           \
  __attribute__((used)) static void *address_of_##name = (void *)load_and_continue;                                   \
  __asm__(".text\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ":\n"                      \
          "lea address_of_" #name "(%rip), %r11\n"                                                                    \
          "jmp *(%r11)\n"                                                                                             \
          ".size " #name ", . - " #name "\n");

#define BSC_LAZY_ENTRY(name) {#name, &address_of_##name},
