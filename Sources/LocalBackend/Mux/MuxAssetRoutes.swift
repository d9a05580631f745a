import Foundation
import Hummingbird

/// The routes `/video/v1/assets` and `/video/v1/playback-ids`, with Mux's responses.
struct MuxAssetRoutes: Sendable {
  let server: ServerDependencies

  func add(to router: RouterGroup<BackendContext>) {
    router.get("assets") { request, _ in try await list(request) }
    router.post("assets") { _, _ -> Response in
      throw BackendFailure.invalid(["the local backend creates assets only from direct uploads"])
    }
    router.get("assets/:id") { _, context in try response(try await requireAsset(context)) }
    router.patch("assets/:id") { request, context in try await patch(request, context) }
    router.delete("assets/:id") { _, context in try await delete(context) }
    router.post("assets/:id/playback-ids") { request, context in try await addPlaybackID(request, context) }
    router.get("assets/:id/playback-ids/:playback") { _, context in
      let id = try context.parameters.require("playback")
      let found = try await requireAsset(context).playbackIDs.first { $0.id == id }
      return try Response.json(["data": found.requireFound(Self.playbackID).muxDocument])
    }
    router.delete("assets/:id/playback-ids/:playback") { _, context in
      let asset = try await requireAsset(context).row.id
      let id = try context.parameters.require("playback")
      guard try await server.store.deletePlaybackID(id, ofAsset: asset, now: server.now) else {
        throw BackendFailure.notFound(Self.playbackID)
      }
      return Response(status: .noContent)
    }
    router.get("playback-ids/:playback") { _, context in
      let found = try await server.store.playbackID(context.parameters.require("playback"))
      return try Response.json(["data": found.requireFound(Self.playbackID).muxDocumentWithOwner])
    }
  }

  private static let playbackID = "the playback ID"
  private static let asset = "the asset"
  private static let bodyLimit = 64 << 10

  private func list(_ request: Request) async throws -> Response {
    let page = try MuxPageQuery(request)
    let query = request.uri.queryParameters
    var before: Int64?
    if let cursor = query["cursor"], !cursor.isEmpty {
      guard let sequence = parseDecimal(cursor) else { throw BackendFailure.invalid(["cursor is invalid"]) }
      before = sequence
    }
    var assets: [Asset] = []
    // This server doesn't support live streams, so no asset can belong to one.
    if query["live_stream_id"] == nil {
      // Fetch one more asset than the page size, to find out whether there is a next page.
      assets = try await server.store.assets(
        limit: page.limit + 1, offset: before == nil ? page.offset : 0, before: before,
        uploadID: query.get("upload_id"))
    }
    let shown = assets.prefix(page.limit)
    let cursor = assets.count > shown.count ? shown.last?.row.sequence.map(String.init) : nil
    let documents = shown.map { $0.muxDocument(createdAt: String($0.row.createdAt)) }
    return try Response.json(["data": documents, "next_cursor": cursor ?? JSONObject.Null()] as JSONObject)
  }

  private func patch(_ request: Request, _ context: BackendContext) async throws -> Response {
    let id = try await requireAsset(context).row.id
    let change = try await context.decodeBody(of: request, limit: Self.bodyLimit, as: AssetChange.self)
    guard change.problems.isEmpty else { throw BackendFailure.invalid(change.problems) }
    return try response(try await server.store.patchAsset(id, change, now: server.now).requireFound(Self.asset))
  }

  private func delete(_ context: BackendContext) async throws -> Response {
    let id = try await requireAsset(context).row.id
    guard try await server.store.deleteAsset(id, now: server.now) else { throw BackendFailure.notFound(Self.asset) }
    // `AssetRemover` may remove the files only after the response is sent. Removing them here lets clients rely on the
    // files being gone.
    try await runBlocking { try server.folder.remove(server.folder.assetPath(id)) }
    return Response(status: .noContent)
  }

  private func addPlaybackID(_ request: Request, _ context: BackendContext) async throws -> Response {
    struct Body: Decodable { var policy: String? }
    let id = try await requireAsset(context).row.id
    let policy = try await context.decodeBody(of: request, limit: Self.bodyLimit, as: Body.self).policy ?? "public"
    let problems = NewAssetSettings(playbackPolicies: [policy]).problems
    guard problems.isEmpty else { throw BackendFailure.invalid(problems) }
    let added = try await server.store.addPlaybackID(toAsset: id, now: server.now).requireFound(Self.asset)
    return try Response.json(["data": added.muxDocument], status: .created)
  }

  private func requireAsset(_ context: BackendContext) async throws -> Asset {
    try await server.store.asset(context.parameters.require("id")).requireFound(Self.asset)
  }

  private func response(_ asset: Asset) throws -> Response {
    try Response.json(["data": asset.muxDocument(createdAt: String(asset.row.createdAt))])
  }
}

/// The changes to an asset from a `PATCH` request. A property is `nil` if its member is absent, and `.some(nil)` if the
/// member is null, which removes the value.
struct AssetChange: Decodable, Sendable {
  var passthrough: String??
  var meta: AssetMeta??

  private enum ChangeableKey: String, CodingKey { case passthrough, meta }

  init(from decoder: any Decoder) throws {
    for key in try decoder.container(keyedBy: StringKey.self).allKeys
    where ChangeableKey(stringValue: key.stringValue) == nil {
      throw BackendFailure.invalid(["\(key.stringValue.prefix(64)) cannot be changed; only passthrough and meta can"])
    }
    let container = try decoder.container(keyedBy: ChangeableKey.self)
    if container.contains(.passthrough) {
      passthrough = .some(try container.decodeIfPresent(String.self, forKey: .passthrough))
    }
    if container.contains(.meta) { meta = .some(try container.decodeIfPresent(AssetMeta.self, forKey: .meta)) }
  }

  var problems: [String] { NewAssetSettings(passthrough: passthrough ?? nil, meta: meta ?? nil).problems }
}
