import ClipModel
import Foundation
import Hummingbird
import NIOCore

/// `POST /uploads`, `GET /uploads/{id}`, `POST /uploads/{id}/cancel`: what the Edge Function does on Supabase.
struct UploadRoutes: Sendable {
  let server: ServerDependencies

  /// A caption of 2,200 characters with many bytes each, and its tags, fit well.
  private static let bodyLimit = 256 * 1024
  private static let idempotencyKeyLimit = 255

  /// The Edge Function's address and, for bsc itself, the short one: its upload URLs are relative to that.
  func add(to router: Router<BackendContext>) {
    for base in ["uploads", "functions/v1/uploads"] {
      let isFunction = base != "uploads"
      router.post("\(base)") { request, context in
        let author = try await server.callers.user(of: request)
        return try await open(request, context, author: author, isAbsolute: isFunction)
      }
      // The short address is a page, too: `QueueRoutes`.
      if isFunction { router.get("\(base)") { _, _ -> Response in throw Self.methodNotAllowed } }
      router.get("\(base)/:id") { request, context in
        let author = try await server.callers.user(of: request)
        var state = try await existing(context.parameters.require("id"), author).state(at: server.now)
        if state.status == .assetCreated { state.error = await server.assets.trouble(state.id) }
        return try Response.json(state)
      }
      router.post("\(base)/:id/cancel") { request, context in
        let author = try await server.callers.user(of: request)
        return try await cancel(context.parameters.require("id"), author)
      }
    }
  }

  static let methodNotAllowed = BackendFailure(
    .methodNotAllowed, "method_not_allowed", "this path takes POST", headers: [.allow: "POST"])

  private func open(
    _ request: Request, _ context: BackendContext, author: String, isAbsolute: Bool
  ) async throws -> Response {
    guard let key = request.headers.value(of: "idempotency-key"), !key.isEmpty,
      key.utf8.count <= Self.idempotencyKeyLimit
    else {
      throw BackendFailure.invalid(["an Idempotency-Key header of 1 to \(Self.idempotencyKeyLimit) bytes is required"])
    }
    let body = try await context.values(of: request, limit: Self.bodyLimit, as: Body.self)
    let draft = body.draft
    var lifetime = body.timeout ?? DraftRules.defaultLifetimeSeconds
    if let text = request.uri.queryParameters.get("timeout") {
      guard let seconds = decimal(text) else { throw BackendFailure.invalid(["timeout is not a number"]) }
      lifetime = seconds
    }
    var problems = DraftRules.problems(of: draft)
    if !DraftRules.lifetimeSeconds.contains(lifetime) { problems.append("timeout must be 60 to 604800 s") }
    guard problems.isEmpty else { throw BackendFailure.invalid(problems, status: .unprocessableContent) }

    let opening = try await server.store.openUpload(
      draft: draft, author: author, idempotencyKey: key, lifetimeSeconds: lifetime, now: server.now)
    switch opening {
    case .created(var ticket), .repeated(var ticket):
      let isNew = if case .created = opening { true } else { false }
      if isAbsolute { ticket.url = "http://\(request.head.authority ?? "127.0.0.1")\(ticket.url)" }
      return try Response.json(ticket, status: isNew ? .created : .ok)
    case .differentDraft:
      throw BackendFailure(
        .conflict, "idempotency_conflict", "this Idempotency-Key belongs to a waiting upload of another draft")
    case .differentPost:
      throw BackendFailure(.conflict, "different_post", "the highlight's other clips are of a post of another number")
    case .highlightExists:
      throw BackendFailure(.conflict, "already_registered", "the highlight exists already")
    case .noAccount:
      throw BackendFailure(.forbidden, "not_allowed", "the account does not exist")
    case .highlightTaken:
      throw BackendFailure(.conflict, "highlight_taken", "the highlight's id belongs to another account")
    }
  }

  /// A draft, and how long its URL is to live.
  private struct Body: Decodable {
    let draft: HighlightDraft
    let timeout: Int64?

    private enum CodingKeys: CodingKey { case timeout }

    init(from decoder: any Decoder) throws {
      draft = try HighlightDraft(from: decoder)
      timeout = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int64.self, forKey: .timeout)
    }
  }

  private func cancel(_ id: String, _ author: String) async throws -> Response {
    let upload = try await existing(id, author)
    let cancelled = try await server.store.cancelUpload(id, now: server.now)
    guard !cancelled.isEmpty else {
      throw BackendFailure(
        .conflict, "not_waiting",
        "only a waiting upload can be cancelled; this one is \(upload.status(at: server.now).rawValue)")
    }
    try await blocking {
      for id in cancelled { try server.folder.remove(server.folder.part(ofUpload: id)) }
    }
    return try Response.json(try await existing(id, author).state(at: server.now))
  }

  /// An upload of another account is treated as missing.
  private func existing(_ id: String, _ author: String) async throws -> UploadRow {
    guard let upload = try await server.store.upload(id), upload.authorID == author else {
      throw BackendFailure.notFound("the upload")
    }
    return upload
  }
}
