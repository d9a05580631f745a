#include "CLazyLibrary.h"

#include <stddef.h>

#ifdef BSC_LAZY_LIBRARIES

// The functions of libcurl that `LibCurl` uses. If one is missing here, the program cannot be linked.
#define FUNCTIONS(X)                                                                                                  \
  X(curl_easy_cleanup) X(curl_easy_getinfo) X(curl_easy_init) X(curl_easy_setopt) X(curl_easy_strerror)               \
  X(curl_global_init) X(curl_multi_add_handle) X(curl_multi_cleanup) X(curl_multi_info_read) X(curl_multi_init)       \
  X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_remove_handle) X(curl_multi_wakeup) X(curl_slist_append)      \
  X(curl_slist_free_all) X(curl_version_info)

BSC_LAZY_LIBRARY("libcurl.so.4")

const char *bsc_curl_load(void) { return bsc_lazy_load(&library); }

#else

const char *bsc_curl_load(void) { return NULL; }

#endif
