public import ClipModel
public import Foundation

/// A backend that receives clips: the local one, Supabase, or Mux alone. The backend itself creates the highlights.
public protocol HighlightBackend: Sendable {
  /// Opens an upload for the draft. The same key returns the same upload while it waits for data.
  ///
  /// - Parameters:
  ///   - draft: the content of the future highlight.
  ///   - idempotencyKey: identifies the attempt; retries use the same key.
  ///   - timeoutSeconds: how long the URL stays valid, 60 to 604800 (Mux's limits).
  /// - Throws: `HighlightsError.alreadyRegistered` if the highlight exists, `.alreadyUploaded` if the backend has the
  ///   whole clip. Neither needs an upload.
  func createUpload(_ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int) async throws -> UploadTicket

  /// The processing state of an upload.
  func uploadState(_ uploadID: String) async throws -> UploadState

  /// Cancels an upload that waits for data.
  func cancelUpload(_ uploadID: String) async throws

  /// - Returns: `nil` if the highlight doesn't exist, or the user may not see it.
  func highlight(_ id: UUID) async throws -> Highlight?

  /// Highlights, newest first.
  func highlights(limit: Int, offset: Int) async throws -> [Highlight]

  /// Deletes a highlight. Does nothing if it doesn't exist.
  func deleteHighlight(_ id: UUID) async throws

  /// Highlights whose IDs start with a prefix.
  func highlights(withPrefix prefix: String) async throws -> [Highlight]

  /// - Returns: the changed highlight, or `nil` if the user has no such highlight.
  func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight?

  /// Complete rows, newest first.
  /// - Parameters:
  ///   - limit: the maximum number of rows.
  ///   - offset: the number of newer rows to skip.
  ///   - author: returns only this author's rows; `nil` returns all that the user may see.
  func rows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow]

  /// The complete row of a highlight, or `nil` if it doesn't exist.
  func row(_ id: UUID) async throws -> HighlightRow?

  /// The drafts that the user's highlight was uploaded with, in clip order; empty if the backend no longer has them.
  func drafts(of highlight: UUID) async throws -> [HighlightDraft]

  /// The highlight of an upload that is ready; `nil` if it isn't visible yet.
  func highlight(of state: UploadState) async throws -> Highlight?

  /// Whether a shared highlight still exists.
  func exists(_ highlight: Highlight) async throws -> Bool

  /// How many highlights the user may still share; `nil` if the backend has no limit.
  func shareAllowance() async throws -> ShareAllowance?

  /// The shortest and the longest pause between two requests for an upload's state.
  var pollingPauses: ClosedRange<Duration> { get }
}

extension HighlightBackend {
  public func highlights(withPrefix prefix: String) async throws -> [Highlight] {
    try await highlights(limit: 1000, offset: 0)
      .filter { $0.id.uuidString.lowercased().hasPrefix(prefix.lowercased()) }
  }

  public func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight? {
    throw HighlightsError.highlightsUnsupported(operation: "edit the highlight")
  }

  public func rows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow] {
    throw HighlightsError.highlightsUnsupported(operation: "read highlights")
  }

  public func row(_ id: UUID) async throws -> HighlightRow? {
    throw HighlightsError.highlightsUnsupported(operation: "read the highlight")
  }

  public func drafts(of highlight: UUID) async throws -> [HighlightDraft] { [] }

  public func shareAllowance() async throws -> ShareAllowance? { nil }

  public func highlight(of state: UploadState) async throws -> Highlight? { try await highlight(state.highlightID) }

  public func exists(_ highlight: Highlight) async throws -> Bool { try await self.highlight(highlight.id) != nil }
}
