import ClipModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `POST /uploads`, `GET /uploads/{id}`, `POST /uploads/{id}/cancel`: what the Edge Function does on Supabase.
struct UploadRoutes: Sendable {
  let store: ServerStore
  let folder: DataFolder
  let assets: AssetQueue
  let now: @Sendable () -> Date

  /// A caption of 2,200 characters with many bytes each, and its tags, fit well.
  private static let bodyLimit = 256 * 1024
  private static let idempotencyKeyLimit = 255

  func add(to router: Router<BackendContext>) {
    router.post("uploads") { request, context in
      try await context.askForBody(of: request)
      return try await open(request)
    }
    router.get("uploads/:id") { _, context in
      var state = try await existing(context.parameters.require("id")).state(at: now())
      if state.status == .assetCreated { state.error = await assets.trouble(state.id) }
      return try Response.json(state)
    }
    router.post("uploads/:id/cancel") { _, context in try await cancel(context.parameters.require("id")) }
  }

  private func open(_ request: Request) async throws -> Response {
    guard let key = request.headers.value(of: "idempotency-key"), !key.isEmpty,
      key.utf8.count <= Self.idempotencyKeyLimit
    else {
      throw Self.invalid(
        .badRequest, ["an Idempotency-Key header of 1 to \(Self.idempotencyKeyLimit) bytes is required"])
    }
    let (draft, bodyLifetime) = try await decodedBody(of: request)
    var lifetime = bodyLifetime ?? DraftRules.defaultLifetimeSeconds
    if let text = request.uri.queryParameters.get("timeout") {
      guard let seconds = decimal(text[...]) else { throw Self.invalid(.badRequest, ["timeout is not a number"]) }
      lifetime = seconds
    }
    var problems = DraftRules.problems(of: draft)
    if !DraftRules.lifetimeSeconds.contains(lifetime) { problems.append("timeout must be 60 to 604800 s") }
    guard problems.isEmpty else { throw Self.invalid(.unprocessableContent, problems) }

    switch try await store.openUpload(draft: draft, idempotencyKey: key, lifetimeSeconds: lifetime, now: now()) {
    case .created(let ticket): return try Response.json(ticket, status: .created)
    case .repeated(let ticket): return try Response.json(ticket, status: .ok)
    case .differentDraft:
      throw BackendFailure(
        status: .conflict, type: "idempotency_conflict",
        messages: ["this Idempotency-Key belongs to a waiting upload of another draft"])
    case .highlightExists:
      throw BackendFailure(
        status: .conflict, type: "already_registered", messages: ["the highlight exists already"])
    }
  }

  /// The draft and, beside its fields, an optional `timeout`.
  private func decodedBody(of request: Request) async throws -> (HighlightDraft, Int64?) {
    struct Lifetime: Decodable { var timeout: Int64? }
    let buffer: ByteBuffer
    do {
      buffer = try await request.body.collect(upTo: Self.bodyLimit)
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

  private func cancel(_ id: String) async throws -> Response {
    let upload = try await existing(id)
    guard try await store.cancelUpload(id, now: now()) else {
      throw BackendFailure(
        status: .conflict, type: "not_waiting",
        messages: ["only a waiting upload can be cancelled; this one is \(upload.status(at: now()).rawValue)"])
    }
    let part = folder.part(ofUpload: id)
    try await blocking { [folder] in try folder.remove(part) }
    return try Response.json(try await existing(id).state(at: now()))
  }

  private func existing(_ id: String) async throws -> UploadRow {
    guard let upload = try await store.upload(id) else { throw BackendFailure.notFound("the upload") }
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
