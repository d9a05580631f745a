import CCurl

/// The libcurl that this process has loaded.
package struct LoadedCurl: Sendable {
  /// The version, for example `7.88.1`.
  package let version: String
  /// The TLS library and its version; `nil` if TLS is not supported.
  package let tls: String?
  package let hasHTTP2: Bool

  package static var current: LoadedCurl {
    let info = bsc_curl_version()?.pointee
    func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
    let features = info?.features ?? 0
    return LoadedCurl(
      version: text(info?.version) ?? "?", tls: features & bsc_CURL_VERSION_SSL != 0 ? text(info?.ssl_version) : nil,
      hasHTTP2: features & bsc_CURL_VERSION_HTTP2 != 0)
  }
}
