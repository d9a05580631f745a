import ClipModel
import Foundation
import Hummingbird

/// The routes of upload URLs: `PUT` and `DELETE /upload/{id}?token=…`. The responses are those of Mux's direct uploads.
struct ChunkRoutes: Sendable {
  let server: ServerDependencies
  private let queue = UploadSessionQueue()

  /// The time that a disconnected request gets to record its received bytes, even on a slow disk.
  private static let takeoverTimeout = Duration.seconds(30)

  func add(to router: Router<BackendContext>) {
    let uploads = router.group("upload").add(middleware: CrossOrigin(resource: .upload, store: server.store))
    uploads.put(":id") { request, context in
      try await runExclusively(request, context) { try await put(request, context, $0, $1) }
    }
    uploads.delete(":id") { request, context in
      try await runExclusively(request, context) { upload, _ in try await cancel(upload) }
    }
    uploads.on(":id", method: .options) { _, _ in CrossOrigin.preflightResponse(methods: "PUT") }
  }

  /// Runs one request per upload at a time. Requests with an invalid token are rejected immediately.
  private func runExclusively(
    _ request: Request, _ context: BackendContext, _ respond: (UploadRow, ChunkTransfer) async throws -> Response
  ) async throws -> Response {
    let id = try context.parameters.require("id")
    guard try await server.store.upload(id).requireFound("the upload").accepts(tokenOf: request) else {
      throw BackendFailure(.forbidden, "wrong_token", "the upload URL's token is wrong")
    }
    let transfer = ChunkTransfer { [channel = context.channel] in channel.close(promise: nil) }
    var outcome = await queue.begin(id, transfer, timeout: server.configuration.uploadQueueTimeout)
    if case .idle(let older, let pause) = outcome {
      let range = request.headers[.contentRange].flatMap(ContentRange.init)
      if request.method == .put, case .query? = range { return try await respondToStatusQuery(pause, id) }
      if Self.mayInterruptWriter(request, at: pause.offset) {
        older.disconnect()
        outcome = await queue.begin(id, transfer, timeout: Self.takeoverTimeout)
      }
    }
    guard case .begun = outcome else {
      throw BackendFailure(
        .serviceUnavailable, "upload_busy", "another request for this upload is in progress",
        headers: [.retryAfter: "1"])
    }
    do {
      // Read the row again, because the previous request may have changed any of its values.
      let response = try await respond(try await server.store.upload(id).requireFound("the upload"), transfer)
      await queue.end(id)
      return response
    } catch {
      await queue.end(id)
      throw error
    }
  }

  /// Whether a request may interrupt an idle writer. Another writer may do so if it starts at or before the idle
  /// writer's offset. A cancellation always may.
  private static func mayInterruptWriter(_ request: Request, at offset: Int64) -> Bool {
    guard request.method == .put, let header = request.headers[.contentRange] else { return true }
    guard case .bytes(let range, _)? = ContentRange(header) else { return false }
    return range.lowerBound <= offset
  }

  /// Responds to a status query while an idle writer occupies the upload.
  private func respondToStatusQuery(_ pause: ChunkTransfer.Pause, _ id: String) async throws -> Response {
    let isWaiting = try await server.store.recordStoredBytes(pause.offset, of: pause.file, ofUpload: id)
    return isWaiting ? progress(pause.offset) : Response(status: .uploadCancelled)
  }

  private func put(
    _ request: Request, _ context: BackendContext, _ upload: UploadRow, _ transfer: ChunkTransfer
  ) async throws -> Response {
    switch upload.status(at: server.now) {
    // A superseded attempt is canceled even if all of its bytes have arrived. Report success, so that the client
    // doesn't send the bytes again.
    case .cancelled where upload.totalBytes != nil && upload.storedBytes == upload.totalBytes:
      return try await completionResponse(upload)
    // An errored upload is incomplete if another clip in its post failed first.
    case .errored where upload.storedBytes != upload.totalBytes, .cancelled: return Response(status: .uploadCancelled)
    case .timedOut: throw BackendFailure(.gone, "expired", "the upload URL has expired")
    case .assetCreated, .ready, .errored: return try await completionResponse(upload)
    case .waiting: break
    }
    let decision = ChunkDecision.make(
      contentRange: request.headers[.contentRange], contentLength: request.headers.contentByteCount,
      stored: upload.storedBytes, total: upload.totalBytes, limit: server.configuration.maximumUploadBytes,
      acceptsUnknownSize: server.configuration.acceptsUnknownSize)
    switch decision {
    case .report: return progress(upload.storedBytes)
    case .finish(let byteCount): return try await finish(upload, byteCount: byteCount)
    case .reject(let refusal): throw failure(of: refusal)
    case .receive(let chunk):
      try await context.sendContinueIfExpected(for: request)
      return try await receive(chunk, request, upload, transfer)
    }
  }

  private func receive(
    _ chunk: ChunkDecision.Chunk, _ request: Request, _ upload: UploadRow, _ transfer: ChunkTransfer
  ) async throws -> Response {
    let receiver = ChunkReceiver(
      store: server.store, uploadID: upload.id, path: server.folder.partPath(ofUpload: upload.id), transfer: transfer)
    do {
      guard let stored = try await receiver.receive(request.body, chunk: chunk) else {
        return Response(status: .uploadCancelled)
      }
      return stored == chunk.total ? try await finish(upload, byteCount: stored) : progress(stored)
    } catch let failure as PartFile.Failure where !StorageFailure.isDiskFull(failure) {
      throw BackendFailure(
        .internalServerError, "storage_failed", "the upload cannot be stored: \(systemErrorText(failure.code))")
    }
  }

  private func finish(_ upload: UploadRow, byteCount: Int64) async throws -> Response {
    let now = server.now
    let status = try await withoutCancellation {
      try await server.store.completeUpload(upload.id, byteCount: byteCount, now: now)
    }
    guard let status else { return Response(status: .uploadCancelled) }
    if status == .assetCreated { await server.assets.add(upload.id) }
    var upload = upload
    upload.totalBytes = byteCount
    return try await completionResponse(upload)
  }

  private func cancel(_ upload: UploadRow) async throws -> Response {
    switch upload.status(at: server.now) {
    case .waiting, .timedOut, .cancelled:
      _ = try await server.cancelUpload(upload.id)
      // Also remove the file of an upload that expired or was canceled earlier, because an earlier attempt may have
      // failed.
      let part = server.folder.partPath(ofUpload: upload.id)
      try await runBlocking { try server.folder.remove(part) }
      return Response(status: .uploadCancelled)
    case .assetCreated, .ready, .errored:
      throw BackendFailure(.conflict, "not_waiting", "the upload is already complete")
    }
  }

  /// Responds with status 308. The response includes `Range` if any bytes are stored.
  private func progress(_ stored: Int64) -> Response {
    Response(status: .resumeIncomplete, headers: stored > 0 ? [.range: "bytes=0-\(stored - 1)"] : [:])
  }

  private func completionResponse(_ upload: UploadRow) async throws -> Response {
    var headers = HTTPFields()
    // For signed URLs, Google's servers send this header instead of a body.
    headers.set("x-goog-stored-content-length", to: String(upload.totalBytes ?? upload.storedBytes))
    guard let object = upload.objectName.flatMap(ObjectName.init(text:)) else {
      return Response(status: .ok, headers: headers)
    }
    let part = server.folder.partPath(ofUpload: upload.id)
    return try Response.json(
      try await runBlocking { try ObjectDocument(object, path: part) }, headers: headers, keys: .useDefaultKeys)
  }

  private func failure(of refusal: ChunkDecision.Rejection) -> BackendFailure {
    switch refusal {
    case .malformed(let reason): BackendFailure(.badRequest, "invalid_request", reason)
    case .lengthMissing: BackendFailure(.lengthRequired, "invalid_request", "Content-Length is required")
    case .tooLarge(let limit):
      // Status 413 would mean that the server accepts a shorter chunk.
      BackendFailure(.badRequest, "too_large", "the file exceeds the limit of \(limit) bytes")
    case .gap:
      BackendFailure(
        .rangeNotSatisfiable, "gap",
        "the chunk starts after the stored offset; query the offset with Content-Range: bytes */*")
    }
  }
}

extension HTTPResponse.Status {
  /// The status that Google's upload protocol uses for an incomplete upload. It is not a redirect.
  static var resumeIncomplete: Self { .init(code: 308, reasonPhrase: "Resume Incomplete") }
  /// The status that Google returns for requests to a canceled session, and for the `DELETE` request that cancels it.
  static var uploadCancelled: Self { .init(code: 499, reasonPhrase: "Client Closed Request") }
}
