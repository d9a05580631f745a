import Foundation
import GRDB

/// An event that the server sends to webhooks.
enum MuxEvent: String, Sendable {
  case uploadCreated = "video.upload.created"
  case uploadAssetCreated = "video.upload.asset_created"
  case uploadCancelled = "video.upload.cancelled"
  case uploadErrored = "video.upload.errored"
  case assetCreated = "video.asset.created"
  case assetReady = "video.asset.ready"
  case assetErrored = "video.asset.errored"
  case assetUpdated = "video.asset.updated"
  case assetDeleted = "video.asset.deleted"
  case assetNonStandard = "video.asset.non_standard_input_detected"

  /// Records the event for every webhook. Call this method in the transaction of the change that the event reports.
  static func record(_ event: MuxEvent, of upload: UploadRow, in db: Database, now: Date) throws {
    try event.record(about: "upload", upload.id, upload.muxDocument(at: now), in: db, now: now)
  }

  static func record(_ event: MuxEvent, of asset: Asset, in db: Database, now: Date) throws {
    let document = asset.muxDocument(createdAt: asset.row.createdAt)
    try event.record(about: "asset", asset.row.id, document, in: db, now: now)
  }

  static func record(_ removed: RemovedAsset, in db: Database, now: Date) throws {
    let document: JSONObject = [
      "id": removed.assetID, "upload_id": removed.uploadID, "passthrough": removed.passthrough,
    ]
    try assetDeleted.record(about: "asset", removed.assetID, document, in: db, now: now)
  }

  private func record(
    about kind: String, _ id: String, _ data: JSONObject, in db: Database, now: Date
  ) throws {
    guard try db.hasRow("SELECT 1 FROM webhook_endpoints") else { return }
    let event: JSONObject = [
      "type": rawValue,
      "id": UUID().uuidString.lowercased(),
      "created_at": timestampText(now).replacing("+00:00", with: "Z"),
      "object": ["type": kind, "id": id],
      "environment": ["name": "Local", "id": "local"],
      "data": data,
      "request_id": JSONObject.Null(),
      "accessor": JSONObject.Null(),
      "accessor_source": JSONObject.Null(),
    ]
    let text = String(decoding: try JSONEncoder.data(of: event), as: UTF8.self)
    let seconds = now.timeIntervalSince1970
    try db.execute(
      sql: """
        INSERT INTO webhook_deliveries (url, event, created_at, due_at)
        SELECT url, ?, ?, ? FROM webhook_endpoints ORDER BY url
        """, arguments: [text, seconds, seconds])
  }
}
