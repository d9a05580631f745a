public import ClipModel
public import Foundation
public import LibCurl

/// The backend over HTTP: functions for uploads, PostgREST-style rows for highlights.
public struct HighlightsAPI: HighlightBackend {
  private let client: BackendClient

  /// - Parameters:
  ///   - endpoint: asked before each request: the local backend's port may change, and tokens are renewed. Given the
  ///     endpoint whose token was refused with 401, once: then only another token helps.
  ///   - policy: for connection errors, 408, 429 and 5xx; other answers are final.
  public init(
    transport: any HTTPTransport, policy: RetryPolicy = .brief, clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  ) {
    client = BackendClient(
      transport: transport, endpoint: endpoint, policy: policy, clock: clock, generator: generator)
  }

  public func createUpload(
    _ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int
  ) async throws -> UploadTicket {
    var call = BackendCall(
      operation: "create the upload", method: .post, base: .functions, path: "uploads?timeout=\(timeoutSeconds)")
    call.headers["Idempotency-Key"] = idempotencyKey
    // The same bytes for the same draft, so that a backend may compare them when the key comes again.
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    call.body = [UInt8](try encoder.encode(draft))
    return try await client.value(UploadTicket.self, call)
  }

  public func uploadState(_ uploadID: String) async throws -> UploadState {
    try await client.value(
      UploadState.self,
      BackendCall(
        operation: "read the upload's state", method: .get, base: .functions, path: "uploads/\(Self.escape(uploadID))"))
  }

  public func cancelUpload(_ uploadID: String) async throws {
    let call = BackendCall(
      operation: "cancel the upload", method: .post, base: .functions,
      path: "uploads/\(Self.escape(uploadID))/cancel", body: [])
    let response = try await client.send(call)
    if response.status == 404 { throw client.notFound(call, response) }
  }

  public func highlight(_ id: UUID) async throws -> Highlight? {
    try await rows("select=*&id=eq.\(id.uuidString.lowercased())", operation: "read the highlight").first
  }

  public func highlights(limit: Int, offset: Int) async throws -> [Highlight] {
    try await rows(
      "select=*&order=created_at.desc&limit=\(max(0, limit))&offset=\(max(0, offset))", operation: "list highlights")
  }

  public func deleteHighlight(_ id: UUID) async throws {
    let call = BackendCall(
      operation: "delete the highlight", method: .delete, base: .rest,
      path: "highlights?id=eq.\(id.uuidString.lowercased())")
    _ = try await client.send(call)
  }

  private func rows(_ query: String, operation: String) async throws -> [Highlight] {
    try await client.value(
      [Highlight].self, BackendCall(operation: operation, method: .get, base: .rest, path: "highlights?\(query)"))
  }

  private static func escape(_ component: String) -> String {
    component.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_", "~"])) ?? component
  }
}
