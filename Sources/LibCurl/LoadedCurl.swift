import CCurl

/// The libcurl that is loaded in this process.
package struct LoadedCurl: Sendable {
  /// `7.88.1`
  package let version: String
  /// The library behind HTTPS, with its version; `nil` when this libcurl has none.
  package let tls: String?
  package let hasHTTP2: Bool

  package static var current: LoadedCurl {
    let info = bsc_curl_version()
    func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
    let features = info?.pointee.features ?? 0
    return LoadedCurl(
      version: text(info?.pointee.version) ?? "?",
      tls: features & bsc_CURL_VERSION_SSL != 0 ? text(info?.pointee.ssl_version) : nil,
      hasHTTP2: features & bsc_CURL_VERSION_HTTP2 != 0)
  }
}
