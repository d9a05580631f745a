import Foundation
import TestSupport

@testable import LocalBackend

/// A client of Mux's REST API. It reads JSON as dictionaries, so that the tests don't depend on the server's own types.
struct MuxClient: Sendable {
  let backend: TestBackend
  var keys: ServerKeys

  init(_ backend: TestBackend) async throws {
    self.backend = backend
    keys = try await ServerKeys.open(backend.folder + "/keys.json")
  }

  var authorization: String {
    "Basic " + Data("\(keys.muxTokenID):\(keys.muxTokenSecret)".utf8).base64EncodedString()
  }

  func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> HTTPReply {
    try await backend.send(
      method, "/video/v1/" + path, headers: ["Authorization": authorization, "Content-Type": "application/json"],
      body: body.map { Array($0.utf8) } ?? (method == "GET" ? nil : []))
  }

  func get(_ path: String) async throws -> Object { try Object(await send("GET", path)) }

  /// Opens an upload with the public policy.
  func upload(_ settings: String = #""passthrough":"mine""#) async throws -> Object {
    try Object(
      await send(
        "POST", "uploads",
        #"{"cors_origin":"*","new_asset_settings":{"playback_policies":["public"],\#(settings)}}"#))
  }

  /// Sends the bytes of an upload to its URL.
  func put(_ upload: Object, _ bytes: [UInt8], _ range: String? = nil) async throws -> HTTPReply {
    let url = URL(string: upload.text("url") ?? "")
    return try await backend.send(
      "PUT", (url?.path ?? "") + "?" + (url?.query ?? ""),
      headers: range.map { ["Content-Range": $0] } ?? [:], body: bytes)
  }

  /// The asset of an upload once it is ready or errored.
  func settledAsset(_ uploadID: String) async throws -> Object {
    var asset = Object([:])
    try await TestTimeout.wait {
      guard let id = try await get("uploads/\(uploadID)").text("asset_id") else { return false }
      asset = try await get("assets/\(id)")
      return asset.text("status") != "preparing"
    }
    return asset
  }

  /// Uploads these bytes, and returns the asset once it is ready or errored.
  func asset(_ bytes: [UInt8], _ settings: String = #""passthrough":"mine""#) async throws -> Object {
    let upload = try await upload(settings)
    _ = try await put(upload, bytes)
    return try await settledAsset(upload.text("id") ?? "")
  }
}

/// A JSON object.
struct Object: @unchecked Sendable {
  let fields: [String: Any]
  var status = 0

  init(_ fields: [String: Any]) { self.fields = fields }

  /// `data` of a response, or the response itself.
  init(_ reply: HTTPReply) throws {
    let document = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any] ?? [:]
    fields = document["data"] as? [String: Any] ?? document
    status = reply.status
  }

  func text(_ key: String) -> String? { fields[key] as? String }
  func number(_ key: String) -> Double? { (fields[key] as? NSNumber)?.doubleValue }
  func object(_ key: String) -> Object { Object(fields[key] as? [String: Any] ?? [:]) }
  func list(_ key: String) -> [Object] { (fields[key] as? [[String: Any]] ?? []).map { Object($0) } }
  var playbackID: String { list("playback_ids").first?.text("id") ?? "" }
}
