import ClipModel
import Foundation
import Hummingbird
import NIOCore

/// The routes `POST /uploads`, `GET /uploads/{id}` and `POST /uploads/{id}/cancel`. On Supabase, an Edge Function
/// provides them.
struct UploadRoutes: Sendable {
  let server: ServerDependencies

  /// The maximum size of a draft in bytes. It allows a caption of 2,200 multi-byte characters with its tags.
  private static let bodyLimit = 256 * 1024
  private static let idempotencyKeyLimit = 255

  /// Adds the routes under the Edge Function's path, and under a short path for bsc itself, which receives relative
  /// upload URLs.
  func add(to router: Router<BackendContext>) {
    for base in ["uploads", "functions/v1/uploads"] {
      let isFunction = base != "uploads"
      router.post("\(base)") { request, context in
        let author = try await server.callers.user(of: request)
        return try await open(request, context, author: author, isAbsolute: isFunction)
      }
      // The short path is also the path of a page; see `QueueRoutes`.
      if isFunction { router.get("\(base)") { _, _ -> Response in throw Self.methodNotAllowed } }
      router.get("\(base)/:id") { request, context in
        var state = try await requireUpload(request, context).state(at: server.now)
        if state.status == .assetCreated { state.error = await server.assets.delayReason(ofUpload: state.id) }
        return try Response.json(state)
      }
      router.post("\(base)/:id/cancel") { request, context in try await cancel(request, context) }
    }
  }

  static let methodNotAllowed = BackendFailure(
    .methodNotAllowed, "method_not_allowed", "this endpoint accepts only POST", headers: [.allow: "POST"])

  private func open(
    _ request: Request, _ context: BackendContext, author: String, isAbsolute: Bool
  ) async throws -> Response {
    guard let key = request.headers.value(of: "idempotency-key"), !key.isEmpty,
      key.utf8.count <= Self.idempotencyKeyLimit
    else {
      throw BackendFailure.invalid(["an Idempotency-Key header of 1 to \(Self.idempotencyKeyLimit) bytes is required"])
    }
    let body = try await context.decodeBody(of: request, limit: Self.bodyLimit, as: Body.self)
    var lifetime = body.timeout ?? DraftRules.defaultLifetimeSeconds
    if let text = request.uri.queryParameters.get("timeout") {
      guard let seconds = parseDecimal(text) else { throw BackendFailure.invalid(["timeout is not a number"]) }
      lifetime = seconds
    }
    var problems = DraftRules.problems(of: body.draft)
    if !DraftRules.lifetimeSeconds.contains(lifetime) { problems.append("timeout must be 60 to 604800 s") }
    guard problems.isEmpty else { throw BackendFailure.invalid(problems, status: .unprocessableContent) }

    var (ticket, isNew) = try await server.store.openUpload(
      draft: body.draft, author: author, idempotencyKey: key, lifetimeSeconds: lifetime, now: server.now)
    if isAbsolute { ticket.url = request.requestedBaseURL + ticket.url }
    return try Response.json(ticket, status: isNew ? .created : .ok)
  }

  /// A draft, with the lifetime of its upload URL.
  private struct Body: Decodable {
    let draft: HighlightDraft
    let timeout: Int64?

    private enum CodingKeys: CodingKey { case timeout }

    init(from decoder: any Decoder) throws {
      draft = try HighlightDraft(from: decoder)
      timeout = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int64.self, forKey: .timeout)
    }
  }

  private func cancel(_ request: Request, _ context: BackendContext) async throws -> Response {
    let upload = try await requireUpload(request, context)
    guard try await server.cancelUpload(upload.id) else {
      throw BackendFailure(
        .conflict, "not_waiting",
        "only a waiting upload can be cancelled; this one is \(upload.status(at: server.now).rawValue)")
    }
    return try Response.json(try await requireUpload(request, context).state(at: server.now))
  }

  /// Returns the caller's upload. An upload from a different account is treated as missing.
  private func requireUpload(_ request: Request, _ context: BackendContext) async throws -> UploadRow {
    let author = try await server.callers.user(of: request)
    let upload = try await server.store.upload(context.parameters.require("id"))
    return try upload.flatMap { $0.authorID == author ? $0 : nil }.requireFound("the upload")
  }
}

extension ServerDependencies {
  /// Cancels a waiting upload and the other clips of its post, and removes the received bytes.
  /// - Returns: false if the upload is no longer waiting.
  func cancelUpload(_ id: String) async throws -> Bool {
    let cancelled = try await store.cancelUpload(id, now: now)
    try await runBlocking { for id in cancelled { try folder.remove(folder.partPath(ofUpload: id)) } }
    return !cancelled.isEmpty
  }
}
