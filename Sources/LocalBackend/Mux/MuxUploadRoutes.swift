import ClipModel
import Foundation
import Hummingbird

/// `/video/v1/uploads`, as Mux answers.
struct MuxUploadRoutes: Sendable {
  let server: ServerDependencies

  func add(to router: RouterGroup<BackendContext>) {
    router.post("uploads") { request, context in try await create(request, context) }
    router.get("uploads") { request, _ in
      let page = try MuxPage(request)
      let uploads = try await server.store.muxUploads(limit: page.limit, offset: page.offset)
      return try Response.json(["data": uploads.map { document($0, request) }])
    }
    router.get("uploads/:id") { request, context in
      try Response.json(["data": document(try await existing(context), request)])
    }
    router.put("uploads/:id/cancel") { request, context in try await cancel(try await existing(context), request) }
  }

  private struct Body: Decodable {
    var corsOrigin: String?
    var timeout: Int64?
    var test: Bool?
    var newAssetSettings: NewAssetSettings?
    var unsupported: [String] = []

    /// Mux has them and this server does not: an answer without them would be a wrong one.
    private enum Unsupported: String, CodingKey, CaseIterable {
      case input, inputs
      case advancedPlaybackPolicies = "advanced_playback_policies"
    }

    private enum Key: String, CodingKey {
      case timeout, test
      case corsOrigin = "cors_origin"
      case newAssetSettings = "new_asset_settings"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      corsOrigin = try container.decodeIfPresent(String.self, forKey: .corsOrigin)
      timeout = try container.decodeIfPresent(Int64.self, forKey: .timeout)
      test = try container.decodeIfPresent(Bool.self, forKey: .test)
      newAssetSettings = try container.decodeIfPresent(NewAssetSettings.self, forKey: .newAssetSettings)
      guard newAssetSettings != nil else { return }
      let settings = try container.nestedContainer(keyedBy: Unsupported.self, forKey: .newAssetSettings)
      unsupported = try Unsupported.allCases.filter { key in
        try settings.contains(key) && !settings.decodeNil(forKey: key)
      }.map(\.rawValue)
    }
  }

  private func create(_ request: Request, _ context: BackendContext) async throws -> Response {
    let body = try await context.values(of: request, limit: 64 << 10, as: Body.self)
    let timeout = body.timeout ?? DraftRules.defaultLifetimeSeconds
    var problems = body.newAssetSettings?.problems ?? []
    problems += body.unsupported.map { "the local backend does not know new_asset_settings.\($0)" }
    if !DraftRules.lifetimeSeconds.contains(timeout) { problems.append("timeout must be 60 to 604800") }
    problems += AssetMeta.problems("cors_origin", body.corsOrigin, limit: 2048)
    guard problems.isEmpty else { throw BackendFailure.invalid(problems) }
    let upload = try await server.store.openMuxUpload(
      MuxUploadRequest(
        corsOrigin: body.corsOrigin, timeout: timeout, isTest: body.test ?? body.newAssetSettings?.test ?? false,
        settings: body.newAssetSettings), now: server.now)
    return try Response.json(["data": document(upload, request)], status: .created)
  }

  private func cancel(_ upload: UploadRow, _ request: Request) async throws -> Response {
    guard try await !server.store.cancelUpload(upload.id, now: server.now).isEmpty else {
      throw BackendFailure.invalid([
        "only a waiting upload can be cancelled; this one is \(upload.muxStatus(at: server.now))"
      ])
    }
    let part = server.folder.part(ofUpload: upload.id)
    try await blocking { try server.folder.remove(part) }
    var cancelled = upload
    cancelled.status = .cancelled
    return try Response.json(["data": document(cancelled, request)])
  }

  private func existing(_ context: BackendContext) async throws -> UploadRow {
    guard let upload = try await server.store.upload(context.parameters.require("id")), upload.objectName == nil else {
      throw BackendFailure.notFound("the upload")
    }
    return upload
  }

  private func document(_ upload: UploadRow, _ request: Request) -> MuxUploadDocument {
    MuxUploadDocument(upload, at: server.now, base: request.ownBase)
  }
}

extension Request {
  /// `http://127.0.0.1:7437`, by the name that the client knows this server under; `RequestGuard` has checked it.
  var ownBase: String { "http://\(head.authority ?? "127.0.0.1")" }
}
