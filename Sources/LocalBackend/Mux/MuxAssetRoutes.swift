import Foundation
import Hummingbird

/// `/video/v1/assets` and `/video/v1/playback-ids`, as Mux answers.
struct MuxAssetRoutes: Sendable {
  let server: ServerDependencies

  func add(to router: RouterGroup<BackendContext>) {
    router.get("assets") { request, _ in try await list(request) }
    router.post("assets") { _, _ -> Response in
      throw BackendFailure.invalid(["the local backend makes assets of direct uploads only"])
    }
    router.get("assets/:id") { _, context in try answer(try await existing(context)) }
    router.patch("assets/:id") { request, context in try await patch(request, context) }
    router.delete("assets/:id") { _, context in try await delete(context) }
    router.post("assets/:id/playback-ids") { request, context in try await addPlaybackID(request, context) }
    router.get("assets/:id/playback-ids/:playback") { _, context in
      let asset = try await existing(context)
      let id = try context.parameters.require("playback")
      guard let found = asset.playbackIDs.first(where: { $0.id == id }) else { throw Self.noPlaybackID }
      return try Response.json(["data": PlaybackIDDocument(found)])
    }
    router.delete("assets/:id/playback-ids/:playback") { _, context in
      let asset = try await existing(context)
      let id = try context.parameters.require("playback")
      guard try await server.store.deletePlaybackID(id, ofAsset: asset.row.id, now: server.now) else {
        throw Self.noPlaybackID
      }
      return Response(status: .noContent)
    }
    router.get("playback-ids/:playback") { _, context in
      guard let found = try await server.store.playbackID(context.parameters.require("playback")) else {
        throw Self.noPlaybackID
      }
      return try Response.json(
        ["data": PlaybackIDOwner(id: found.id, policy: found.policy, asset: found.assetID)])
    }
  }

  private static var noPlaybackID: BackendFailure { .notFound("the playback id") }

  private struct PlaybackIDOwner: Encodable {
    struct Object: Encodable {
      var id: String
      var type = "asset"
    }

    var id: String
    var policy: String
    var object: Object

    init(id: String, policy: String, asset: String) {
      self.id = id
      self.policy = policy
      object = Object(id: asset)
    }
  }

  private struct List: Encodable {
    var data: [MuxAssetDocument]
    var nextCursor: String?

    /// The last page has null.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: StringKey.self)
      try container.encode(data, forKey: "data")
      try container.encode(nextCursor, forKey: "next_cursor")
    }
  }

  private func list(_ request: Request) async throws -> Response {
    let page = try MuxPage(request)
    let query = request.uri.queryParameters
    // No live streams here, so none has an asset.
    if query["live_stream_id"] != nil { return try Response.json(List(data: [])) }
    var before: Int64?
    if let cursor = query["cursor"], !cursor.isEmpty {
      guard let sequence = decimal(cursor) else { throw BackendFailure.invalid(["cursor is not one of this server"]) }
      before = sequence
    }
    // One more than the page has, to find out whether there is a next one.
    let assets = try await server.store.assets(
      limit: page.limit + 1, offset: before == nil ? page.offset : 0, before: before,
      uploadID: query.get("upload_id"))
    let told = assets.prefix(page.limit)
    return try Response.json(
      List(
        data: told.map { MuxAssetDocument(asset: $0, form: .answer) },
        nextCursor: assets.count > told.count ? told.last?.row.sequence.map(String.init) : nil))
  }

  /// Absent, null and a value are three different things in a `PATCH`.
  private struct Patch: Decodable {
    var change = AssetChange()

    private enum Key: String, CodingKey { case passthrough, meta }

    init(from decoder: any Decoder) throws {
      let all = try decoder.container(keyedBy: StringKey.self)
      for key in all.allKeys where Key(stringValue: key.stringValue) == nil {
        throw BackendFailure.invalid(["\(key.stringValue.prefix(64)) cannot be changed; passthrough and meta can"])
      }
      let container = try decoder.container(keyedBy: Key.self)
      if container.contains(.passthrough) {
        change.passthrough = .init(value: try container.decodeIfPresent(String.self, forKey: .passthrough))
      }
      if container.contains(.meta) {
        change.meta = .init(value: try container.decodeIfPresent(AssetMeta.self, forKey: .meta))
      }
    }
  }

  private func patch(_ request: Request, _ context: BackendContext) async throws -> Response {
    let id = try await existing(context).row.id
    let change = try await context.values(of: request, limit: 64 << 10, as: Patch.self).change
    let problems =
      NewAssetSettings.problems(ofPassthrough: change.passthrough?.value) + (change.meta?.value?.problems ?? [])
    guard problems.isEmpty else { throw BackendFailure.invalid(problems) }
    guard let asset = try await server.store.patchAsset(id, change, now: server.now) else {
      throw BackendFailure.notFound("the asset")
    }
    return try answer(asset)
  }

  private func delete(_ context: BackendContext) async throws -> Response {
    let id = try await existing(context).row.id
    guard try await server.store.deleteAsset(id, now: server.now) else { throw BackendFailure.notFound("the asset") }
    // `AssetRemover` would do it a moment later: who gets this answer can count on it.
    try await blocking { try server.folder.remove(server.folder.asset(id)) }
    return Response(status: .noContent)
  }

  private func addPlaybackID(_ request: Request, _ context: BackendContext) async throws -> Response {
    struct Body: Decodable { var policy: String? }
    let id = try await existing(context).row.id
    let policy = try await context.values(of: request, limit: 64 << 10, as: Body.self).policy ?? "public"
    let problems = NewAssetSettings(playbackPolicies: [policy]).problems
    guard problems.isEmpty else { throw BackendFailure.invalid(problems) }
    guard let added = try await server.store.addPlaybackID(toAsset: id, now: server.now) else {
      throw BackendFailure.notFound("the asset")
    }
    return try Response.json(
      ["data": PlaybackIDDocument(added)], status: .created)
  }

  private func existing(_ context: BackendContext) async throws -> Asset {
    guard let asset = try await server.store.asset(context.parameters.require("id")) else {
      throw BackendFailure.notFound("the asset")
    }
    return asset
  }

  private func answer(_ asset: Asset) throws -> Response {
    try Response.json(["data": MuxAssetDocument(asset: asset, form: .answer)])
  }
}
