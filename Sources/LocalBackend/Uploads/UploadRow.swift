import ClipModel
import Foundation
import GRDB

/// A row of `uploads`: one attempt to bring the bytes of a highlight.
struct UploadRow: SnakeCaseRow, Encodable, MutablePersistableRecord {
  static let databaseTableName = "uploads"

  var sequence: Int64?
  var id: String
  /// The credential of the upload URL. Never logged.
  var token: String
  /// Lower case; whose highlight it becomes.
  var authorID = Caller.localUserID
  var idempotencyKey: String
  /// Lower case.
  var highlightID: String
  /// Copied from the draft, for queries.
  var part: Int
  var partCount: Int
  var draft: HighlightDraft
  var status: UploadState.Status
  /// A newer attempt exists: whatever arrives here makes no highlight.
  var isSuperseded = false
  /// Bytes that lie durably in the part file.
  var storedBytes: Int64 = 0
  /// Bytes of the whole file, once a request has named them.
  var totalBytes: Int64?
  /// Unix seconds.
  var expiresAt: Int64
  var createdAt: String
  var assetID: String?
  var playbackID: String?
  var error: String?
  /// `bucket/name` of a bare object, which becomes no highlight; its part file stays.
  var objectName: String?
  /// Set when it was opened through Mux's API: it becomes an asset and no highlight.
  var muxRequest: MuxUploadRequest?

  init(
    id: String, token: String, authorID: String = Caller.localUserID, idempotencyKey: String, draft: HighlightDraft,
    expiresAt: Int64, createdAt: String
  ) {
    self.id = id
    self.token = token
    self.authorID = authorID
    self.idempotencyKey = idempotencyKey
    highlightID = draft.highlightID.uuidString.lowercased()
    (part, partCount) = (draft.part, draft.partCount)
    self.draft = draft
    status = .waiting
    self.expiresAt = expiresAt
    self.createdAt = createdAt
  }

  /// One that becomes no highlight: a bare object, or an asset of Mux's API. A draft has to be there; no one reads it.
  init(lifetimeSeconds: Int64, now: Date, objectName: String? = nil, muxRequest: MuxUploadRequest? = nil) {
    self.init(
      id: RandomText.identifier(), token: RandomText.token(), idempotencyKey: "",
      draft: HighlightDraft(highlightID: UUID(), duration: 0),
      expiresAt: Int64(now.timeIntervalSince1970) + lifetimeSeconds, createdAt: timestampText(now))
    self.objectName = objectName
    self.muxRequest = muxRequest
  }

  static func find(_ id: String, in db: Database) throws -> UploadRow? {
    try fetchOne(db, sql: "SELECT * FROM uploads WHERE id = ?", arguments: [id])
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { sequence = inserted.rowID }

  /// The stored status, or `timedOut` for a waiting upload past its time: no one writes that down at the second.
  func status(at now: Date) -> UploadState.Status {
    status == .waiting && now.timeIntervalSince1970 >= Double(expiresAt) ? .timedOut : status
  }

  var ticket: UploadTicket {
    // Relative: the port may be another one after a restart.
    UploadTicket(id: id, url: "/upload/\(id)?token=\(token)", expiresAt: expiresAt)
  }

  func state(at now: Date) -> UploadState {
    UploadState(
      id: id, status: status(at: now), highlightID: draft.highlightID, assetID: assetID, playbackID: playbackID,
      error: error)
  }
}
