import CCurl
import CLazyLibrary

/// The version and features of the libcurl library that this process has loaded.
package struct CurlVersionInfo: Sendable {
  /// The version of libcurl, for example `7.88.1`.
  package let version: String
  /// The name and version of the TLS library, or `nil` if TLS isn't supported.
  package let tls: String?
  package let hasHTTP2: Bool

  package static var current: CurlVersionInfo {
    if let reason = bsc_curl_load() {
      return CurlVersionInfo(version: String(cString: reason), tls: nil, hasHTTP2: false)
    }
    let info = bsc_curl_version()?.pointee
    func makeString(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
    let features = info?.features ?? 0
    return CurlVersionInfo(
      version: makeString(info?.version) ?? "?",
      tls: features & bsc_CURL_VERSION_SSL != 0 ? makeString(info?.ssl_version) : nil,
      hasHTTP2: features & bsc_CURL_VERSION_HTTP2 != 0)
  }
}
