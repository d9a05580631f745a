public import ClipModel
public import Foundation
public import LibCurl

/// The backend over HTTP: functions for uploads, PostgREST-style rows for highlights.
public struct HighlightsAPI: HighlightBackend {
  private let client: BackendClient
  public let pollingPauses: ClosedRange<Duration>

  /// - Parameters:
  ///   - transport: how requests travel.
  ///   - policy: for connection errors, 408, 429 and 5xx; other answers are final.
  ///   - clock: measures the pauses.
  ///   - generator: draws the jitter of the pauses.
  ///   - endpoint: asked before each request: the local backend's port may change, and tokens are renewed. Given the
  ///     endpoint whose token was refused with 401, once: then only another token helps.
  ///   - pollingPauses: between two looks at an upload's state; a backend on this machine may be asked more often.
  public init(
    transport: any HTTPTransport, policy: RetryPolicy = .brief,
    pollingPauses: ClosedRange<Duration> = .milliseconds(250) ... .seconds(5),
    clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  ) {
    self.pollingPauses = pollingPauses
    client = BackendClient(
      transport: transport, endpoint: endpoint, policy: policy, clock: clock, generator: generator)
  }

  public func createUpload(
    _ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int
  ) async throws -> UploadTicket {
    var call = BackendCall(
      operation: "create the upload", .post, .functions("uploads?timeout=\(timeoutSeconds)"),
      body: try BackendCall.json(draft))
    call.headers["Idempotency-Key"] = idempotencyKey
    return try await client.value(call)
  }

  public func uploadState(_ uploadID: String) async throws -> UploadState {
    try await client.value(
      BackendCall(operation: "read the upload's state", .get, .functions("uploads/\(BackendCall.escaped(uploadID))")))
  }

  public func shareAllowance() async throws -> ShareAllowance? {
    try await client.value(
      BackendCall(operation: "read how many may be shared", .post, .rest("rpc/share_allowance"), body: Array("{}".utf8))
    )
  }

  public func cancelUpload(_ uploadID: String) async throws {
    try await client.accepted(
      BackendCall(
        operation: "cancel the upload", .post, .functions("uploads/\(BackendCall.escaped(uploadID))/cancel"), body: []))
  }

  public func highlight(_ id: UUID) async throws -> Highlight? {
    try await rows("select=*&id=eq.\(id.uuidString.lowercased())", operation: "read the highlight").first
  }

  public func highlights(limit: Int, offset: Int) async throws -> [Highlight] {
    try await rows(
      "select=*&order=created_at.desc&limit=\(max(0, limit))&offset=\(max(0, offset))", operation: "list highlights")
  }

  public func deleteHighlight(_ id: UUID) async throws {
    _ = try await client.send(
      BackendCall(operation: "delete the highlight", .delete, .rest("highlights?id=eq.\(id.uuidString.lowercased())")))
  }

  public func highlights(withPrefix prefix: String) async throws -> [Highlight] {
    guard let range = IdentifierRange(prefix: prefix) else { return [] }
    let (lowest, highest) = (range.lowest.uuidString.lowercased(), range.highest.uuidString.lowercased())
    return try await rows(
      "select=*&id=gte.\(lowest)&id=lte.\(highest)&order=created_at.desc&limit=100", operation: "find the highlight")
  }

  public func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight? {
    var call = BackendCall(
      operation: "edit the highlight", .patch, .rest("highlights?select=*&id=eq.\(id.uuidString.lowercased())"),
      body: try BackendCall.json(change))
    call.headers["Prefer"] = "return=representation"
    let rows: [Highlight] = try await client.value(call)
    return rows.first
  }

  public func rows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow] {
    let filter = author.map { "&author_id=eq.\($0.uuidString.lowercased())" } ?? ""
    return try await wholeRows(
      "select=*\(filter)&order=created_at.desc&limit=\(max(0, limit))&offset=\(max(0, offset))")
  }

  public func row(_ id: UUID) async throws -> HighlightRow? {
    try await wholeRows("select=*&id=eq.\(id.uuidString.lowercased())").first
  }

  public func drafts(of highlight: UUID) async throws -> [HighlightDraft] {
    // The columns are the draft's keys.
    try await client.value(
      BackendCall(
        operation: "read the highlight's clips",
        .get,
        .rest(
          "uploads?select=*&highlight_id=eq.\(highlight.uuidString.lowercased())&status=eq.ready"
            + "&superseded=is.false&order=part")))
  }

  private func wholeRows(_ query: String) async throws -> [HighlightRow] {
    let call = BackendCall(operation: "read highlights", .get, .rest("highlights?\(query)"))
    let response = try await client.accepted(call)
    let objects = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]]
    guard let rows = objects.map({ $0.map(HighlightRow.init) }), !rows.contains(where: { $0 == nil }) else {
      throw HighlightsError.unreadableAnswer(operation: call.operation, reason: "it is no list of highlights")
    }
    return rows.compactMap(\.self)
  }

  private func rows(_ query: String, operation: String) async throws -> [Highlight] {
    try await client.value(BackendCall(operation: operation, .get, .rest("highlights?\(query)")))
  }
}
