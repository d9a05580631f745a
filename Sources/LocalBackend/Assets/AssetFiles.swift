import Foundation
import Hummingbird

/// Serves an asset's files, either complete or in part.
struct AssetFiles: Sendable {
  private let files = FileIO()

  /// Serves a file.
  /// - Parameter tag: the file's strong entity tag. An asset's files never change.
  func serve(
    _ path: String, _ contentType: String, tag: String, _ request: Request, _ context: BackendContext
  ) async throws -> Response {
    let size = try await runBlocking {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64 ?? nil
    }
    guard let size, size > 0 else { throw BackendFailure.notFound("the file") }
    var headers: HTTPFields = [
      .contentType: contentType, .acceptRanges: "bytes", .eTag: tag, .cacheControl: "private, max-age=3600",
    ]
    if let known = request.headers[.ifNoneMatch], known == "*" || known.contains(tag) {
      return Response(status: .notModified, headers: headers)
    }
    // With `If-Range`, send a part only if the client's copy is of the same file (RFC 9110, 13.1.5).
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
