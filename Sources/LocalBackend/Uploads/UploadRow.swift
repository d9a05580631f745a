import ClipModel
import Foundation
import GRDB

/// A row of `uploads`: one attempt to upload a clip of a highlight.
struct UploadRow: SnakeCaseRow, Encodable, MutablePersistableRecord {
  static let databaseTableName = "uploads"

  var sequence: Int64?
  var id: String
  /// The credential of the upload URL. Never logged.
  var token = RandomText.token()
  /// The author of the highlight, in lowercase.
  var authorID: String
  var idempotencyKey: String
  /// The highlight ID in lowercase.
  var highlightID: String
  /// Copied from the draft so that queries can use it.
  var part: Int
  var partCount: Int
  var draft: HighlightDraft
  var status = UploadState.Status.waiting
  /// Whether a newer attempt exists. A superseded upload never becomes a highlight.
  var isSuperseded = false
  /// The number of bytes that are stored durably in the part file.
  var storedBytes: Int64 = 0
  /// The size of the whole file; `nil` until a request specifies it.
  var totalBytes: Int64?
  /// The expiration time in Unix seconds.
  var expiresAt: Int64
  var createdAt: String
  var assetID: String?
  var playbackID: String?
  var error: String?
  /// The `bucket/name` of an object. Its part file is kept, and the upload doesn't become a highlight.
  var objectName: String?
  /// The request, if the upload was opened through Mux's API. The upload becomes an asset but not a highlight.
  var muxRequest: MuxUploadRequest?

  /// - Parameter draft: this column is required. Uploads that don't become a highlight store an unused placeholder.
  init(
    id: String = RandomText.identifier(), authorID: String = Caller.localUserID, idempotencyKey: String = "",
    draft: HighlightDraft = HighlightDraft(highlightID: UUID(), duration: 0), lifetimeSeconds: Int64, now: Date,
    objectName: String? = nil, muxRequest: MuxUploadRequest? = nil
  ) {
    self.id = id
    self.authorID = authorID
    self.idempotencyKey = idempotencyKey
    highlightID = draft.highlightID.uuidString.lowercased()
    part = draft.part
    partCount = draft.partCount
    self.draft = draft
    expiresAt = Int64(now.timeIntervalSince1970) + lifetimeSeconds
    createdAt = timestampText(now)
    self.objectName = objectName
    self.muxRequest = muxRequest
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { sequence = inserted.rowID }

  /// Stores a final status.
  func end(as status: UploadState.Status, error: String? = nil, in db: Database) throws {
    try db.execute(
      sql: "UPDATE uploads SET status = ?, error = ? WHERE id = ?", arguments: [status.rawValue, error, id])
  }

  /// The stored status, or `timedOut` for a waiting upload that has expired; the cleanup stores that status later.
  func status(at now: Date) -> UploadState.Status {
    status == .waiting && now.timeIntervalSince1970 >= Double(expiresAt) ? .timedOut : status
  }

  var ticket: UploadTicket {
    // A relative URL, because the port can change after a restart.
    UploadTicket(id: id, url: "/upload/\(id)?token=\(token)", expiresAt: expiresAt)
  }

  func state(at now: Date) -> UploadState {
    UploadState(
      id: id, status: status(at: now), highlightID: draft.highlightID, assetID: assetID, playbackID: playbackID,
      error: error)
  }
}
