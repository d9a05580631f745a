import Foundation
import Synchronization

/// A Supabase project with one account: Auth, a few tables, and the function that creates uploads.
///
/// Rows are JSON objects. The only row rule: users see and change only their own rows, and see public ones.
public final class ProjectServer: Sendable {
  public struct State: Sendable {
    public var username = "ana"
    /// ISO 8601; `nil` when no deletion is pending.
    public var deletesAt: String?
    /// The rows as JSON by lowercase ID.
    public var highlights: [String: String] = [:]
    /// The bodies of the requests that add likes.
    public var likes: [String] = []
    /// The bodies of the requests to follow. After the first one, relations can't be read.
    public var followRequests: [String] = []
    /// The format of `mux_playback_id`: `id` or `url`.
    public var playbackAs = "id"
    /// The number of POST requests whose answers are lost after they succeed.
    public var lostAnswers = 0
    /// The highlight IDs of uploads, in order.
    var uploads: [String] = []
    var drafts: [[String: String]] = []
  }

  private final class Box: Sendable {
    private let state = Mutex(State())
    func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }
  }

  public let auth: AuthServer
  public let store: FaultServer
  private let box: Box

  public static let deletesAt = "2026-11-29T12:30:00.5+00:00"

  public init() async throws {
    let (box, store) = (Box(), try await FaultServer())
    self.box = box
    self.store = store
    auth = try await AuthServer { request, user in
      box.withLock { state in
        let answer = Self.answer(request, user, &state, store)
        guard state.lostAnswers > 0, answer != nil, request.method == "POST" else { return answer }
        state.lostAnswers -= 1
        return .reset
      }
    }
  }

  public var state: State { box.withLock { $0 } }
  public func set(_ change: @Sendable (inout State) -> Void) { box.withLock { change(&$0) } }

  private static func answer(
    _ request: FaultAPIServer.Request, _ user: String?, _ state: inout State, _ store: FaultServer
  ) -> FaultAPIServer.Answer? {
    guard let user else { return .json(401, #"{"code":"42501","message":"permission denied"}"#) }
    let parts = URLComponents(string: request.target)
    let path = parts?.path ?? ""
    let query = Dictionary((parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    switch path {
    case "/rest/v1/profiles":
      return query["id"] == "eq.\(user)" ? .json(200, #"[{"username":"\#(state.username)"}]"#) : .json(200, "[]")
    case "/rest/v1/account_deletions": return deletions(request, user, query, &state)
    case "/rest/v1/highlights": return highlights(request, user, query, &state)
    case "/rest/v1/likes":
      state.likes.append(request.body)
      return .json(201, "")
    case "/rest/v1/follows", "/rest/v1/follow_requests":
      guard request.method == "GET" else {
        state.followRequests.append(request.body)
        return .json(201, "")
      }
      return state.followRequests.isEmpty ? .json(200, "[]") : .json(400, #"{"code":"22000","message":"unreadable"}"#)
    default: return path.hasPrefix("/functions/v1/uploads") ? uploads(request, path, user, &state, store) : nil
    }
  }

  private static func deletions(
    _ request: FaultAPIServer.Request, _ user: String, _ query: [String: String], _ state: inout State
  ) -> FaultAPIServer.Answer {
    func row(_ end: String) -> String { #"[{"requested_at":"2026-11-22T12:30:00+00:00","deletes_at":"\#(end)"}]"# }
    switch request.method {
    case "GET": return .json(200, query["user_id"] == "eq.\(user)" ? state.deletesAt.map(row) ?? "[]" : "[]")
    case "POST":
      // Only the id may be written.
      guard request.body == #"{"user_id":"\#(user)"}"#, request.headers["prefer"] == "return=representation" else {
        return .json(403, #"{"code":"42501","message":"permission denied"}"#)
      }
      guard state.deletesAt == nil else { return .json(409, #"{"code":"23505","message":"duplicate key"}"#) }
      state.deletesAt = Self.deletesAt
      return .json(201, row(Self.deletesAt))
    case "DELETE":
      guard query["user_id"] == "eq.\(user)" else { return .json(204, "") }
      state.deletesAt = nil
      return .json(204, "")
    default: return .json(405, "")
    }
  }

  private static func highlights(
    _ request: FaultAPIServer.Request, _ user: String, _ query: [String: String], _ state: inout State
  ) -> FaultAPIServer.Answer {
    let rows = state.highlights.values.map(object).filter { row in
      guard row["author_id"] as? String == user || row["privacy_level"] as? String == "public" else { return false }
      if let author = query["author_id"], author != "eq.\(row["author_id"] as? String ?? "")" { return false }
      let id = row["id"] as? String ?? ""
      guard let filter = query["id"] else { return true }
      if filter.hasPrefix("gte.") { return id >= filter.dropFirst(4) && "lte.\(id)" <= upperBound(of: request) }
      return filter == "eq.\(id)"
    }
    .sorted { ($0["created_at"] as? String ?? "") > ($1["created_at"] as? String ?? "") }
    let own = rows.filter { $0["author_id"] as? String == user }
    switch request.method {
    case "GET":
      let offset = Int(query["offset"] ?? "") ?? 0
      return .json(200, text(Array(rows.dropFirst(offset).prefix(Int(query["limit"] ?? "") ?? 1000))))
    case "PATCH":
      guard query["id"] != nil, request.headers["prefer"] == "return=representation" else { return .json(400, "") }
      let changed = own.map { $0.merging(object(request.body)) { $1 } }
      for row in changed { state.highlights[row["id"] as? String ?? ""] = text(row) }
      return .json(200, text(changed))
    case "DELETE":
      guard query["id"] != nil else { return .json(400, "") }
      for row in own { state.highlights[row["id"] as? String ?? ""] = nil }
      return .json(204, "")
    default: return .json(405, "")
    }
  }

  /// The second filter of the same column.
  private static func upperBound(of request: FaultAPIServer.Request) -> String {
    URLComponents(string: request.target)?.queryItems?.last { $0.name == "id" }?.value ?? ""
  }

  private static func uploads(
    _ request: FaultAPIServer.Request, _ path: String, _ user: String, _ state: inout State, _ store: FaultServer
  ) -> FaultAPIServer.Answer {
    if request.method == "POST" {
      let draft = object(request.body)
      guard let id = (draft["highlight_id"] as? String)?.lowercased() else { return .json(422, "") }
      if state.highlights[id] != nil { return .json(409, #"{"error":{"type":"already_registered","messages":[]}}"#) }
      if !state.uploads.contains(id) {
        state.uploads.append(id)
        var row = draft
        row["id"] = id
        row["author_id"] = user
        row["mux_playback_id"] = state.playbackAs == "url" ? "https://stream.mux.com/pb1.m3u8" : "pb1"
        row["mux_asset_id"] = "as1"
        row["thumbnail_url"] = "https://image.mux.com/pb1/thumbnail.jpg?time=2"
        row["created_at"] = "2026-11-22T12:00:00+00:00"
        row["highlight_id"] = nil
        state.drafts.append(["row": text(row)])
      }
      return .json(201, #"{"id":"u\#(state.uploads.count)","url":"\#(store.url)","expires_at":4000000000}"#)
    }
    guard let id = state.uploads.last, let row = state.drafts.last?["row"] else { return .json(404, "") }
    if store.isComplete { state.highlights[id] = row }
    let status = store.isComplete ? "ready" : "waiting"
    return .json(200, #"{"id":"u1","status":"\#(status)","highlight_id":"\#(id)"}"#)
  }

  private static func object(_ text: String) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
  }

  private static func text(_ value: Any) -> String {
    let data = (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes]))
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
