#if Recruiting
import ClipModel
import Foundation
import GRDB
import Hummingbird
import Logging
import NIOCore
import Recruiting

/// Reads and writes the rows of recruiting for a page's visitor, with the rules that also apply to `/rest/v1`.
struct RecruitingRows: Sendable {
  let server: ServerDependencies
  let caller: Caller

  private var rows: RowStore { server.rows }

  // MARK: Reading

  /// The rows of a table that match, at most as many as a response can have, and the number of all that match. Invalid
  /// rows are left out.
  func page<Row: Decodable & Sendable>(
    _ table: String, _ query: String, _ filters: [RowFilter]
  ) async throws -> (rows: [Row], total: Int?) {
    var command = RowCommand(table: try rows.table(table), caller: caller)
    command.query = try RowQuery(query)
    command.query.filters += filters
    command.preferences.countsExactly = true
    let page = try await rows.read(command)
    return (try decode(Self.list(page.rows), of: table), page.total)
  }

  /// All rows of a table that match.
  func all<Row: Decodable & Sendable>(
    _ table: String, _ query: String, _ filters: [RowFilter] = []
  ) async throws -> [Row] {
    var all: [Row] = []
    var offset = 0
    while true {
      var command = RowCommand(table: try rows.table(table), caller: caller)
      command.query = try RowQuery("\(query)&offset=\(offset)")
      command.query.filters += filters
      let page = try await rows.read(command)
      all += try decode(Self.list(page.rows), of: table)
      guard page.rows.count == RowStore.maximumRows else { return all }
      offset += page.rows.count
    }
  }

  /// The row with an ID.
  /// - Throws: `PageFailure.notFound` if it doesn't exist, or the visitor can't see it.
  func row<Row: Decodable & Sendable>(_ table: String, _ id: String) async throws -> Row {
    let found: [Row] = try await all(table, "select=*", [.equals("id", try ReactionRoutes.identifier(id))])
    guard let row = found.first else { throw PageFailure.notFound }
    return row
  }

  private static func list(_ rows: [String]) -> Data { Data("[\(rows.joined(separator: ","))]".utf8) }

  /// - Parameter source: the name of the table or the function.
  private func decode<Row: Decodable & Sendable>(_ json: Data, of source: String) throws -> [Row] {
    let list = try RowList<Row>.decode(json)
    for skipped in list.skipped {
      server.configuration.logger.warning("skipped a row of \(source): \(skipped.reason)")
    }
    return list.rows
  }

  // MARK: Writing

  /// Inserts rows with chosen IDs. Rows with IDs that exist are left out, because an earlier request inserted them.
  /// - Throws: `FormProblem` if the rows were refused.
  func insert(_ table: String, _ values: [[String: DatabaseValue]]) async throws {
    var command = RowCommand(table: try rows.table(table), caller: caller)
    command.preferences.conflict = .ignore
    _ = try await explainingRefusal { try await rows.insert(values, command) }
  }

  /// Inserts the row of a form, or does nothing if the same form was sent before.
  /// - Throws: `FormProblem` if the form was sent before, with other values, or the row was refused.
  func insertOnce(_ table: String, _ values: [String: DatabaseValue]) async throws {
    let isStored = try await explainingRefusal {
      try await rows.insertOnce(values, into: rows.table(table), for: caller)
    }
    guard isStored else {
      throw FormProblem(text: "This form was sent before, with other values. Send it again to add another entry.")
    }
  }

  /// The ID in a form can be that of a deleted row, which can't be used again, and a member can lose the right to add rows
  /// while the form is open.
  private func explainingRefusal<Value>(_ insert: () async throws -> Value) async throws -> Value {
    do { return try await insert() } catch let failure as PostgRESTFailure where failure.code == "42501" {
      throw FormProblem(text: "Nothing was added: an entry of this form was deleted, or you may not add it. Try again.")
    }
  }

  /// - Throws: `PageFailure.notFound` if the row doesn't exist, or the visitor may not change it.
  func update(_ table: String, _ id: String, _ values: [String: DatabaseValue]) async throws {
    let result = try await rows.update(values, try command(table, ["id": try ReactionRoutes.identifier(id)]))
    if result.count == 0 { throw PageFailure.notFound }
  }

  /// Changes the rows that match.
  func update(_ table: String, _ values: [String: DatabaseValue], where filters: [RowFilter]) async throws {
    var command = RowCommand(table: try rows.table(table), caller: caller)
    command.query.filters = filters
    _ = try await rows.update(values, command)
  }

  /// - Throws: `PageFailure.notFound` if no row was deleted.
  func delete(_ table: String, _ values: [String: String]) async throws {
    let result = try await rows.delete(try command(table, values))
    if result.count == 0 { throw PageFailure.notFound }
  }

  private func command(_ table: String, _ values: [String: String]) throws -> RowCommand {
    var command = RowCommand(table: try rows.table(table), caller: caller)
    command.query.filters = values.map { .equals($0.key, $0.value) }
    return command
  }

  // MARK: Functions

  /// Calls a database function, and returns its result as `/rest/v1/rpc` would: a JSON value, or a list of rows.
  func call(_ name: String, _ arguments: [String: String?]) async throws -> Data {
    guard let function = server.configuration.modules.lazy.flatMap(\.functions).first(where: { $0.name == name }) else {
      throw PostgRESTFailure(.notFound, "PGRST202", "Could not find the function public.\(name) in the schema cache")
    }
    let members = arguments.map { name, value in
      JSONMember(key: name, value: JSONValue(value.map { .string($0) } ?? .null, at: 0))
    }
    let call = RPCFunction.FunctionCall(
      function: name, caller: caller, rows: rows, body: JSONValue(.object(members), at: 0))
    switch function.answer {
    case .response(let answer): return try await Self.body(of: answer(call))
    case .rows(let table, let restriction):
      let page = try await rows.read(
        RowCommand(table: table, caller: caller), restriction: try await restriction(call))
      return Self.list(page.rows)
    }
  }

  /// Calls a database function that returns rows.
  func rows<Row: Decodable & Sendable>(
    of function: String, _ arguments: [String: String?]
  ) async throws -> [Row] {
    try decode(try await call(function, arguments), of: function)
  }

  private static func body(of response: Response) async throws -> Data {
    let collected = CollectedBody()
    try await response.body.write(collected)
    return Data(collected.bytes.readableBytesView)
  }
}

/// The bytes of a response. One task writes them.
private final class CollectedBody: ResponseBodyWriter {
  private(set) var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) { bytes.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
#endif
