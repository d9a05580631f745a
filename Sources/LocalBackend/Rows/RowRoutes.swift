import ClipModel
import Foundation
import GRDB
import Hummingbird

/// The routes of `/rest/v1/{table}`, with PostgREST's responses.
struct RowRoutes: Sendable {
  let rows: RowStore
  let callers: CallerIdentity

  /// The maximum size of a request body in bytes. It allows a post with the longest caption, or several hundred votes.
  static let bodyLimit = 1 << 20

  func add(to router: Router<BackendContext>) {
    let path: RouterPath = "rest/v1/:table"
    router.get(path) { request, context in
      var command = try await command(request, context)
      try Self.applyRange(request, to: &command.query)
      return try Self.response(try await rows.read(command), command.preferences)
    }
    router.post(path) { request, context in
      let command = try await command(request, context)
      return try await insert(Self.parseRows(of: request, context, for: command), command)
    }
    router.patch(path) { request, context in
      let command = try await command(request, context)
      return try await update(Self.parseRows(of: request, context, for: command), command)
    }
    router.put(path) { request, context in
      var command = try await command(request, context)
      let key = try Self.prepareReplacement(&command)
      return try await replace(key, by: Self.parseRows(of: request, context, for: command), command)
    }
    router.delete(path) { request, context in
      let command = try await command(request, context)
      let written = try await rows.delete(command)
      let range = "*/\(command.total(written))"
      return Self.response(written, command.preferences, status: .ok, headers: [.contentRange: range])
    }
  }

  private func command(_ request: Request, _ context: BackendContext) async throws -> RowCommand {
    RowCommand(
      table: try table(request, context), caller: try await callers.caller(of: request),
      query: try RowQuery(request.uri.query ?? ""), preferences: try Self.preferences(of: request))
  }

  private func insert(_ values: [[String: DatabaseValue]], _ command: RowCommand) async throws -> Response {
    let written = try await rows.insert(values, command)
    var headers: HTTPFields = [.contentRange: "*/\(command.total(written))"]
    if command.preferences.answer == .headersOnly, let key = written.key.flatMap(String.fromDatabaseValue) {
      // The path is relative to the tables' base URL, as in `/likes?id=eq.…`.
      headers[.location] = "/\(command.table.name)?\(command.table.key)=eq.\(LocalPath.percentEncoded(key))"
    }
    let status = written.isNew ? HTTPResponse.Status.created : .ok
    return Self.response(written, command.preferences, status: status, emptyStatus: status, headers: headers)
  }

  private func update(_ values: [[String: DatabaseValue]], _ command: RowCommand) async throws -> Response {
    guard values.count <= 1 else { throw PostgRESTFailure.invalidBody("the body of an update must be a single object") }
    let written = try await rows.update(values.first ?? [:], command)
    let range = (written.count > 0 ? "0-\(written.count - 1)" : "*") + "/\(command.total(written))"
    return Self.response(written, command.preferences, status: .ok, headers: [.contentRange: range])
  }

  /// Converts a `PUT` command, which identifies one row by its key, into an insert or update of that row.
  /// - Returns: the row's key.
  private static func prepareReplacement(_ command: inout RowCommand) throws(PostgRESTFailure) -> DatabaseValue {
    let (query, table) = (command.query, command.table)
    guard query.limit == nil, query.offset == 0 else {
      throw .invalidBody("limit/offset querystring parameters are not allowed for PUT", code: "PGRST114")
    }
    guard case .comparison(table.key, false, .compare(.eq, let key))? = query.filters.first, query.filters.count == 1,
      let column = table.column(table.key)
    else {
      throw PostgRESTFailure(
        .methodNotAllowed, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators")
    }
    command.preferences.conflict = .merge
    command.query.conflictColumns = nil
    return try column.type.value(text: key)
  }

  private func replace(
    _ key: DatabaseValue, by values: [[String: DatabaseValue]], _ command: RowCommand
  ) async throws -> Response {
    guard values.count == 1, values[0][command.table.key] == key else {
      throw PostgRESTFailure.invalidBody(
        "Payload values do not match URL in primary key column(s)", code: "PGRST115")
    }
    let written = try await rows.insert(values, command)
    return Self.response(written, command.preferences, status: written.isNew ? .created : .ok)
  }

  // MARK: Requests

  private func table(_ request: Request, _ context: BackendContext) throws -> TableSchema {
    for name in ["accept-profile", "content-profile"] {
      if let schema = request.headers.value(of: name), schema != "public" {
        throw PostgRESTFailure(
          .notAcceptable, "PGRST106", "Invalid schema: \(schema.prefix(80))",
          details: "the local backend supports only the schema public")
      }
    }
    return try rows.table(context.parameters.require("table"))
  }

  /// Applies a `Range` header, such as `0-19`, which counts rows.
  private static func applyRange(_ request: Request, to query: inout RowQuery) throws(PostgRESTFailure) {
    // Programs that expect a file send ranges such as `bytes=0-`.
    guard let range = request.headers[.range], !range.hasPrefix("bytes") else { return }
    let ends = range.replacing("items=", with: "").split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = parseDecimal(ends[0]) else {
      throw .unsatisfiableRange("The local backend cannot parse the Range header.")
    }
    query.offset = Int(clamping: first)
    if let last = parseDecimal(ends[1]) {
      guard last >= first else {
        throw .unsatisfiableRange(
          "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
      }
      // The maximum number of rows in a response also prevents an overflow.
      query.limit = min(query.limit ?? .max, Int(min(last - first, Int64(RowStore.maximumRows)) + 1))
    }
  }

  /// Parses the rows in a request body into values by column name.
  private static func parseRows(
    of request: Request, _ context: BackendContext, for command: RowCommand
  ) async throws -> [[String: DatabaseValue]] {
    let (table, query) = (command.table, command.query)
    let root = try await body(of: request, context)
    let objects = root.elements ?? [root]
    let keys = objects.first?.members.map { Set($0.map(\.key)) }
    return try objects.map { object in
      guard let members = object.members else {
        throw PostgRESTFailure.invalidBody("the body must be an object or a list of objects")
      }
      if query.columns == nil, Set(members.map(\.key)) != keys {
        throw PostgRESTFailure.invalidBody("All object keys must match")
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

  static func body(
    of request: Request, _ context: BackendContext, limit: Int = bodyLimit
  ) async throws -> JSONValue {
    let excess = PostgRESTFailure.invalidBody("the body is larger than \(limit >> 20) MiB", .contentTooLarge)
    guard let root = try await context.json(of: request, limit: limit, excess: excess) else {
      throw PostgRESTFailure.invalidBody("Empty or invalid json")
    }
    return root
  }
}

extension RowCommand {
  /// Returns the total number of rows for the `Content-Range` header.
  fileprivate func total(_ written: RowStore.WriteResult) -> String {
    preferences.countsExactly ? "\(written.count)" : "*"
  }
}
