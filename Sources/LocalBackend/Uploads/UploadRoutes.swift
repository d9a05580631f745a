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
    status: .methodNotAllowed, type: "method_not_allowed", messages: ["this path takes POST"],
    headers: [.allow: "POST"])

  private func open(
    _ request: Request, _ context: BackendContext, author: String, isAbsolute: Bool
  ) async throws -> Response {
    guard let key = request.headers.value(of: "idempotency-key"), !key.isEmpty,
      key.utf8.count <= Self.idempotencyKeyLimit
    else {
      throw Self.invalid(
        .badRequest, ["an Idempotency-Key header of 1 to \(Self.idempotencyKeyLimit) bytes is required"])
    }
    let (draft, bodyLifetime) = try await decodedBody(of: request, context)
    var lifetime = bodyLifetime ?? DraftRules.defaultLifetimeSeconds
    if let text = request.uri.queryParameters.get("timeout") {
      guard let seconds = decimal(text[...]) else { throw Self.invalid(.badRequest, ["timeout is not a number"]) }
      lifetime = seconds
    }
    var problems = DraftRules.problems(of: draft)
    if !DraftRules.lifetimeSeconds.contains(lifetime) { problems.append("timeout must be 60 to 604800 s") }
    guard problems.isEmpty else { throw Self.invalid(.unprocessableContent, problems) }

    let opening = try await server.store.openUpload(
      draft: draft, author: author, idempotencyKey: key, lifetimeSeconds: lifetime, now: server.now)
    switch opening {
    case .created(var ticket), .repeated(var ticket):
      let isNew = if case .created = opening { true } else { false }
      if isAbsolute { ticket.url = "http://\(request.head.authority ?? "127.0.0.1")\(ticket.url)" }
      return try Response.json(ticket, status: isNew ? .created : .ok)
    case .differentDraft:
      throw BackendFailure(
        status: .conflict, type: "idempotency_conflict",
        messages: ["this Idempotency-Key belongs to a waiting upload of another draft"])
    case .differentPost:
      throw BackendFailure(
        status: .conflict, type: "different_post",
        messages: ["the highlight's other clips are of a post of another number"])
    case .highlightExists:
      throw BackendFailure(
        status: .conflict, type: "already_registered", messages: ["the highlight exists already"])
    case .noAccount:
      throw BackendFailure(status: .forbidden, type: "not_allowed", messages: ["the account does not exist"])
    case .highlightTaken:
      throw BackendFailure(
        status: .conflict, type: "highlight_taken", messages: ["the highlight's id belongs to another account"])
    }
  }

  /// The draft and, beside its fields, an optional `timeout`.
  private func decodedBody(of request: Request, _ context: BackendContext) async throws -> (HighlightDraft, Int64?) {
    struct Lifetime: Decodable { var timeout: Int64? }
    let buffer: ByteBuffer
    do {
      buffer = try await context.body(of: request, limit: Self.bodyLimit)
    } catch is NIOTooManyBytesError {
      throw BackendFailure(
        status: .contentTooLarge, type: "invalid_parameters", messages: ["the body is larger than 256 KiB"])
    }
    do {
      let data = Data(buffer.readableBytesView)
      let decoder = JSONDecoder()
      return (
        try decoder.decode(HighlightDraft.self, from: data), try decoder.decode(Lifetime.self, from: data).timeout
      )
    } catch let error as DecodingError {
      throw Self.invalid(.badRequest, [Self.text(of: error)])
    }
  }

  private func cancel(_ id: String, _ author: String) async throws -> Response {
    let upload = try await existing(id, author)
    let cancelled = try await server.store.cancelUpload(id, now: server.now)
    guard !cancelled.isEmpty else {
      throw BackendFailure(
        status: .conflict, type: "not_waiting",
        messages: ["only a waiting upload can be cancelled; this one is \(upload.status(at: server.now).rawValue)"])
    }
    try await blocking {
      for id in cancelled { try server.folder.remove(server.folder.part(ofUpload: id)) }
    }
    return try Response.json(try await existing(id, author).state(at: server.now))
  }

  /// Somebody else's is not told apart from none.
  private func existing(_ id: String, _ author: String) async throws -> UploadRow {
    guard let upload = try await server.store.upload(id), upload.authorID == author else {
      throw BackendFailure.notFound("the upload")
    }
    return upload
  }

  private static func invalid(_ status: HTTPResponse.Status, _ messages: [String]) -> BackendFailure {
    BackendFailure(status: status, type: "invalid_parameters", messages: messages)
  }

  /// Which field is wrong and how, without the value.
  private static func text(of error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(name(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(name(context.codingPath)) is null"
    case .typeMismatch(_, let context): return "\(name(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context): return "\(name(context.codingPath)) has no valid value"
    @unknown default: return "the body is no draft"
    }
  }
}
