import ClipModel
import DurableFiles
import Foundation
import LibCurl

/// Fetches files, a part at a time: a clip need not fit into the memory.
struct Download: Sendable {
  var transport: any HTTPTransport

  /// Bytes of a part; a server that sends the whole file instead may send more.
  private static let (partSize, longestAnswer): (Int64, Int) = (4 << 20, 256 << 20)

  /// Writes what is at the address into the empty file.
  /// - Returns: how many bytes it has.
  func file(_ url: String, to path: String, headers: [String: String]) async throws -> Int64 {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? handle.close() }
    var (position, total, tag): (Int64, Int64?, String?) = (0, nil, nil)
    while total.map({ position < $0 }) ?? true {
      try Task.checkCancellation()
      var headers = headers
      headers["Range"] = "bytes=\(position)-\(position + Self.partSize - 1)"
      // Another file by now is sent whole, and noticed.
      if let tag { headers["If-Range"] = tag }
      let response = try await get(url, headers: headers)
      if response.status == 200 {
        guard position == 0 else { throw Self.failure("the file changed while it was fetched") }
        total = Int64(response.body.count)
      } else {
        guard let range = Self.range(response), range.start == position, !response.body.isEmpty,
          total == nil || total == range.total
        else { throw Self.failure("the server sent another part than the one that was asked for") }
        total = range.total
      }
      tag = response.headers["ETag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
      position += Int64(response.body.count)
      try await WorkerThread.run("bsc export") { _ in try handle.write(contentsOf: response.body) }
    }
    guard position == total, position > 0 else { throw Self.failure("the file is empty, or broke off") }
    return position
  }

  /// A small file.
  func bytes(_ url: String, headers: [String: String]) async throws -> Data {
    Data(try await get(url, headers: headers).body)
  }

  /// An answer with 200 or 206, whole.
  private func get(_ url: String, headers: [String: String]) async throws -> HTTPResponse {
    var (retries, generator) = (RetryState(), SystemRandomNumberGenerator())
    while true {
      let reason: String
      do {
        var request = HTTPRequest(.get, url: url, maximumAnswerByteCount: Self.longestAnswer)
        for (name, value) in headers { request.headers[name] = value }
        let response = try await transport.send(request)
        switch response.status {
        case 200, 206:
          if !response.isBodyTruncated { return response }
          reason = "the answer broke off"
        case 408, 429, 500...599: reason = "the server answered \(response.status)"
        default:
          throw ShareEngineError(.videoMissing, ["status": "\(response.status)"])
        }
      } catch let error as CurlError where error.isTemporary {
        reason = error.description
      }
      guard let delay = retries.nextDelay(.brief, using: &generator) else { throw Self.failure(reason) }
      try await Task.sleep(for: delay)
    }
  }

  /// `Content-Range: bytes 0-99/1000`.
  private static func range(_ response: HTTPResponse) -> (start: Int64, total: Int64)? {
    guard let text = response.headers["Content-Range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst("bytes ".count).split { "-/".contains($0) }.map { Int64($0) }
    guard parts.count == 3, let start = parts[0], let end = parts[1], let total = parts[2],
      end - start + 1 == response.body.count, end < total
    else { return nil }
    return (start, total)
  }

  private static func failure(_ reason: String) -> ShareEngineError {
    ShareEngineError(.videoFailed, ["reason": reason])
  }
}
