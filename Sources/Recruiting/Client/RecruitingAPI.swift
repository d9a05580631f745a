import ClipModel
internal import Foundation
public import RowRequests

/// The HTTP API of recruiting in Supabase and the local backend: PostgREST's rows and functions.
///
/// Most requests are repeatable: the caller chooses the IDs of new rows, so that a second insert finds the first one.
public struct RecruitingAPI: Sendable {
  private let transport: any RowTransport

  /// The number of rows that one response contains at most.
  static let pageSize = 1000

  /// - Parameter transport: sends the requests.
  public init(transport: any RowTransport) { self.transport = transport }

  /// A new ID for a row, in the form of the database.
  public static func newID() -> String { UUID().rowText }

  // MARK: Requests

  /// Sends a request and returns the body of a response with status 2xx.
  @discardableResult
  func send(_ request: RowRequest) async throws -> Data {
    let response: RowResponse
    do { response = try await transport.send(request) } catch let error as UnreachableError {
      throw RecruitingError(.unreachable, ["operation": request.operation, "reason": error.reason])
    }
    guard (200..<300).contains(response.status) else { throw RecruitingError(response, of: request) }
    return response.body
  }

  /// The rows of a response. Invalid ones are left out.
  func rows<Row: Decodable & Sendable>(_ request: RowRequest, as: Row.Type = Row.self) async throws -> [Row] {
    try await page(request).rows
  }

  /// The valid rows of a page, and the number of all rows in it. Invalid ones don't shorten a page, because a short page is
  /// the last one.
  func page<Row: Decodable & Sendable>(_ request: RowRequest) async throws -> (rows: [Row], count: Int) {
    let list = try Self.decode(try await send(request), request.operation) { try RowList<Row>.decode($0) }
    return (list.rows, list.rows.count + list.skipped.count)
  }

  /// The value that a function returns.
  func value<Value: Decodable & Sendable>(
    _ request: RowRequest, as: Value.Type = Value.self
  ) async throws -> Value {
    try Self.decode(try await send(request), request.operation) {
      try RowDecoder.standard.decode(Value.self, from: $0)
    }
  }

  /// All rows of a table that match, in pages. A row that is inserted in the meantime shifts no page.
  func allRows<Row: Decodable & Sendable & Identifiable<String>>(
    _ operation: String, _ table: String, _ query: RowRequest.Query
  ) async throws -> [Row] {
    var all: [Row] = []
    var after: RowRequest.Query = []
    while true {
      let page: (rows: [Row], count: Int) = try await page(
        .rows(operation, table, query + after + [("order", "id.asc"), ("limit", "\(Self.pageSize)")]))
      all += page.rows
      guard page.count == Self.pageSize, let last = page.rows.last else { return all }
      after = [("id", "gt.\(last.id)")]
    }
  }

  /// The row with an ID or with the first characters of one.
  func row<Row: Decodable & Sendable>(
    _ id: String, of kind: String, in table: String, family: String
  ) async throws -> Row {
    let id = try await resolve(id, of: kind, in: table, family: family)
    let found: [Row] = try await rows(.rows("find the \(kind)", table, [("select", "*"), ("id", "eq.\(id)")]))
    guard let row = found.first else { throw RecruitingError(.unknownName, ["kind": kind, "name": id]) }
    return row
  }

  /// The ID of the row with an ID or with the first characters of one, at least four.
  func resolve(_ text: String, of kind: String, in table: String, family: String) async throws -> String {
    struct Row: Decodable, Sendable { let id: String }
    let facts = ["kind": kind, "name": text]
    let digits = text.lowercased().filter { $0 != "-" }
    guard (4...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw RecruitingError(.unknownName, facts)
    }
    func padded(with digit: Character) -> String {
      var text = Array(digits + String(repeating: digit, count: 32 - digits.count))
      for index in [20, 16, 12, 8] { text.insert("-", at: index) }
      return String(text)
    }
    let found: [Row] = try await rows(
      .rows(
        "find the \(kind)", table,
        [
          ("select", "id"), ("family_unit_id", "eq.\(family)"), ("id", "gte.\(padded(with: "0"))"),
          ("id", "lte.\(padded(with: "f"))"), ("limit", "2"),
        ]))
    guard let first = found.first else { throw RecruitingError(.unknownName, facts) }
    guard found.count == 1 else { throw RecruitingError(.ambiguousName, facts) }
    return first.id
  }

  /// Inserts rows, and returns them. Rows whose IDs exist were inserted by an earlier attempt and stay.
  func insert<Row: Decodable & Sendable & Identifiable<String>>(
    _ operation: String, into table: String, _ row: [String: RowValue], id: String
  ) async throws -> Row {
    try await insertMany(operation, into: table, [row])
    let stored: [Row] = try await rows(.rows(operation, table, [("select", "*"), ("id", "eq.\(id)")]))
    guard let row = stored.first else {
      throw RecruitingError(.unreadableAnswer, ["operation": operation, "reason": "the row is missing"])
    }
    return row
  }

  /// Inserts rows with IDs, 500 per request.
  func insertMany(_ operation: String, into table: String, _ rows: [[String: RowValue]]) async throws {
    for start in stride(from: 0, to: rows.count, by: 500) {
      try await send(
        .rows(
          operation, table, [("on_conflict", "id")], method: .post,
          headers: ["Prefer": "resolution=ignore-duplicates,return=minimal"],
          body: try RowRequest.encodeJSON(Array(rows[start..<min(start + 500, rows.count)]))))
    }
  }

  /// Changes the row with an ID, and returns it. Fails if the account can't see or change it.
  func change<Row: Decodable & Sendable>(
    _ operation: String, in table: String, id: String, _ row: [String: RowValue]
  ) async throws -> Row {
    let changed: [Row] = try await rows(
      .rows(
        operation, table, [("select", "*"), ("id", "eq.\(id)")], method: .patch,
        headers: ["Prefer": "return=representation"], body: try RowRequest.encodeJSON(row)))
    guard let row = changed.first else { throw RecruitingError(.notFound, ["operation": operation]) }
    return row
  }

  /// Deletes rows. Fails if the account can see rows that it can't delete. If there are none, an earlier attempt deleted
  /// them.
  func delete(_ operation: String, from table: String, _ query: RowRequest.Query) async throws {
    struct Row: Decodable, Sendable {}
    let deleted: [Row] = try await rows(
      .rows(operation, table, query, method: .delete, headers: ["Prefer": "return=representation"]))
    guard deleted.isEmpty else { return }
    let remaining: [Row] = try await rows(.rows(operation, table, query))
    if !remaining.isEmpty { throw RecruitingError(.notFound, ["operation": operation]) }
  }

  private static func decode<Value>(
    _ body: Data, _ operation: String, _ decode: (Data) throws -> Value
  ) throws(RecruitingError) -> Value {
    do { return try decode(body) } catch {
      throw RecruitingError(.unreadableAnswer, ["operation": operation, "reason": "it is not as documented"])
    }
  }

  // MARK: Texts

  /// A required text without spaces at its ends.
  static func required(_ field: String, _ text: String, limit: Int) throws(RecruitingError) -> RowValue {
    guard case .text(let text?) = try optional(field, text, limit: limit) else {
      throw RecruitingError(.textEmpty, ["field": field])
    }
    return .text(text)
  }

  /// A text without spaces at its ends. An empty one is null.
  static func optional(_ field: String, _ text: String?, limit: Int) throws(RecruitingError) -> RowValue {
    guard let text = text?.withoutNUL.trimmed, !text.isEmpty else { return .text(nil) }
    let length = TextLimit.characters.length(of: text)
    guard length <= limit else {
      throw RecruitingError(.textTooLong, ["field": field, "count": "\(length)", "limit": "\(limit)"])
    }
    return .text(text)
  }

  /// A handle in its stored form. An empty text is null.
  static func handle(_ text: String, on platform: SocialPlatform) throws(RecruitingError) -> RowValue {
    text.trimmed.isEmpty ? .text(nil) : .text(try SocialHandle(text, on: platform).name)
  }
}

extension RowValue {
  /// A time as the database reads it.
  static func time(_ date: Date?) -> RowValue { .text(date.map(RecruitingDate.format)) }
}
