import ClipModel
import Foundation
import GRDB

/// A row of the table `uploads`, which represents one attempt to upload a highlight's clip.
struct UploadRow: SnakeCaseRow, Encodable, MutablePersistableRecord {
  static let databaseTableName = "uploads"

  var sequence: Int64?
  var id: String
  /// The upload URL's credential, which must never be logged.
  var token = RandomText.token()
  /// The ID of the highlight's author, in lowercase.
  var authorID: String
  var idempotencyKey: String
  /// The highlight's ID, in lowercase.
  var highlightID: String
  /// The clip's position in the post, copied from the draft so that queries can use it.
  var part: Int
  var partCount: Int
  var draft: HighlightDraft
  var status = UploadState.Status.waiting
  /// Whether a newer upload of the same clip exists. A superseded upload never becomes a highlight.
  var isSuperseded = false
  /// The number of bytes that are durably stored in the part file.
  var storedBytes: Int64 = 0
  /// The size of the complete file in bytes; `nil` until a request specifies the size.
  var totalBytes: Int64?
  /// The expiration time of the upload URL in Unix seconds.
  var expiresAt: Int64
  var createdAt: String
  var assetID: String?
  var playbackID: String?
  var error: String?
  /// The object's `bucket/name`, if the upload becomes an object. The part file of an object is kept, and the upload
  /// doesn't become a highlight.
  var objectName: String?
  /// The original request, if a client opened the upload through the Mux API. The upload becomes an asset but not a
  /// highlight.
  var muxRequest: MuxUploadRequest?

  /// Creates a row for a new upload.
  /// - Parameter draft: the highlight's draft. Uploads that don't become a highlight use an unused placeholder, because
  ///   the column is required.
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

  /// Stores the upload's final status.
  func end(as status: UploadState.Status, error: String? = nil, in db: Database) throws {
    try db.execute(
      sql: "UPDATE uploads SET status = ?, error = ? WHERE id = ?", arguments: [status.rawValue, error, id])
  }

  /// Returns the stored status, or `timedOut` if a waiting upload has expired. The next cleanup stores that status.
  func status(at now: Date) -> UploadState.Status {
    status == .waiting && now.timeIntervalSince1970 >= Double(expiresAt) ? .timedOut : status
  }

  var ticket: UploadTicket {
    // The URL is relative, because the port can change after a restart.
    UploadTicket(id: id, url: "/upload/\(id)?token=\(token)", expiresAt: expiresAt)
  }

  func state(at now: Date) -> UploadState {
    UploadState(
      id: id, status: status(at: now), highlightID: draft.highlightID, assetID: assetID, playbackID: playbackID,
      error: error)
  }
}
