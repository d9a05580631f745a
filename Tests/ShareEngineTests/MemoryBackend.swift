import ClipModel
import Foundation
import Highlights
import LibCurl
import Synchronization
import TestSupport

/// A backend in memory. Each upload goes to the next fault server. A highlight exists when all bytes have arrived.
final class MemoryBackend: HighlightBackend {
  let pollingPauses = Duration.milliseconds(250) ... .seconds(5)
  private let servers: [FaultServer]
  private let state: Mutex<State>

  private struct State {
    var keys: [String] = []
    var drafts: [HighlightDraft] = []
    /// By the number of the upload.
    var openDrafts: [Int: HighlightDraft] = [:]
    var cancelled: [String] = []
    var deleted: [UUID] = []
    var rows: [Highlight]
    var finalStatus = UploadState.Status.ready
    var isOutOfReach = false
    var losesNextResponse = false
    var beforeNextUpload: (@Sendable () async -> Void)?
    var reasons: [String: String]?
    var creationError: HighlightsError?
    /// This many requests return an asset that is not ready.
    var pendingRequestCount = 0
  }

  /// Sets the reasons that Mux reports for each clip, and how many requests return an asset that is not ready.
  func setAsset(reasons: [String: String]? = nil, pendingRequestCount: Int) {
    state.withLock { ($0.reasons, $0.pendingRequestCount) = (reasons, pendingRequestCount) }
  }

  /// Requests fail as without a network.
  var isOutOfReach: Bool {
    get { state.withLock { $0.isOutOfReach } }
    set { state.withLock { $0.isOutOfReach = newValue } }
  }

  /// The next upload is created, but the client doesn't get its URL.
  var losesNextResponse: Bool {
    get { state.withLock { $0.losesNextResponse } }
    set { state.withLock { $0.losesNextResponse = newValue } }
  }

  /// Runs before the next upload is created.
  func delayNextUpload(_ wait: @escaping @Sendable () async -> Void) { state.withLock { $0.beforeNextUpload = wait } }

  private func reach() throws(CurlError) {
    guard isOutOfReach else { return }
    throw CurlError(code: .unknownHost, host: "api.example", message: "Could not resolve host")
  }

  init(servers: [FaultServer], rows: [Highlight] = [], finalStatus: UploadState.Status = .ready) {
    self.servers = servers
    state = Mutex(State(rows: rows, finalStatus: finalStatus))
  }

  /// The received idempotency keys, in order.
  var keys: [String] { state.withLock { $0.keys } }
  var drafts: [HighlightDraft] { state.withLock { $0.drafts } }
  var rows: [Highlight] { state.withLock { $0.rows } }
  var cancelled: [String] { state.withLock { $0.cancelled } }
  /// The IDs of deleted highlights.
  var deleted: [UUID] { state.withLock { $0.deleted } }
  var finalStatus: UploadState.Status {
    get { state.withLock { $0.finalStatus } }
    set { state.withLock { $0.finalStatus = newValue } }
  }

  /// The number of requests to the servers.
  var requestCount: Int { servers.reduce(0) { $0 + $1.requests.count } }

  func deleteRows() { state.withLock { $0.rows = [] } }

  /// Deletes the rows. From now on, creating an upload throws the error.
  func deleteRows(throwing error: HighlightsError) {
    state.withLock { ($0.rows, $0.creationError) = ([], error) }
  }

  func createUpload(
    _ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int
  ) async throws -> UploadTicket {
    try reach()
    let wait = state.withLock { state in
      defer { state.beforeNextUpload = nil }
      return state.beforeNextUpload
    }
    await wait?()
    if let error = state.withLock({ $0.creationError }) { throw error }
    if rows.contains(where: { $0.id == draft.highlightID }) { throw HighlightsError.alreadyRegistered }
    let number = state.withLock { state in
      state.keys.append(idempotencyKey)
      state.drafts.append(draft)
      var known: [String] = []
      for key in state.keys where !known.contains(key) { known.append(key) }
      let number = known.firstIndex(of: idempotencyKey) ?? 0
      // A new attempt replaces the old one.
      for (old, other) in state.openDrafts where other.highlightID == draft.highlightID && other.part == draft.part {
        state.openDrafts[old] = nil
      }
      state.openDrafts[number] = draft
      return number
    }
    guard servers.indices.contains(number) else { throw HighlightsError.uploadTimedOut }
    if losesNextResponse {
      losesNextResponse = false
      throw CurlError(code: .unknownHost, host: "api.example", message: "the response was lost")
    }
    return UploadTicket(id: "\(number)", url: servers[number].url, expiresAt: 4_000_000_000)
  }

  func uploadState(_ uploadID: String) async throws -> UploadState {
    let isComplete = Int(uploadID).map { servers[$0].isComplete } ?? false
    return state.withLock { state in
      let draft = Int(uploadID).flatMap { state.openDrafts[$0] } ?? state.drafts[state.drafts.count - 1]
      let clips = state.openDrafts.filter { $0.value.highlightID == draft.highlightID }
      if isComplete, clips.count < draft.partCount || !clips.keys.allSatisfy({ servers[$0].isComplete }) {
        return UploadState(id: uploadID, status: .assetCreated, highlightID: draft.highlightID)
      }
      guard isComplete else { return UploadState(id: uploadID, status: .waiting, highlightID: draft.highlightID) }
      if state.pendingRequestCount > 0 {
        state.pendingRequestCount -= 1
        return UploadState(
          id: uploadID, status: .assetCreated, highlightID: draft.highlightID, nonStandardInputReasons: state.reasons)
      }
      if state.finalStatus == .ready, !state.rows.contains(where: { $0.id == draft.highlightID }) {
        var row = Highlight(
          id: draft.highlightID, authorID: "me", muxPlaybackID: "play", createdAt: "2026-01-02T03:04:05Z")
        row.caption = draft.caption
        row.tags = draft.tags
        state.rows.append(row)
      }
      return UploadState(id: uploadID, status: state.finalStatus, highlightID: draft.highlightID)
    }
  }

  /// Rejects the request if all bytes have arrived.
  func cancelUpload(_ uploadID: String) async throws {
    state.withLock { $0.cancelled.append(uploadID) }
    guard let number = Int(uploadID), servers[number].isComplete else { return }
    throw HighlightsError.refused(operation: "cancel the upload", status: 409, reason: "not_waiting")
  }

  func highlight(_ id: UUID) async throws -> Highlight? {
    try reach()
    return rows.first { $0.id == id }
  }

  func highlights(limit: Int, offset: Int) async throws -> [Highlight] { rows }

  func deleteHighlight(_ id: UUID) async throws { state.withLock { $0.deleted.append(id) } }
}
