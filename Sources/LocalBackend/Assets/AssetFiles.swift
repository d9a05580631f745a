import Foundation
import Hummingbird

/// Serves an asset's files, including requests for byte ranges.
struct AssetFiles: Sendable {
  private let files = FileIO()

  /// Serves a file or the requested part of it.
  /// - Parameters:
  ///   - tag: the file's entity tag. It is a strong tag, because an asset's files never change.
  ///   - cache: the value of `Cache-Control`.
  func serve(
    _ path: String, _ contentType: String, tag: String, cache: String, _ request: Request, _ context: BackendContext
  ) async throws -> Response {
    let size = try await runBlocking {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64 ?? nil
    }
    guard let size, size > 0 else { throw BackendFailure.notFound("the file") }
    var headers: HTTPFields = [
      .contentType: contentType, .acceptRanges: "bytes", .eTag: tag, .cacheControl: cache,
    ]
    if let known = request.headers[.ifNoneMatch], known == "*" || known.contains(tag) {
      return Response(status: .notModified, headers: headers)
    }
    // If the request has an `If-Range` header, send a part only if the client's copy comes from the same file (RFC
    // 9110, 13.1.5).
    let mayBePartial = request.headers[.ifRange].map { $0 == tag } ?? true
    switch ByteRange(header: mayBePartial ? request.headers[.range] : nil, byteCount: size) {
    case .whole:
      return Response(status: .ok, headers: headers, body: try await files.loadFile(path: path, context: context))
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      let body = try await files.loadFile(
        path: path, range: Int(range.lowerBound)...Int(range.upperBound - 1), context: context)
      return Response(status: .partialContent, headers: headers, body: body)
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(size)"
      headers[.contentType] = nil
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
  }
}
