import ClipModel
package import LibCurl

/// The meaning of an HTTP response to an upload request, regardless of what was sent.
///
/// No other code interprets the upload host's status codes. The codes follow Google Cloud Storage's resumable upload
/// protocol, which Mux's upload hosts use.
package enum ChunkResponse: Equatable, Sendable {
  /// 200 or 201: the upload is complete, regardless of what was sent.
  case complete(StoredObject)
  /// 202 or 204: the request is accepted. If it contained the last chunk, the upload is complete.
  case accepted
  /// 308 with a `Range` header: the server has stored this many bytes from the start of the file.
  case stored(byteCount: Int64)
  /// 308 without a `Range` header: the server has stored no bytes, or doesn't report the number.
  case storedUnknown
  /// 408, 429 or 5xx: the client must query the offset later.
  case retry(after: Duration?, reason: String, isDiskFull: Bool = false)
  /// 416: the range doesn't match the stored bytes.
  case rangeMismatch
  /// 413: the chunk is too large for this server.
  case chunkTooLong(reason: String)
  /// 401, 403, 404 or 410: the URL has expired.
  case expired(status: Int)
  /// 499: the upload was canceled.
  case cancelled
  /// Any other status from 400 to 499: sending the request again wouldn't help.
  case refused(status: Int, reason: String)
  /// The response violates the protocol.
  case violation(String)

  /// Interprets an HTTP response.
  /// - Parameters:
  ///   - now: the Unix time in seconds, used to interpret a `Retry-After` date if the response has no `Date` header.
  ///   - url: the secret upload URL, which error pages often contain.
  package init(_ response: HTTPResponse, now: Int64, hiding url: String = "") {
    let status = response.status
    switch status {
    case 200...201 where Self.isWebPage(response):
      self = .violation("the response is a web page, possibly this network's sign-in page")
    case 200, 201:
      self = StoredObject(response).map { .complete($0) } ?? .violation("the server reported an invalid object size")
    case 202, 204: self = .accepted
    case 308 where response.headers["Location"] == nil:
      guard let range = response.headers["Range"] else {
        self = .storedUnknown
        return
      }
      self =
        ContentRange.storedByteCount(rangeHeader: range).map { .stored(byteCount: $0) }
        ?? .violation("the server responded with 308 and an invalid range")
    case 401, 403, 404, 410: self = .expired(status: status)
    case 413: self = .chunkTooLong(reason: Self.bodyExcerpt(response, hiding: url))
    case 416: self = .rangeMismatch
    case 499: self = .cancelled
    case 408, 429, 500...599:
      let delay = response.headers["Retry-After"].flatMap {
        RetryAfter.parseDelay($0, serverDate: response.headers["Date"], now: now)
      }
      // Status 507 means Insufficient Storage (RFC 4918).
      let isDiskFull = status == 507
      let reason = isDiskFull ? "the server's disk is full (507)" : "the server responded with \(status)"
      self = .retry(after: delay, reason: reason, isDiskFull: isDiskFull)
    case 400...499: self = .refused(status: status, reason: Self.bodyExcerpt(response, hiding: url))
    case 300...399: self = .violation("the server responded with a redirect (\(status))")
    default: self = .violation("the server responded with \(status)")
    }
  }

  /// Checks the body instead of the content type, because some upload hosts send an empty body as HTML.
  private static func isWebPage(_ response: HTTPResponse) -> Bool {
    response.text.prefix(300).lowercased().drop(while: \.isWhitespace).hasPrefix("<")
  }

  /// The beginning of the body, used as the rejection reason. The URL and control characters are removed.
  private static func bodyExcerpt(_ response: HTTPResponse, hiding url: String) -> String {
    let printable = response.text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 && $0 != "\u{FFFD}" }
    let text = UploadURL.redact(url, in: String(String.UnicodeScalarView(printable)))
    return text.isEmpty ? "no reason given" : String(text.prefix(200))
  }
}
