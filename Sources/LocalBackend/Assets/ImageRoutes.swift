import ClipModel
import Foundation
import Hummingbird

/// The routes of `/image/{playback id}/…`, which replace Mux's image host. Pictures are rendered on the first request
/// and then cached.
struct ImageRoutes: Sendable {
  let server: ServerDependencies
  private let files = AssetFiles()

  func add(to router: RouterGroup<BackendContext>) {
    router.get("image/:playback/:file") { request, context in
      let playback = try context.parameters.require("playback")
      let file = try context.parameters.require("file")
      var parameters = request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
        .filter { $0.name != "token" }
      // The parameters of a signed address are in its token.
      let unsigned = try ImageQuery(file: file, parameters).requireFound("the picture")
      let grant = try await PlaybackAccess(server: server).grant(playback, .init(unsigned), request)
      if let token = grant.token {
        guard parameters.isEmpty else { throw BackendFailure.invalid(["the token contains the parameters"]) }
        parameters = token.claims.parameters.map { (name: $0.key, value: $0.value) }
      }
      let query = try ImageQuery(file: file, parameters).requireFound("the picture")
      let asset = grant.asset
      if case .storyboardIndex(let isWebVTT, let format) = query {
        let token = grant.token.map { "?token=\($0.text)" } ?? ""
        let url = "\(request.requestedBaseURL)/image/\(playback)/storyboard.\(format.fileExtension)\(token)"
        return try await storyboardIndex(
          of: asset, url: url, isWebVTT: isWebVTT, query.contentType, cache: grant.cacheControl)
      }
      let path = try await server.pictures.path(query, ofAsset: asset.id, asset.facts)
      let tag = "\"\(asset.id)-\((path as NSString).lastPathComponent)\""
      return try await files.serve(path, query.contentType, tag: tag, cache: grant.cacheControl, request, context)
    }
  }

  private func storyboardIndex(
    of asset: AssetRow, url: String, isWebVTT: Bool, _ contentType: String, cache: String
  ) async throws -> Response {
    var storyboard = try await RenditionCache.reportClientErrors {
      try await server.configuration.assetMaker.storyboard(server.folder.clipPath(ofAsset: asset.id))
    }
    storyboard.url = url
    let bytes = isWebVTT ? Data(storyboard.webVTT.utf8) : try JSONEncoder.data(of: storyboard)
    return .text(bytes, contentType, cache: cache)
  }
}
