public import ClipModel
public import Foundation

/// A backend that receives clips: the local backend, Supabase, or Mux alone. The backend itself creates the highlights.
public protocol HighlightBackend: Sendable {
  /// Creates an upload for the draft. As long as the upload is waiting for data, the same key returns the same upload.
  ///
  /// - Parameters:
  ///   - draft: the content of the highlight to create.
  ///   - idempotencyKey: the key that identifies the attempt. Retries use the same key.
  ///   - timeoutSeconds: how long the URL stays valid, from 60 to 604800 seconds (Mux's limits).
  /// - Throws: `HighlightsError.alreadyRegistered` if the highlight exists, or `.alreadyUploaded` if the backend has
  ///   the entire clip. In both cases, no upload is necessary.
  func createUpload(_ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int) async throws -> UploadTicket

  /// Returns the processing state of an upload.
  func uploadState(_ uploadID: String) async throws -> UploadState

  /// Cancels an upload that is waiting for data.
  func cancelUpload(_ uploadID: String) async throws

  /// Returns the highlight, or `nil` if it doesn't exist or the user isn't allowed to see it.
  func highlight(_ id: UUID) async throws -> Highlight?

  /// Returns highlights, most recent first.
  func highlights(limit: Int, offset: Int) async throws -> [Highlight]

  /// Deletes a highlight. Does nothing if the highlight doesn't exist.
  func deleteHighlight(_ id: UUID) async throws

  /// Returns the highlights whose IDs start with the given prefix.
  func highlights(withPrefix prefix: String) async throws -> [Highlight]

  /// Changes a highlight.
  /// - Returns: the changed highlight, or `nil` if the user doesn't have this highlight.
  func changeHighlight(_ id: UUID, _ change: HighlightChange) async throws -> Highlight?

  /// Shortens a highlight to a part of its video, in seconds, and waits until the highlight has it.
  /// - Returns: the changed highlight, or `nil` if the user doesn't have this highlight.
  func trimHighlight(_ id: UUID, to range: Range<Double>) async throws -> Highlight?

  /// Returns complete rows, most recent first.
  /// - Parameters:
  ///   - limit: the maximum number of rows.
  ///   - offset: the number of more recent rows to skip.
  ///   - author: the author whose rows are returned; `nil` for all rows that the user is allowed to see.
  func highlightRows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow]

  /// Returns the complete row of a highlight, or `nil` if the highlight doesn't exist.
  func highlightRow(_ id: UUID) async throws -> HighlightRow?

  /// Returns the drafts with which the user uploaded the highlight, in clip order. Empty if the backend no longer has
  /// the drafts.
  func uploadedDrafts(of highlight: UUID) async throws -> [HighlightDraft]

  /// Returns the highlight created from an upload that is ready, or `nil` if the highlight isn't visible yet.
  func highlight(of state: UploadState) async throws -> Highlight?

  /// Returns the addresses of a highlight's clips, or `nil` if the user can't see the highlight, or if the backend is
  /// still changing who can watch them.
  func playback(of highlight: UUID) async throws -> HighlightPlayback?

  /// Returns whether a shared highlight still exists.
  func highlightExists(_ highlight: Highlight) async throws -> Bool

  /// Returns how many highlights the user may still share, or `nil` if the backend has no limit.
  func shareAllowance() async throws -> ShareAllowance?

  /// The minimum and maximum interval between two requests for an upload's state.
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

  public func trimHighlight(_ id: UUID, to range: Range<Double>) async throws -> Highlight? {
    throw HighlightsError.highlightsUnsupported(operation: "trim the highlight")
  }

  public func highlightRows(limit: Int, offset: Int, author: UUID?) async throws -> [HighlightRow] {
    throw HighlightsError.highlightsUnsupported(operation: "read highlights")
  }

  public func highlightRow(_ id: UUID) async throws -> HighlightRow? {
    throw HighlightsError.highlightsUnsupported(operation: "read the highlight")
  }

  public func uploadedDrafts(of highlight: UUID) async throws -> [HighlightDraft] { [] }

  public func playback(of highlight: UUID) async throws -> HighlightPlayback? { nil }

  public func shareAllowance() async throws -> ShareAllowance? { nil }

  public func highlight(of state: UploadState) async throws -> Highlight? { try await highlight(state.highlightID) }

  public func highlightExists(_ highlight: Highlight) async throws -> Bool {
    try await self.highlight(highlight.id) != nil
  }
}
