import ClipModel
import Foundation
import GRDB

/// The body of a `POST /video/v1/uploads` request, which is stored with the upload.
struct MuxUploadRequest: Codable, Equatable, Sendable {
  var corsOrigin: String?
  /// The lifetime of the upload URL in seconds.
  var timeout: Int64
  var isTest: Bool
  var settings: NewAssetSettings?
}

extension UploadRow {
  /// The asset's settings. For an upload with a draft, they are the settings that the Edge Function would send to Mux.
  var assetSettings: NewAssetSettings {
    guard let muxRequest else { return NewAssetSettings(playbackPolicies: ["public"], passthrough: id) }
    return muxRequest.settings ?? NewAssetSettings()
  }

  /// Returns the name of the upload's status in Mux. If creating the asset failed, the asset is errored but the upload
  /// is not.
  func muxStatus(at now: Date) -> String {
    switch status(at: now) {
    case .waiting: "waiting"
    case .assetCreated, .ready: "asset_created"
    case .errored: assetID == nil ? "errored" : "asset_created"
    case .cancelled: "cancelled"
    case .timedOut: "timed_out"
    }
  }

  /// The lifetime of the upload URL in seconds.
  private var lifetimeSeconds: Int64 {
    if let muxRequest { return muxRequest.timeout }
    let created = try? Date(String(createdAt.prefix(19)) + "Z", strategy: .iso8601)
    return expiresAt - Int64(created?.timeIntervalSince1970 ?? Double(expiresAt))
  }

  /// Returns the upload in Mux's format.
  /// - Parameter base: the base of the upload URL. If there is no base or the upload isn't waiting, the URL is omitted.
  func muxDocument(at now: Date, base: String? = nil) -> JSONObject {
    let status = muxStatus(at: now)
    let problem = ["type": "invalid_input", "message": error ?? "the file is not a video"]
    return [
      "id": id,
      "url": status == "waiting" ? base.map { $0 + ticket.url } : nil,
      "status": status,
      "timeout": lifetimeSeconds,
      "cors_origin": corsOrigin,
      "test": muxRequest?.isTest ?? false,
      "asset_id": status == "asset_created" ? assetID : nil,
      "error": status == "errored" ? problem : nil,
      "new_asset_settings": assetSettings,
    ]
  }
}

/// Queries on the table `uploads` for the Mux API.
extension ServerStore {
  /// Opens an upload that has no draft.
  func openMuxUpload(_ request: MuxUploadRequest, now: Date) async throws -> UploadRow {
    try await database.write { db in
      var upload = UploadRow(lifetimeSeconds: request.timeout, now: now, muxRequest: request)
      try upload.insert(db)
      try MuxEvent.record(.uploadCreated, of: upload, in: db, now: now)
      return upload
    }
  }

  /// Returns a list of uploads, newest first. The Mux API doesn't include uploads that become objects.
  func muxUploads(limit: Int, offset: Int) async throws -> [UploadRow] {
    try await database.read { db in
      try UploadRow.fetchAll(
        db, sql: "SELECT * FROM uploads WHERE object_name IS NULL ORDER BY sequence DESC LIMIT ? OFFSET ?",
        arguments: [limit, offset])
    }
  }
}
