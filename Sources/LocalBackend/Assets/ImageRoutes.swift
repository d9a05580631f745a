import ClipModel
import Foundation
import Hummingbird

/// `/image/{playback id}/…`, in place of Mux's host for pictures: drawn when they are asked for first, then kept.
struct ImageRoutes: Sendable {
  let server: ServerDependencies
  private let files = AssetFiles()

  func add(to router: RouterGroup<BackendContext>) {
    router.get("image/:playback/:file") { request, context in
      let playback = try context.parameters.require("playback")
      let file = try context.parameters.require("file")
      let parameters = request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
      guard let query = try ImageQuery(file: file, parameters) else { throw BackendFailure.notFound("the picture") }
      let asset = try await server.store.playable(playback)
      if case .storyboardIndex(let isWebVTT, let format) = query {
        let url = "\(request.ownBase)/image/\(playback)/storyboard.\(format.fileExtension)"
        return try await index(of: asset, url: url, isWebVTT: isWebVTT, query.contentType)
      }
      let path = try await picture(query, of: asset)
      let tag = "\"\(asset.id)-\((path as NSString).lastPathComponent)\""
      return try await files.serve(path, query.contentType, tag: tag, request, context)
    }
  }

  /// The app's own thumbnail was drawn with the asset.
  private static let stored = PictureFraming(atSeconds: AssetQueue.thumbnailSeconds)

  private func picture(_ query: ImageQuery, of asset: AssetRow) async throws -> String {
    // Of shorter clips it shows their middle.
    if query == .still(Self.stored), (asset.facts?.durationSeconds ?? 0) >= 2 * AssetQueue.thumbnailSeconds {
      return server.folder.thumbnail(ofAsset: asset.id)
    }
    let clip = server.folder.clip(ofAsset: asset.id)
    return try await server.shelf.answered(query.itemName, ofAsset: asset.id, limit: Self.limit(asset)) { path in
      try await server.configuration.assetMaker.drawPicture(query, clip, path)
    }
  }

  /// Mux's: one thumbnail and one animation for each ten seconds, and ten of short clips. Others take their place.
  private static func limit(_ asset: AssetRow) -> Int {
    max(10, Int(min((asset.facts?.durationSeconds ?? 0) / 10, 1000)))
  }

  private func index(
    of asset: AssetRow, url: String, isWebVTT: Bool, _ contentType: String
  ) async throws -> Response {
    var storyboard = try await RenditionCache.answered {
      try await server.configuration.assetMaker.storyboard(server.folder.clip(ofAsset: asset.id))
    }
    storyboard.url = url
    let bytes = isWebVTT ? Data(storyboard.webVTT.utf8) : try JSONEncoder.data(of: storyboard)
    return .text(bytes, contentType, cache: "private, max-age=3600")
  }
}

extension RenditionCache {
  /// As `item`, with errors that a client can act on.
  func answered(
    _ name: String, ofAsset id: String, limit: Int? = nil,
    make: @escaping @Sendable (_ path: String) async throws -> Void
  ) async throws -> String {
    try await Self.answered { try await self.item(name, ofAsset: id, limit: limit, make: make) }
  }

  static func answered<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch is Busy {
      throw BackendFailure(
        .serviceUnavailable, "busy", "too many pictures are being drawn", headers: [.retryAfter: "1"])
    } catch is Gone {
      throw BackendFailure.notFound("the clip")
    } catch AssetMaker.Refused.reason(let reason) {
      throw BackendFailure.invalid([reason])
    } catch let error as any ExplainedError where error.explanation.category != .inputOutput {
      throw BackendFailure.invalid([error.explanation.why])
    }
  }
}
