public import ClipModel
public import Foundation

/// What bsc asks of a backend, the local one or Supabase. Who writes the highlight is always the backend.
public protocol HighlightBackend: Sendable {
  /// Opens an upload for the draft; the same key gives the same upload again, as long as it is waiting for bytes.
  ///
  /// - Parameter timeoutSeconds: how long the URL shall be valid, 60 to 604800 (Mux's limits).
  /// - Throws: `HighlightsError.alreadyRegistered` when the highlight exists: nothing needs to be uploaded.
  func createUpload(_ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int) async throws -> UploadTicket

  func uploadState(_ uploadID: String) async throws -> UploadState

  /// Works while the upload is waiting for bytes.
  func cancelUpload(_ uploadID: String) async throws

  /// `nil` when there is no such row, or it is not for us to see.
  func highlight(_ id: UUID) async throws -> Highlight?

  /// Newest first.
  func highlights(limit: Int, offset: Int) async throws -> [Highlight]

  /// Does nothing when there is no such row.
  func deleteHighlight(_ id: UUID) async throws
}
