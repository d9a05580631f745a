import CCurl

/// Owns a libcurl easy handle (`CURL`), and the header list and error buffer that must exist as long as the handle.
///
/// Not `Sendable`, because libcurl allows only one thread at a time to use a handle. bsc uses handles only on the
/// transfer thread.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>

  init() throws(CurlError) {
    guard Self.globalState == CURLE_OK, let pointer = curl_easy_init() else { throw .setupFailed }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try check(bsc_curl_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(bsc_curl_setopt_long(pointer, option, value))
  }

  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) {
    try check(bsc_curl_setopt_offset(pointer, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, _ value: String) throws(CurlError) {
    try check(bsc_curl_setopt_string(pointer, option, value))
  }

  func set(_ option: CURLoption, context value: UnsafeMutableRawPointer) throws(CurlError) {
    try check(bsc_curl_setopt_pointer(pointer, option, value))
  }

  func set(_ option: CURLoption, _ callback: bsc_curl_data_callback) throws(CurlError) {
    try check(bsc_curl_setopt_data(pointer, option, callback))
  }

  func setProgressCallback(_ callback: bsc_curl_progress_callback) throws(CurlError) {
    try check(bsc_curl_setopt_progress(pointer, callback))
  }

  /// Sets `CURLOPT_HTTPHEADER` to lines such as `Content-Type: video/mp4`. A line without a value, such as `Expect:`,
  /// removes a default header.
  func setHeaders(_ lines: [String]) throws(CurlError) {
    for line in lines {
      guard let longer = curl_slist_append(headerList, line) else { throw makeError(CURLE_OUT_OF_MEMORY, host: "") }
      headerList = longer
    }
    try check(bsc_curl_setopt_list(pointer, CURLOPT_HTTPHEADER, headerList))
  }

  /// Returns the transfer's error, with libcurl's detailed message if there is one, and otherwise the general message.
  func makeError(_ code: CURLcode, host: String) -> CurlError {
    let detail = String(cString: errorText)
    return CurlError(
      code: .init(code), host: host,
      message: Self.removeCredentials(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail))
  }

  /// Removes credentials from a message, because libcurl's messages can contain the URL and password of the proxy.
  static func removeCredentials(_ message: String) -> String {
    message.replacing(/\/\/.*@/, with: "//…@")
  }

  /// Returns a count or status code of the transfer, or 0 if libcurl doesn't provide the value.
  func infoValue(_ info: CURLINFO) -> Int {
    var value = 0
    _ = bsc_curl_getinfo_long(pointer, info, &value)
    return value
  }

  func infoByteCount(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    _ = bsc_curl_getinfo_offset(pointer, info, &value)
    return Int64(value)
  }

  private func check(_ code: CURLcode) throws(CurlError) {
    guard code == CURLE_OK else { throw makeError(code, host: "") }
  }

  /// The result of `curl_global_init`, which must return before any other libcurl call. A static constant ensures that
  /// it runs only once.
  private static let globalState = curl_global_init(bsc_CURL_GLOBAL_DEFAULT)
}
