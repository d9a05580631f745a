import ClipModel
import Foundation
import GRDB
import Hummingbird

/// `/rest/v1/{table}`, as PostgREST answers.
struct RowRoutes: Sendable {
  let rows: RowStore
  let callers: CallerIdentity

  /// A post with a full caption, or some hundred votes.
  private static let bodyLimit = 1 << 20

  func add(to router: Router<BackendContext>) {
    router.get("rest/v1/:table") { request, context in try await read(command(request, context)) }
    router.post("rest/v1/:table") { request, context in try await insert(command(request, context)) }
    router.patch("rest/v1/:table") { request, context in try await update(command(request, context)) }
    router.put("rest/v1/:table") { request, context in try await replace(command(request, context)) }
    router.delete("rest/v1/:table") { request, context in try await delete(command(request, context)) }
  }

  /// A request for rows of a table, apart from its body.
  private struct Command {
    let request: Request
    let context: BackendContext
    let caller: Caller
    let table: TableSchema
    var query: RowQuery
    var preferences: Preferences

    /// The number of rows in a `Content-Range`.
    func total(_ written: RowStore.Written) -> String { preferences.countsExactly ? "\(written.count)" : "*" }
  }

  private func command(_ request: Request, _ context: BackendContext) async throws -> Command {
    Command(
      request: request, context: context, caller: try await callers.caller(of: request),
      table: try table(request, context), query: try RowQuery(request.uri.query ?? ""),
      preferences: try Self.preferences(of: request))
  }

  private func read(_ command: Command) async throws -> Response {
    var query = command.query
    try Self.applyRange(command.request, to: &query)
    let page = try await rows.read(command.table, query, command.caller, counts: command.preferences.countsExactly)
    return try Self.answer(page, command.preferences)
  }

  private func insert(_ command: Command) async throws -> Response {
    let written = try await rows.insert(
      try await Self.values(command), into: command.table, command.query, command.preferences, command.caller)
    var headers: HTTPFields = [.contentRange: "*/\(command.total(written))"]
    if command.preferences.answer == .headersOnly, let key = written.key {
      headers[.location] = Self.location(of: key, in: command.table)
    }
    return try Self.answer(written, command.preferences, status: written.isNew ? .created : .ok, headers: headers)
  }

  private func update(_ command: Command) async throws -> Response {
    let values = try await Self.values(command)
    guard values.count <= 1 else {
      throw PostgRESTFailure(.badRequest, "PGRST102", "the body of an update is one object")
    }
    let written = try await rows.update(
      values.first ?? [:], in: command.table, command.query, command.preferences, command.caller)
    let range = written.count > 0 ? "0-\(written.count - 1)" : "*"
    return try Self.changed(written, command, headers: [.contentRange: "\(range)/\(command.total(written))"])
  }

  private func delete(_ command: Command) async throws -> Response {
    let written = try await rows.delete(from: command.table, command.query, command.preferences, command.caller)
    return try Self.changed(written, command, headers: [.contentRange: "*/\(command.total(written))"])
  }

  /// `PUT` of one row, named by its key: an insert, or an update of that row.
  private func replace(_ command: Command) async throws -> Response {
    var command = command
    let (query, table) = (command.query, command.table)
    guard query.limit == nil, query.offset == 0 else {
      throw PostgRESTFailure(.badRequest, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
    }
    guard case .comparison(table.key, false, .compare(.eq, let key))? = query.filters.first, query.filters.count == 1,
      let column = table.column(table.key)
    else {
      throw PostgRESTFailure(
        .methodNotAllowed, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators")
    }
    command.preferences.conflict = .merge
    command.query.conflictColumns = nil
    let values = try await Self.values(command)
    guard values.count == 1, values[0][table.key] == (try column.type.value(text: key)) else {
      throw PostgRESTFailure(.badRequest, "PGRST115", "Payload values do not match URL in primary key column(s)")
    }
    let written = try await rows.insert(values, into: table, command.query, command.preferences, command.caller)
    return try Self.changed(written, command, status: written.isNew ? .created : .ok)
  }

  /// The answer to an update or a deletion.
  private static func changed(
    _ written: RowStore.Written, _ command: Command, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    let isBodyWanted = command.preferences.answer == .representation
    return try answer(written, command.preferences, status: isBodyWanted ? status : .noContent, headers: headers)
  }

  // MARK: Requests

  private func table(_ request: Request, _ context: BackendContext) throws -> TableSchema {
    for name in ["accept-profile", "content-profile"] {
      if let schema = request.headers.value(of: name), schema != "public" {
        throw PostgRESTFailure(
          .notAcceptable, "PGRST106", "Invalid schema: \(schema.prefix(80))",
          details: "the local backend has the schema public")
      }
    }
    return try rows.table(context.parameters.require("table"))
  }

  /// `Range: 0-19` of items, when the query has no limit of its own.
  private static func applyRange(_ request: Request, to query: inout RowQuery) throws(PostgRESTFailure) {
    // `bytes=0-` is what programs send that want a file.
    guard let range = request.headers[.range], !range.hasPrefix("bytes") else { return }
    let ends = range.replacing("items=", with: "").split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = decimal(ends[0]) else {
      throw PostgRESTFailure.unsatisfiableRange("The local backend cannot read the Range header.")
    }
    query.offset = Int(clamping: first)
    if let last = decimal(ends[1]) {
      guard last >= first else {
        throw PostgRESTFailure.unsatisfiableRange(
          "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
      }
      // More than one answer has is no more than that; the largest number must not overflow.
      query.limit = min(query.limit ?? .max, Int(min(last - first, Int64(RowStore.maximumRows)) + 1))
    }
  }

  /// The rows of a body, by column.
  private static func values(_ command: Command) async throws -> [[String: DatabaseValue]] {
    let (table, query) = (command.table, command.query)
    let root = try await body(of: command.request, command.context)
    let objects: [JSONValue]
    if let elements = root.elements { objects = elements } else { objects = [root] }
    let keys = objects.first?.members.map { Set($0.map(\.key)) }
    return try objects.map { object in
      guard let members = object.members else {
        throw PostgRESTFailure(.badRequest, "PGRST102", "the body is no object and no list of objects")
      }
      if query.columns == nil, Set(members.map(\.key)) != keys {
        throw PostgRESTFailure(.badRequest, "PGRST102", "All object keys must match")
      }
      var row: [String: DatabaseValue] = [:]
      for member in members where query.columns?.contains(member.key) != false {
        guard let column = table.column(member.key), column.computed == nil else {
          throw PostgRESTFailure.unknownColumn(member.key, table.name)
        }
        row[column.name] = try column.type.value(member.value)
      }
      for name in query.columns ?? [] where row[name] == nil && !command.preferences.usesDefaults {
        guard table.column(name) != nil else { throw PostgRESTFailure.unknownColumn(name, table.name) }
        row[name] = .null
      }
      return row
    }
  }

  static func body(of request: Request, _ context: BackendContext) async throws -> JSONValue {
    let bytes = try await context.body(
      of: request, limit: bodyLimit,
      excess: PostgRESTFailure(.contentTooLarge, "PGRST102", "the body is larger than 1 MiB"))
    let document = JSONReader.read(Array(bytes.readableBytesView))
    guard let root = document.root, document.problems.isEmpty else {
      throw PostgRESTFailure(.badRequest, "PGRST102", "Empty or invalid json")
    }
    return root
  }
}
