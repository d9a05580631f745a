import Foundation
import GRDB

/// An event for webhooks.
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

  /// Writes it down for every webhook, in the transaction that makes it true.
  static func record(_ event: MuxEvent, of upload: UploadRow, in db: Database, now: Date) throws {
    try event.record(about: "upload", upload.id, MuxUploadDocument(upload, at: now), in: db, now: now)
  }

  static func record(_ event: MuxEvent, of asset: Asset, in db: Database, now: Date) throws {
    let document = MuxAssetDocument(asset: asset, form: .webhook)
    try event.record(about: "asset", asset.row.id, document, in: db, now: now)
  }

  static func record(_ removed: RemovedAsset, in db: Database, now: Date) throws {
    let gone = GoneAsset(id: removed.assetID, uploadID: removed.uploadID, passthrough: removed.passthrough)
    try MuxEvent.assetDeleted.record(about: "asset", removed.assetID, gone, in: db, now: now)
  }

  private struct GoneAsset: Encodable {
    var id: String
    var uploadID: String?
    var passthrough: String?
  }

  private func record(
    about kind: String, _ id: String, _ data: some Encodable, in db: Database, now: Date
  ) throws {
    guard try db.hasRow("SELECT 1 FROM webhook_endpoints") else { return }
    let envelope = Envelope(
      type: rawValue, id: UUID().uuidString.lowercased(), createdAt: timestampText(now).replacing("+00:00", with: "Z"),
      object: .init(type: kind, id: id), data: data)
    let text = String(decoding: try JSONEncoder.data(of: envelope), as: UTF8.self)
    let seconds = now.timeIntervalSince1970
    try db.execute(
      sql: """
        INSERT INTO webhook_deliveries (url, event, created_at, due_at)
        SELECT url, ?, ?, ? FROM webhook_endpoints ORDER BY url
        """, arguments: [text, seconds, seconds])
  }

  private struct Envelope<Content: Encodable>: Encodable {
    struct Object: Encodable {
      var type: String
      var id: String
    }

    struct Environment: Encodable {
      var name = "Local"
      var id = "local"
    }

    var type: String
    var id: String
    var createdAt: String
    var object: Object
    var data: Content

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: StringKey.self)
      try container.encode(type, forKey: "type")
      try container.encode(id, forKey: "id")
      try container.encode(createdAt, forKey: "created_at")
      try container.encode(object, forKey: "object")
      try container.encode(Environment(), forKey: "environment")
      try container.encode(data, forKey: "data")
      for key in ["request_id", "accessor", "accessor_source"] as [StringKey] {
        try container.encodeNil(forKey: key)
      }
    }
  }
}
