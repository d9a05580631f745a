import ClipModel
import Foundation
import GRDB

/// What `POST /video/v1/uploads` asked for, kept with the upload.
struct MuxUploadRequest: Codable, Equatable, Sendable {
  var corsOrigin: String?
  /// Seconds.
  var timeout: Int64
  var isTest: Bool
  var settings: NewAssetSettings?
}

extension UploadRow {
  var assetSettings: NewAssetSettings {
    muxRequest.map { $0.settings ?? NewAssetSettings() } ?? .ofDraft(uploadID: id)
  }

  /// Mux's name of the status. An asset that could not be made is the asset's error there: the upload is done.
  func muxStatus(at now: Date) -> String {
    switch status(at: now) {
    case .waiting: "waiting"
    case .assetCreated, .ready: "asset_created"
    case .errored: assetID == nil ? "errored" : "asset_created"
    case .cancelled: "cancelled"
    case .timedOut: "timed_out"
    }
  }

  /// Seconds that the URL was given.
  fileprivate var lifetimeSeconds: Int64 {
    if let muxRequest { return muxRequest.timeout }
    let created = try? Date(String(createdAt.prefix(19)) + "Z", strategy: .iso8601)
    return expiresAt - Int64(created?.timeIntervalSince1970 ?? Double(expiresAt))
  }
}

/// An upload in Mux's form.
struct MuxUploadDocument: Encodable {
  struct Problem: Encodable {
    var type = "invalid_input"
    var message: String
  }

  var id: String
  /// Absolute; while it waits.
  var url: String?
  var status: String
  var timeout: Int64
  var corsOrigin: String
  var test: Bool
  var assetID: String?
  var error: Problem?
  var newAssetSettings: NewAssetSettings

  /// - Parameter base: of the upload's URL, which is left out without one.
  init(_ upload: UploadRow, at now: Date, base: String? = nil) {
    id = upload.id
    status = upload.muxStatus(at: now)
    if status == "waiting", let base { url = base + upload.ticket.url }
    timeout = upload.lifetimeSeconds
    corsOrigin = upload.corsOrigin
    test = upload.muxRequest?.isTest ?? false
    if status == "asset_created" { assetID = upload.assetID }
    if status == "errored" { error = Problem(message: upload.error ?? "the file is no video") }
    newAssetSettings = upload.assetSettings
  }
}

/// The queries of `uploads` that Mux's API asks.
extension ServerStore {
  /// Opens an upload without a draft.
  func openMuxUpload(_ request: MuxUploadRequest, now: Date) async throws -> UploadRow {
    try await database.write { db in
      var upload = UploadRow(lifetimeSeconds: request.timeout, now: now, muxRequest: request)
      try upload.insert(db)
      try MuxEvent.record(.uploadCreated, of: upload, in: db, now: now)
      return upload
    }
  }

  /// Newest first; bare objects are none of Mux's.
  func muxUploads(limit: Int, offset: Int) async throws -> [UploadRow] {
    try await database.read { db in
      try UploadRow.fetchAll(
        db, sql: "SELECT * FROM uploads WHERE object_name IS NULL ORDER BY sequence DESC LIMIT ? OFFSET ?",
        arguments: [limit, offset])
    }
  }
}
