import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/stream/{playback id}.mp4` and `/image/{playback id}/thumbnail.jpg`, in place of Mux's hosts.
///
/// A file is found through its highlight's row alone, so what never became a highlight cannot be fetched.
struct MediaRoutes: Sendable {
  let store: ServerStore
  let folder: DataFolder
  private let files = FileIO()

  init(store: ServerStore, folder: DataFolder) {
    self.store = store
    self.folder = folder
  }

  func add(to router: Router<BackendContext>) {
    router.get("stream/:file") { request, context in
      let name = try context.parameters.require("file")
      guard name.hasSuffix(".mp4") else { throw BackendFailure.notFound("the clip") }
      let asset = try await assetID(ofPlayback: String(name.dropLast(4)))
      return try await serve(folder.clip(ofAsset: asset), "video/mp4", tag: "\"\(asset)-clip\"", request, context)
    }
    router.get("image/:playback/thumbnail.jpg") { request, context in
      let asset = try await assetID(ofPlayback: try context.parameters.require("playback"))
      return try await serve(
        folder.thumbnail(ofAsset: asset), "image/jpeg", tag: "\"\(asset)-thumbnail\"", request, context)
    }
  }

  private func assetID(ofPlayback id: String) async throws -> String {
    guard let asset = try await store.highlight(playbackID: id)?.muxAssetID else {
      throw BackendFailure.notFound("the clip")
    }
    return asset
  }

  /// - Parameter tag: strong: an asset's files never change.
  private func serve(
    _ path: String, _ contentType: String, tag: String, _ request: Request, _ context: BackendContext
  ) async throws -> Response {
    let size = try await blocking {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64 ?? nil
    }
    guard let size, size > 0 else { throw BackendFailure.notFound("the file") }
    var headers: HTTPFields = [
      .contentType: contentType, .acceptRanges: "bytes", .eTag: tag, .cacheControl: "private, max-age=3600",
    ]
    if let known = request.headers[.ifNoneMatch], known == "*" || known.contains(tag) {
      return Response(status: .notModified, headers: headers)
    }
    // If-Range: the part only if the file is still the one that the client knows (RFC 9110, 13.1.5).
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
