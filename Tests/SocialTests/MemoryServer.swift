import Foundation
import RowRequests
import Social
import Synchronization

/// A small model of PostgREST: tables with unique constraints, in memory. Faults are injected for each request.
final class MemoryServer: RowTransport {
  /// What happens to a request.
  enum Fault: CaseIterable {
    case lostRequest, lostResponse, unavailable
    /// The process is killed before or after the server has performed the request.
    case killedBefore, killedAfter
  }

  struct Killed: Error {}

  typealias Row = [String: String]

  struct State {
    var tables: [String: [Row]] = [:]
    /// All inserts in the order in which they were performed.
    var inserts: [(table: String, row: Row)] = []
    var requests: [RowRequest] = []
  }

  private static let uniqueColumns: [String: [String]] = [
    "likes": ["user_id", "highlight_id"], "comment_likes": ["user_id", "comment_id"], "comments": ["id"],
    "follows": ["follower_id", "following_id"], "follow_requests": ["requester_id", "target_id"], "profiles": ["id"],
  ]

  /// IDs of highlights that the account can't see.
  let hidden: Set<String>
  private let state = Mutex(State())
  private let fault: @Sendable (RowRequest) -> Fault?

  init(
    _ tables: [String: [Row]] = [:], hidden: Set<String> = [],
    fault: @escaping @Sendable (RowRequest) -> Fault? = { _ in nil }
  ) {
    (self.hidden, self.fault) = (hidden, fault)
    state.withLock { $0.tables = tables }
  }

  var current: State { state.withLock { $0 } }

  func rows(_ table: String) -> [Row] { current.tables[table] ?? [] }

  func send(_ request: RowRequest) async throws -> RowResponse {
    let lost = UnreachableError(reason: "no connection")
    switch fault(request) {
    case .lostRequest: throw lost
    case .unavailable: return RowResponse(status: 503, body: Data())
    case .killedBefore: throw Killed()
    case .lostResponse:
      _ = try perform(request)
      throw lost
    case .killedAfter:
      _ = try perform(request)
      throw Killed()
    case nil: return try perform(request)
    }
  }

  private func perform(_ request: RowRequest) throws -> RowResponse {
    let url = URLComponents(string: request.path)
    let table = url?.path ?? ""
    let filters = (url?.queryItems ?? []).filter { !["select", "order", "limit", "offset"].contains($0.name) }
    func matches(_ row: Row) -> Bool {
      filters.allSatisfy { filter in
        let value = filter.value ?? ""
        if value.hasPrefix("in.(") {
          return value.dropFirst(4).dropLast().split(separator: ",").contains { $0 == row[filter.name] ?? "" }
        }
        return value == "eq.\(row[filter.name] ?? "")"
      }
    }
    return try state.withLock { state in
      state.requests.append(request)
      switch request.method {
      case .get:
        let found = (state.tables[table] ?? []).filter(matches)
        return RowResponse(status: 200, body: try JSONEncoder().encode(found.map(Self.typed)))
      case .delete:
        state.tables[table]?.removeAll(where: matches)
        return RowResponse(status: 204, body: Data())
      case .post, .patch:
        let row = try JSONDecoder().decode(Row.self, from: request.body ?? Data())
        if let highlight = row["highlight_id"], hidden.contains(highlight) { return failure(403, "42501") }
        let key = Self.uniqueColumns[table] ?? []
        if (state.tables[table] ?? []).contains(where: { old in key.allSatisfy { old[$0] == row[$0] } }) {
          return failure(409, "23505")
        }
        state.tables[table, default: []].append(row)
        state.inserts.append((table, row))
        return RowResponse(status: 201, body: Data())
      }
    }
  }

  private func failure(_ status: Int, _ code: String) -> RowResponse {
    RowResponse(status: status, body: Data(#"{"code":"\#(code)","message":"refused"}"#.utf8))
  }

  /// Profiles have counters, which are numbers.
  private static func typed(_ row: Row) -> [String: TypedValue] {
    row.reduce(into: [:]) { result, column in
      result[column.key] = column.key.hasSuffix("_count") ? .number(Int(column.value) ?? 0) : .text(column.value)
    }
  }

  private enum TypedValue: Encodable {
    case text(String)
    case number(Int)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  static func profile(_ id: UUID, privacy: String = "public") -> Row {
    [
      "id": id.uuidString.lowercased(), "display_name": "Ana", "username": "ana", "followers_count": "0",
      "following_count": "0", "highlights_count": "0", "privacy_level": privacy,
      "created_at": "2026-11-24T12:00:00+00:00",
    ]
  }
}
