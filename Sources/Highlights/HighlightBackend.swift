public import ClipModel
public import Foundation

/// What bsc asks of a backend: the local one, Supabase, or Mux alone. Who writes the highlight is always the backend.
public protocol HighlightBackend: Sendable {
  /// Opens an upload for the draft; the same key gives the same upload again, as long as it is waiting for bytes.
  ///
  /// - Parameters:
  ///   - draft: what the highlight will say.
  ///   - idempotencyKey: the same for the same attempt.
  ///   - timeoutSeconds: how long the URL shall be valid, 60 to 604800 (Mux's limits).
  /// - Throws: `HighlightsError.alreadyRegistered` when the highlight exists, `.alreadyUploaded` when all of the clip is
  ///   there: nothing needs to be uploaded.
  func createUpload(_ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int) async throws -> UploadTicket

  /// How far the backend is with an upload.
  func uploadState(_ uploadID: String) async throws -> UploadState

  /// Works while the upload is waiting for bytes.
  func cancelUpload(_ uploadID: String) async throws

  /// `nil` when there is no such row, or it is not for us to see.
  func highlight(_ id: UUID) async throws -> Highlight?

  /// Newest first.
  func highlights(limit: Int, offset: Int) async throws -> [Highlight]

  /// Does nothing when there is no such row.
  func deleteHighlight(_ id: UUID) async throws

  /// Those whose ids begin like this, as many as are found.
  func highlights(withPrefix prefix: String) async throws -> [Highlight]

  /// The row as it is after the change; `nil` when there is none of one's own.
  func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight?

  /// Whole rows, newest first.
  /// - Parameters:
  ///   - limit: how many rows at most.
  ///   - offset: how many newer ones are left out.
  ///   - author: only theirs; `nil` for all that may be seen.
  func rows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow]

  /// The whole row; `nil` when there is none.
  func row(_ id: UUID) async throws -> HighlightRow?

  /// What the clips of one's own highlight were uploaded with, in order; empty when nobody knows any more.
  func drafts(of highlight: UUID) async throws -> [HighlightDraft]

  /// The highlight of an upload that is ready; `nil` when it does not show yet.
  func highlight(of state: UploadState) async throws -> Highlight?

  /// Whether what was shared is still there.
  func exists(_ highlight: Highlight) async throws -> Bool

  /// How many may still be shared; `nil` where nobody counts.
  func shareAllowance() async throws -> ShareAllowance?

  /// Between two looks at an upload's state: the first pause, and the longest.
  var pollingPauses: ClosedRange<Duration> { get }
}

extension HighlightBackend {
  public func highlights(withPrefix prefix: String) async throws -> [Highlight] {
    try await highlights(limit: 1000, offset: 0)
      .filter { $0.id.uuidString.lowercased().hasPrefix(prefix.lowercased()) }
  }

  public func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight? {
    throw HighlightsError.keepsNoHighlights(operation: "edit the highlight")
  }

  public func rows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow] {
    throw HighlightsError.keepsNoHighlights(operation: "read highlights")
  }

  public func row(_ id: UUID) async throws -> HighlightRow? {
    throw HighlightsError.keepsNoHighlights(operation: "read the highlight")
  }

  public func drafts(of highlight: UUID) async throws -> [HighlightDraft] { [] }

  public func shareAllowance() async throws -> ShareAllowance? { nil }

  public func highlight(of state: UploadState) async throws -> Highlight? { try await highlight(state.highlightID) }

  public func exists(_ highlight: Highlight) async throws -> Bool { try await self.highlight(highlight.id) != nil }
}
