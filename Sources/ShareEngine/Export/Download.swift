import ClipModel
import DurableFiles
import Foundation
import LibCurl

/// Downloads files in parts, so that memory usage doesn't depend on the file size.
struct Download: Sendable {
  var transport: any HTTPTransport

  private static let partByteCount: Int64 = 4 << 20
  /// The maximum size of a response, in bytes. A server without range support sends the entire file in one response.
  private static let maximumByteCount = 256 << 20

  /// Downloads the content of a URL to an empty file.
  /// - Returns: the size of the file in bytes.
  func downloadFile(_ url: String, to path: String, headers: [String: String]) async throws -> Int64 {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? handle.close() }
    var (position, total, tag): (Int64, Int64?, String?) = (0, nil, nil)
    while total.map({ position < $0 }) ?? true {
      try Task.checkCancellation()
      var headers = headers
      headers["Range"] = "bytes=\(position)-\(position + Self.partByteCount - 1)"
      // If the file has changed, the server sends the entire file.
      if let tag { headers["If-Range"] = tag }
      let response = try await fetchResponse(url, headers: headers)
      if response.status == 200 {
        guard position == 0 else { throw Self.makeError("the file changed during the download") }
        total = Int64(response.body.count)
      } else {
        guard let range = Self.parseContentRange(response), range.start == position, !response.body.isEmpty,
          total == nil || total == range.total
        else { throw Self.makeError("the server sent a different byte range than requested") }
        total = range.total
      }
      tag = response.headers["ETag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
      position += Int64(response.body.count)
      try await WorkerThread.run("bsc export") { _ in try handle.write(contentsOf: response.body) }
    }
    guard position == total, position > 0 else { throw Self.makeError("the file is empty or incomplete") }
    return position
  }

  /// Sends a request and returns a complete response with status 200 or 206. Retries temporary failures.
  func fetchResponse(_ url: String, headers: [String: String]) async throws -> HTTPResponse {
    var request = HTTPRequest(.get, url: url, maximumResponseByteCount: Self.maximumByteCount)
    for (name, value) in headers { request.headers[name] = value }
    var (retries, generator) = (RetryState(), SystemRandomNumberGenerator())
    while true {
      let reason: String
      do {
        let response = try await transport.send(request)
        switch response.status {
        case 200, 206:
          if !response.isBodyTruncated { return response }
          reason = "the response was incomplete"
        case 408, 429, 500...599: reason = "the server responded with \(response.status)"
        default: throw ShareEngineError(.videoMissing, ["status": "\(response.status)"])
        }
      } catch let error as CurlError where error.isTemporary {
        reason = error.description
      }
      guard let delay = retries.nextDelay(.brief, using: &generator) else { throw Self.makeError(reason) }
      try await Task.sleep(for: delay)
    }
  }

  /// Parses a header such as `Content-Range: bytes 0-99/1000`.
  private static func parseContentRange(_ response: HTTPResponse) -> (start: Int64, total: Int64)? {
    guard let match = response.headers["Content-Range"]?.wholeMatch(of: /bytes (\d+)-(\d+)\/(\d+)/),
      let start = Int64(match.1), let end = Int64(match.2), let total = Int64(match.3),
      end - start + 1 == response.body.count, end < total
    else { return nil }
    return (start, total)
  }

  private static func makeError(_ reason: String) -> ShareEngineError {
    ShareEngineError(.videoFailed, ["reason": reason])
  }
}
