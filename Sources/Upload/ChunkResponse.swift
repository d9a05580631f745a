import ClipModel
package import LibCurl

/// The meaning of an HTTP response to an upload request, independent of what was sent.
///
/// This is the only code that compares status codes of the upload host. They follow the resumable upload protocol of
/// Google Cloud Storage, which Mux's upload hosts use.
package enum ChunkResponse: Equatable, Sendable {
  /// 200, 201: the upload is complete, whatever was sent.
  case complete(StoredObject)
  /// 202, 204: accepted. In response to the last chunk, the upload is complete.
  case accepted
  /// 308 with `Range`: this many bytes from the start are stored.
  case stored(byteCount: Int64)
  /// 308 without `Range`: nothing is stored, or the server does not report it.
  case storedUnknown
  /// 408, 429, 5xx: query the offset later.
  case retry(after: Duration?, reason: String, isDiskFull: Bool = false)
  /// 416: the range does not match the stored bytes.
  case rangeMismatch
  /// 413: the chunk is too large for this server.
  case chunkTooLong(reason: String)
  /// 401, 403, 404, 410: the URL has expired.
  case expired(status: Int)
  /// 499: the upload was canceled.
  case cancelled
  /// Any other status from 400 to 499: sending it again would not help.
  case refused(status: Int, reason: String)
  /// A response that the protocol does not define.
  case violation(String)

  /// - Parameters:
  ///   - now: Unix seconds, for a `Retry-After` date if the response has no `Date`.
  ///   - url: the credential, which error pages often contain.
  package init(_ response: HTTPResponse, now: Int64, hiding url: String = "") {
    let status = response.status
    switch status {
    case 200...201 where Self.isWebPage(response):
      self = .violation("the response is a web page, possibly the sign-in page of this network")
    case 200, 201:
      self = StoredObject(response).map { .complete($0) } ?? .violation("the server reports an invalid size")
    case 202, 204: self = .accepted
    case 308 where response.headers["Location"] == nil:
      guard let range = response.headers["Range"] else {
        self = .storedUnknown
        return
      }
      self =
        ContentRange.storedByteCount(rangeHeader: range).map { .stored(byteCount: $0) }
        ?? .violation("the server answered 308 with an invalid range")
    case 401, 403, 404, 410: self = .expired(status: status)
    case 413: self = .chunkTooLong(reason: Self.excerpt(response, hiding: url))
    case 416: self = .rangeMismatch
    case 499: self = .cancelled
    case 408, 429, 500...599:
      let delay = response.headers["Retry-After"].flatMap {
        RetryAfter.delay($0, serverDate: response.headers["Date"], now: now)
      }
      // 507 is Insufficient Storage, RFC 4918.
      let isDiskFull = status == 507
      let reason = isDiskFull ? "the server's disk is full (507)" : "the server answered \(status)"
      self = .retry(after: delay, reason: reason, isDiskFull: isDiskFull)
    case 400...499: self = .refused(status: status, reason: Self.excerpt(response, hiding: url))
    case 300...399: self = .violation("the server answered with a redirect (\(status))")
    default: self = .violation("the server answered \(status)")
    }
  }

  /// Checks the body, because some upload hosts send an empty body with an HTML content type.
  private static func isWebPage(_ response: HTTPResponse) -> Bool {
    response.text.prefix(300).lowercased().drop(while: \.isWhitespace).hasPrefix("<")
  }

  /// The start of the body as the reason of a refusal, without the URL and control characters.
  private static func excerpt(_ response: HTTPResponse, hiding url: String) -> String {
    let printable = response.text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 && $0 != "\u{FFFD}" }
    let text = UploadURL.hidden(url, in: String(String.UnicodeScalarView(printable)))
    return text.isEmpty ? "no reason given" : String(text.prefix(200))
  }
}
