public import ClipModel
public import Foundation
public import LibCurl

/// The HTTP API of Supabase and the local backend: functions for uploads, and PostgREST rows for highlights.
public struct HighlightsAPI: HighlightBackend {
  private let client: BackendClient
  public let pollingPauses: ClosedRange<Duration>

  /// Creates a client for a backend.
  /// - Parameters:
  ///   - transport: the transport that sends the requests.
  ///   - policy: the retry policy for connection errors and status 408, 429 and 5xx. Other errors are final.
  ///   - pollingPauses: the minimum and maximum interval between two requests for an upload's state. Use shorter
  ///     intervals for a local backend.
  ///   - clock: the clock that measures the delays.
  ///   - generator: the random number generator for the jitter of the delays.
  ///   - endpoint: returns the endpoint. It's called before each request because the local backend's port may change
  ///     and tokens expire. After status 401, it's called again with the rejected endpoint, and must return a different
  ///     token or throw.
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
    try await client.sendAndDecode(
      BackendCall(
        operation: "create the upload", path: .functions("uploads?timeout=\(timeoutSeconds)"), method: .post,
        headers: ["Idempotency-Key": idempotencyKey], body: try BackendCall.encodeJSON(draft)))
  }

  public func uploadState(_ uploadID: String) async throws -> UploadState {
    let path = "uploads/\(BackendCall.percentEncode(uploadID))"
    return try await client.sendAndDecode(BackendCall(operation: "read the upload's state", path: .functions(path)))
  }

  public func shareAllowance() async throws -> ShareAllowance? {
    try await client.sendAndDecode(
      BackendCall(
        operation: "read the sharing limit", path: .rest("rpc/share_allowance"), method: .post,
        body: Array("{}".utf8)))
  }

  public func cancelUpload(_ uploadID: String) async throws {
    let path = "uploads/\(BackendCall.percentEncode(uploadID))/cancel"
    do {
      try await client.sendExpectingSuccess(
        BackendCall(operation: "cancel the upload", path: .functions(path), method: .post, body: []))
    } catch let error as HighlightsError {
      // An upload that has ended without a clip doesn't need to be canceled.
      guard case .refused(_, 409, _) = error, let state = try? await uploadState(uploadID),
        [.cancelled, .timedOut, .errored].contains(state.status)
      else { throw error }
    }
  }

  public func highlight(_ id: UUID) async throws -> Highlight? {
    try await fetchRows("select=*&id=eq.\(id.uuidString.lowercased())", operation: "read the highlight").first
  }

  public func highlights(limit: Int, offset: Int) async throws -> [Highlight] {
    try await fetchRows("select=*&\(Self.pageQuery(limit, offset))", operation: "list highlights")
  }

  public func deleteHighlight(_ id: UUID) async throws {
    let path = "highlights?id=eq.\(id.uuidString.lowercased())"
    _ = try await client.send(BackendCall(operation: "delete the highlight", path: .rest(path), method: .delete))
  }

  public func highlights(withPrefix prefix: String) async throws -> [Highlight] {
    let digits = prefix.lowercased().filter { $0 != "-" }
    guard digits.count <= 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return [] }
    func paddedID(filledWith digit: Character) -> String {
      var text = Array(digits + String(repeating: digit, count: 32 - digits.count))
      for index in [20, 16, 12, 8] { text.insert("-", at: index) }
      return String(text)
    }
    let range = "id=gte.\(paddedID(filledWith: "0"))&id=lte.\(paddedID(filledWith: "f"))"
    return try await fetchRows(
      "select=*&\(range)&order=created_at.desc&limit=100", operation: "find the highlight")
  }

  public func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight? {
    let rows: [Highlight] = try await client.sendAndDecode(
      BackendCall(
        operation: "edit the highlight", path: .rest("highlights?select=*&id=eq.\(id.uuidString.lowercased())"),
        method: .patch, headers: ["Prefer": "return=representation"], body: try BackendCall.encodeJSON(change)))
    return rows.first
  }

  public func highlightRows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow] {
    let filter = author.map { "&author_id=eq.\($0.uuidString.lowercased())" } ?? ""
    return try await fetchCompleteRows("select=*\(filter)&\(Self.pageQuery(limit, offset))")
  }

  public func highlightRow(_ id: UUID) async throws -> HighlightRow? {
    try await fetchCompleteRows("select=*&id=eq.\(id.uuidString.lowercased())").first
  }

  public func uploadedDrafts(of highlight: UUID) async throws -> [HighlightDraft] {
    // The column names match the draft's JSON keys.
    let query =
      "select=*&highlight_id=eq.\(highlight.uuidString.lowercased())&status=eq.ready&superseded=is.false&order=part"
    return try await client.sendAndDecode(
      BackendCall(operation: "read the highlight's clips", path: .rest("uploads?\(query)")))
  }

  public func trimHighlight(_ id: UUID, to range: Range<Double>) async throws -> Highlight? {
    struct Order: Encodable {
      var highlightID: String
      var from: Double
      var to: Double

      enum CodingKeys: String, CodingKey {
        case from, to
        case highlightID = "highlight_id"
      }
    }
    struct Trim: Decodable {
      var id: String
      var status: String
      var error: String?
    }
    let operation = "trim the highlight"
    let order = Order(highlightID: id.uuidString.lowercased(), from: range.lowerBound, to: range.upperBound)
    // The local backend has finished when it responds, so a repeated request would trim the result.
    let response = try await client.send(
      BackendCall(
        operation: operation, path: .functions("trim"), method: .post, body: try BackendCall.encodeJSON(order),
        isRepeatable: false))
    if response.status == 404 { return nil }
    guard var trim = try? JSONDecoder().decode(Trim.self, from: Data(response.body)) else {
      throw HighlightsError.unreadableAnswer(operation: operation, reason: "the body is not a trim")
    }
    var waited = Duration.zero
    while trim.status == "waiting" {
      guard waited < Self.trimLimit else { throw HighlightsError.notReadyInTime(seconds: waited.components.seconds) }
      try await client.clock.sleep(for: pollingPauses.upperBound)
      waited += pollingPauses.upperBound
      let path = "trim/\(BackendCall.percentEncode(trim.id))"
      trim = try await client.sendAndDecode(BackendCall(operation: operation, path: .functions(path)))
    }
    guard trim.status == "ready" else { throw HighlightsError.clipRejected(reason: trim.error ?? trim.status) }
    return try await highlight(id)
  }

  /// The maximum time that Mux needs for a clip. The trim continues without this process.
  private static let trimLimit = Duration.seconds(600)

  public func playback(of highlight: UUID) async throws -> HighlightPlayback? {
    let answer: PlaybackResponse = try await client.sendAndDecode(
      BackendCall(
        operation: "read the video's address", path: .functions("playback"), method: .post,
        body: try BackendCall.encodeJSON(["highlight_ids": [highlight.uuidString.lowercased()]])))
    return answer.highlights.first
  }

  private static func pageQuery(_ limit: Int, _ offset: Int) -> String {
    "order=created_at.desc&limit=\(max(0, limit))&offset=\(max(0, offset))"
  }

  private func fetchCompleteRows(_ query: String) async throws -> [HighlightRow] {
    let call = BackendCall(operation: "read highlights", path: .rest("highlights?\(query)"))
    let response = try await client.sendExpectingSuccess(call)
    guard let objects = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]],
      let rows = try? objects.map(HighlightRow.init)
    else {
      throw HighlightsError.unreadableAnswer(operation: call.operation, reason: "the body is not a list of highlights")
    }
    return rows
  }

  private func fetchRows(_ query: String, operation: String) async throws -> [Highlight] {
    try await client.sendAndDecode(BackendCall(operation: operation, path: .rest("highlights?\(query)")))
  }
}
