import ClipModel
import Foundation
import Hummingbird

/// The routes of `/video/v1/uploads`, with Mux's responses.
struct MuxUploadRoutes: Sendable {
  let server: ServerDependencies

  func add(to router: RouterGroup<BackendContext>) {
    router.post("uploads") { request, context in try await create(request, context) }
    router.get("uploads") { request, _ in
      let page = try MuxPageQuery(request)
      let uploads = try await server.store.muxUploads(limit: page.limit, offset: page.offset)
      return try Response.json(["data": uploads.map { document($0, request) }])
    }
    router.get("uploads/:id") { request, context in
      try Response.json(["data": document(try await requireUpload(context), request)])
    }
    router.put("uploads/:id/cancel") { request, context in try await cancel(try await requireUpload(context), request) }
  }

  private struct Body: Decodable {
    var corsOrigin: String?
    var timeout: Int64?
    var test: Bool?
    var newAssetSettings: NewAssetSettings?

    private enum CodingKeys: String, CodingKey {
      case timeout, test
      case corsOrigin = "cors_origin"
      case newAssetSettings = "new_asset_settings"
    }
  }

  private func create(_ request: Request, _ context: BackendContext) async throws -> Response {
    let body = try await context.decodeBody(of: request, limit: 64 << 10, as: Body.self)
    let timeout = body.timeout ?? DraftRules.defaultLifetimeSeconds
    var problems = body.newAssetSettings?.problems ?? []
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
    guard try await server.cancelUpload(upload.id) else {
      throw BackendFailure.invalid([
        "only a waiting upload can be cancelled; this one is \(upload.muxStatus(at: server.now))"
      ])
    }
    var cancelled = upload
    cancelled.status = .cancelled
    return try Response.json(["data": document(cancelled, request)])
  }

  private func requireUpload(_ context: BackendContext) async throws -> UploadRow {
    let upload = try await server.store.upload(context.parameters.require("id"))
    return try upload.flatMap { $0.objectName == nil ? $0 : nil }.requireFound("the upload")
  }

  private func document(_ upload: UploadRow, _ request: Request) -> JSONObject {
    upload.muxDocument(at: server.now, base: request.requestedBaseURL)
  }
}
