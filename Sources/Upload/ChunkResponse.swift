import ClipModel
package import LibCurl

/// What an HTTP answer to an upload request means, before it is held against what was sent.
///
/// This is the only place that compares status codes of the upload host. The table: resumable upload protocol of
/// Google Cloud Storage, as spoken by Mux's upload hosts.
package enum ChunkResponse: Equatable, Sendable {
  /// 200, 201: the upload is complete, whatever we thought we sent; with its size if the server tells.
  case complete(StoredObject)
  /// 202, 204: taken. The end of the upload when it answers the last chunk.
  case accepted
  /// 308 with `Range`: this many bytes, from the start, are stored.
  case stored(byteCount: Int64)
  /// 308 without `Range`: nothing is stored, or the server does not tell.
  case storedUnknown
  /// 408, 429, 5xx: ask how far the server is, later.
  case retry(after: Duration?, reason: String, isDiskFull: Bool = false)
  /// 416: the range does not fit what the server holds.
  case outOfStep
  /// 413: the chunk is too long for this server.
  case chunkTooLong(reason: String)
  /// 401, 403, 404, 410: this URL will not take anything any more.
  case expired(status: Int)
  /// 499: somebody cancelled the upload.
  case cancelled
  /// Everything else from 400 to 499: sending it again would not help.
  case refused(status: Int, reason: String)
  /// An answer that the protocol does not know.
  case violation(String)

  /// - Parameters:
  ///   - now: Unix seconds, for a `Retry-After` with a date when the server sends no `Date`.
  ///   - url: the credential; servers like to repeat it in their error pages.
  package init(_ response: HTTPResponse, now: Int64, hiding url: String = "") {
    switch response.status {
    case 200...201 where Self.isWebPage(response):
      self = .violation("a web page answered: perhaps the sign-in page of this network")
    case 200, 201:
      self = StoredObject(response).map { .complete($0) } ?? .violation("the server tells a size that is no number")
    case 202, 204: self = .accepted
    case 308:
      guard response.headers["Location"] == nil else {
        self = .violation("the server answered with a redirect (308)")
        return
      }
      guard let text = response.headers["Range"] else {
        self = .storedUnknown
        return
      }
      self =
        ContentRange.storedByteCount(rangeHeader: text).map { .stored(byteCount: $0) }
        ?? .violation("the server answered 308 with a range that makes no sense")
    case 401, 403, 404, 410: self = .expired(status: response.status)
    case 413: self = .chunkTooLong(reason: Self.excerpt(response, hiding: url))
    case 416: self = .outOfStep
    case 499: self = .cancelled
    case 408, 429, 500...599:
      let delay = response.headers["Retry-After"].flatMap {
        RetryAfter.delay($0, serverDate: response.headers["Date"], now: now)
      }
      // 507 is Insufficient Storage, RFC 4918.
      let isDiskFull = response.status == 507
      let reason = isDiskFull ? "the server's disk is full (507)" : "the server answered \(response.status)"
      self = .retry(after: delay, reason: reason, isDiskFull: isDiskFull)
    case 400...499:
      self = .refused(status: response.status, reason: Self.excerpt(response, hiding: url))
    case 300...399: self = .violation("the server answered with a redirect (\(response.status))")
    default: self = .violation("the server answered \(response.status)")
    }
  }

  /// No upload host answers with one, though some call their empty body so.
  private static func isWebPage(_ response: HTTPResponse) -> Bool {
    response.text.prefix(300).lowercased().drop(while: \.isWhitespace).hasPrefix("<")
  }

  /// The first words of the body: why the server refused. Controls are left out, so that it can go to a terminal.
  private static func excerpt(_ response: HTTPResponse, hiding url: String) -> String {
    let printable = response.text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 && $0 != "\u{FFFD}" }
    let text = UploadURL.hidden(url, in: String(String.UnicodeScalarView(printable)))
    return text.isEmpty ? "no reason given" : String(text.prefix(200))
  }
}
