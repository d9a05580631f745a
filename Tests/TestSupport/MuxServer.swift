import Foundation
import Synchronization

/// Mux's REST API for uploads and assets, according to its documentation. It shares no code with any client.
///
/// Each upload has a `FaultServer` for its bytes. An asset exists when all of them have arrived.
public final class MuxServer: Sendable {
  public static let (tokenID, tokenSecret) = ("token-id", "hush-token-secret")

  public struct Traits: Sendable {
    /// The number of requests for an asset before it is ready.
    public var requestsUntilReady = 1
    /// The errors of each asset.
    public var assetErrors: [String] = []
    public var nonStandardInputReasons: [String: String] = [:]
    /// The number of creations that succeed, but whose answers are lost.
    public var lostCreations = 0
    /// The number of creations that fail before anything is done.
    public var failedCreations = 0
    /// The number of requests that are first answered with 429.
    public var limitedRequests = 0
    /// The remaining rate limit in each answer.
    public var remaining: Int?
    public var listsURLs = false
    public var isPublic = true

    public init() {}
  }

  public struct Upload: Sendable {
    public var id: String
    public var passthrough: String
    public var status = "waiting"
    public var title: String?
    var number: Int
    var requestCount = 0
  }

  fileprivate struct State {
    var traits: Traits
    var uploads: [Upload] = []
    var deleted: Set<String> = []
  }

  private final class Box: Sendable {
    private let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
    func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }
  }

  private let api: FaultAPIServer
  private let box: Box
  /// The servers for the bytes of the first, second… upload.
  public let stores: [FaultServer]

  /// - Parameter stores: one for each possible upload.
  public init(_ traits: Traits = Traits(), stores: [FaultServer]) async throws {
    let box = Box(State(traits: traits))
    self.box = box
    self.stores = stores
    api = try await FaultAPIServer { _, request in box.withLock { Self.answer(request, &$0, stores) } }
  }

  public convenience init(_ traits: Traits = Traits()) async throws {
    try await self.init(traits, stores: [try await FaultServer(), try await FaultServer(), try await FaultServer()])
  }

  public var url: String { api.url }
  public var requests: [FaultAPIServer.Request] { api.requests }
  public var uploads: [Upload] { box.withLock { $0.uploads } }
  /// The number of playable assets, ready or in preparation.
  public var assetCount: Int { uploads.count { $0.status == "asset_created" } }
  public func setTraits(_ change: @Sendable (inout Traits) -> Void) { box.withLock { change(&$0.traits) } }
  public func addUpload(passthrough: String, status: String = "waiting") {
    box.withLock { state in
      let number = state.uploads.count
      state.uploads.append(Upload(id: "up\(number)", passthrough: passthrough, status: status, number: number))
    }
  }
  public func deleteAsset(ofUpload number: Int) { box.withLock { _ = $0.deleted.insert("as\(number)") } }

  private static func answer(
    _ request: FaultAPIServer.Request, _ state: inout State, _ stores: [FaultServer]
  ) -> FaultAPIServer.Answer {
    let credentials = Data("\(tokenID):\(tokenSecret)".utf8).base64EncodedString()
    guard request.headers["authorization"] == "Basic \(credentials)" else {
      return error(401, "unauthorized", "Unauthorized request")
    }
    if state.traits.limitedRequests > 0 {
      state.traits.limitedRequests -= 1
      return .json(429, #"{"error":{"type":"rate_limited"}}"#, headers: ["Retry-After": "1"])
    }
    for index in state.uploads.indices where state.uploads[index].status == "waiting" {
      let number = state.uploads[index].number
      if stores.indices.contains(number), stores[number].isComplete { state.uploads[index].status = "asset_created" }
    }
    let path = request.target.split(separator: "?").first.map(String.init) ?? ""
    let parts = path.split(separator: "/").map(String.init)
    guard parts.starts(with: ["video", "v1"]), parts.count >= 3 else { return error(404, "not_found", "no such path") }
    switch (request.method, parts[2], parts.dropFirst(3).first, parts.dropFirst(4).first) {
    case ("POST", "uploads", nil, nil): return create(request, &state, stores)
    case ("GET", "uploads", nil, nil):
      let page = request.target.contains("page=1") ? state.uploads.reversed() : []
      return data(
        state, "[" + page.map { json($0, stores, withURL: state.traits.listsURLs) }.joined(separator: ",") + "]")
    case ("GET", "uploads", let id?, nil):
      guard let upload = state.uploads.first(where: { $0.id == id }) else {
        return error(404, "not_found", "no upload")
      }
      return data(state, json(upload, stores, withURL: true))
    case ("PUT", "uploads", let id?, "cancel"):
      guard let index = state.uploads.firstIndex(where: { $0.id == id }) else {
        return error(404, "not_found", "no upload")
      }
      guard state.uploads[index].status == "waiting" else {
        return error(400, "invalid_parameters", "the upload is not waiting")
      }
      state.uploads[index].status = "cancelled"
      return data(state, json(state.uploads[index], stores, withURL: false))
    case ("GET", "assets", let id?, nil):
      guard let index = state.uploads.firstIndex(where: { "as\($0.number)" == id }), !state.deleted.contains(id) else {
        return error(404, "not_found", "no asset")
      }
      state.uploads[index].requestCount += 1
      return data(state, asset(state.uploads[index], state.traits))
    default: return error(405, "not_allowed", "not here")
    }
  }

  private static func create(
    _ request: FaultAPIServer.Request, _ state: inout State, _ stores: [FaultServer]
  ) -> FaultAPIServer.Answer {
    if state.traits.failedCreations > 0 {
      state.traits.failedCreations -= 1
      return .reset
    }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]) ?? [:]
    let settings = body["new_asset_settings"] as? [String: Any] ?? [:]
    guard body["cors_origin"] is String, settings["playback_policies"] as? [String] == ["public"],
      let passthrough = settings["passthrough"] as? String, passthrough.count <= 255
    else {
      return error(400, "invalid_parameters", "unusable settings")
    }
    let number = state.uploads.count
    var upload = Upload(id: "up\(number)", passthrough: passthrough, number: number)
    upload.title = (settings["meta"] as? [String: String])?["title"]
    state.uploads.append(upload)
    if state.traits.lostCreations > 0 {
      state.traits.lostCreations -= 1
      return .reset
    }
    return data(state, json(upload, stores, withURL: true), status: 201)
  }

  private static func json(_ upload: Upload, _ stores: [FaultServer], withURL: Bool) -> String {
    var object: [String: Any] = [
      "id": upload.id, "status": upload.status, "timeout": 3600, "cors_origin": "*",
      "new_asset_settings": ["playback_policies": ["public"], "passthrough": upload.passthrough],
    ]
    if withURL, stores.indices.contains(upload.number) { object["url"] = stores[upload.number].url }
    if upload.status == "asset_created" { object["asset_id"] = "as\(upload.number)" }
    return text(object)
  }

  private static func asset(_ upload: Upload, _ traits: Traits) -> String {
    let isOver = upload.requestCount > traits.requestsUntilReady
    var object: [String: Any] = [
      "id": "as\(upload.number)", "created_at": "1771545600", "upload_id": upload.id,
      "passthrough": upload.passthrough, "status": isOver ? "ready" : "preparing",
      "playback_ids": [["id": "play\(upload.number)", "policy": traits.isPublic ? "public" : "signed"]],
    ]
    if isOver { object["duration"] = 5.28 }
    if isOver, !traits.assetErrors.isEmpty {
      object["status"] = "errored"
      object["errors"] = ["type": "invalid_input", "messages": traits.assetErrors]
    }
    if !traits.nonStandardInputReasons.isEmpty {
      object["non_standard_input_reasons"] = traits.nonStandardInputReasons
    }
    return text(object)
  }

  private static func data(_ state: State, _ json: String, status: Int = 200) -> FaultAPIServer.Answer {
    .json(
      status, #"{"data":\#(json)}"#, headers: state.traits.remaining.map { ["X-RateLimit-Remaining": "\($0)"] } ?? [:])
  }

  private static func error(_ status: Int, _ type: String, _ message: String) -> FaultAPIServer.Answer {
    .json(status, #"{"error":{"type":"\#(type)","messages":["\#(message)"]}}"#)
  }

  private static func text(_ object: [String: Any]) -> String {
    let data = (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
