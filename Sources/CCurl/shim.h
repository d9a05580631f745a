// Declarations that Swift cannot import from libcurl. Its variadic functions have an inline function per argument type.
#pragma once
#include <curl/curl.h>

// One name for CURL and CURLM, which are `void` unless CURL_STRICTER is set.
typedef CURL *bsc_curl_ref;
typedef CURLM *bsc_curl_multi_ref;

// The callbacks, as curl_easy_setopt(3) describes them.
typedef size_t (*bsc_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*bsc_curl_progress_callback)(
    void *context, curl_off_t toReceive, curl_off_t received, curl_off_t toSend, curl_off_t sent);

static inline CURLcode bsc_curl_setopt_long(bsc_curl_ref handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bsc_curl_setopt_offset(bsc_curl_ref handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bsc_curl_setopt_string(bsc_curl_ref handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bsc_curl_setopt_pointer(bsc_curl_ref handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bsc_curl_setopt_list(bsc_curl_ref handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bsc_curl_setopt_data(bsc_curl_ref handle, CURLoption option, bsc_curl_data_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bsc_curl_setopt_progress(bsc_curl_ref handle, bsc_curl_progress_callback value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode bsc_curl_getinfo_offset(bsc_curl_ref handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode bsc_curl_getinfo_long(bsc_curl_ref handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

// A union field, macros and casts.
static inline CURLcode bsc_curl_message_result(const CURLMsg *message) { return message->data.result; }
static const long bsc_CURL_GLOBAL_DEFAULT = CURL_GLOBAL_DEFAULT;
static const long bsc_CURL_HTTP_VERSION_1_1 = CURL_HTTP_VERSION_1_1;
static const long bsc_CURL_HTTP_VERSION_2TLS = CURL_HTTP_VERSION_2TLS;
static const size_t bsc_CURL_READFUNC_ABORT = CURL_READFUNC_ABORT;
static inline const curl_version_info_data *bsc_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }
static const int bsc_CURL_VERSION_SSL = CURL_VERSION_SSL;
static const int bsc_CURL_VERSION_HTTP2 = CURL_VERSION_HTTP2;
