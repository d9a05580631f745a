import ClipModel
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `/rest/v1/{table}`, as PostgREST answers.
struct RowRoutes: Sendable {
  let rows: RowStore
  let callers: CallerIdentity

  /// A post with a full caption, or some hundred votes.
  private static let bodyLimit = 1 << 20
  private static let single = "application/vnd.pgrst.object+json"

  func add(to router: Router<BackendContext>) {
    router.get("rest/v1/:table") { request, context in try await read(request, context) }
    router.post("rest/v1/:table") { request, context in try await insert(request, context) }
    router.patch("rest/v1/:table") { request, context in try await update(request, context) }
    router.delete("rest/v1/:table") { request, context in try await delete(request, context) }
  }

  private func read(_ request: Request, _ context: BackendContext) async throws -> Response {
    let caller = try await callers.caller(of: request)
    let table = try Self.table(request, context)
    var query = try RowQuery(request.uri.query ?? "")
    try Self.applyRange(request, to: &query)
    let preferences = try Self.preferences(of: request)
    let page = try await rows.read(table, query, caller, counts: preferences.countsExactly)
    return try Self.answer(page, preferences)
  }

  private func insert(_ request: Request, _ context: BackendContext) async throws -> Response {
    let caller = try await callers.caller(of: request)
    let table = try Self.table(request, context)
    let query = try RowQuery(request.uri.query ?? "")
    let preferences = try Self.preferences(of: request)
    let values = try await Self.values(of: request, context, table, query, preferences)
    let written = try await rows.insert(values, into: table, query, preferences, caller)
    return try Self.answer(written, preferences, status: written.isNew ? .created : .ok)
  }

  private func update(_ request: Request, _ context: BackendContext) async throws -> Response {
    let caller = try await callers.caller(of: request)
    let table = try Self.table(request, context)
    let query = try RowQuery(request.uri.query ?? "")
    let preferences = try Self.preferences(of: request)
    let values = try await Self.values(of: request, context, table, query, preferences)
    guard values.count == 1, let row = values.first else {
      throw PostgRESTFailure(code: "PGRST102", message: "the body of an update is one object")
    }
    let written = try await rows.update(row, in: table, query, preferences, caller)
    return try Self.answer(written, preferences, status: Self.changed(preferences))
  }

  private func delete(_ request: Request, _ context: BackendContext) async throws -> Response {
    let caller = try await callers.caller(of: request)
    let table = try Self.table(request, context)
    let query = try RowQuery(request.uri.query ?? "")
    let preferences = try Self.preferences(of: request)
    let written = try await rows.delete(from: table, query, preferences, caller)
    return try Self.answer(written, preferences, status: Self.changed(preferences))
  }

  private static func changed(_ preferences: Preferences) -> HTTPResponse.Status {
    preferences.answer == .representation ? .ok : .noContent
  }

  // MARK: Requests

  static func table(_ request: Request, _ context: BackendContext) throws -> TableSchema {
    for name in ["accept-profile", "content-profile"] {
      if let schema = request.headers.value(of: name), schema != "public" {
        throw PostgRESTFailure(
          status: .notAcceptable, code: "PGRST106", message: "Invalid schema: \(schema.prefix(80))",
          details: "the local backend has the schema public")
      }
    }
    let name = try context.parameters.require("table")
    guard let table = SocialTables.all[name] else { throw PostgRESTFailure.unknownTable(name) }
    return table
  }

  /// `Range: 0-19` of items, when the query has no limit of its own.
  private static func applyRange(_ request: Request, to query: inout RowQuery) throws(PostgRESTFailure) {
    // `bytes=0-` is what programs send that want a file.
    guard let range = request.headers[.range], !range.hasPrefix("bytes") else { return }
    let ends = range.replacing("items=", with: "").split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = decimal(ends[0]) else {
      throw PostgRESTFailure(status: .rangeNotSatisfiable, code: "PGRST103", message: "Requested range not satisfiable")
    }
    query.offset = Int(clamping: first)
    if let last = decimal(ends[1]) {
      guard last >= first else {
        throw PostgRESTFailure(
          status: .rangeNotSatisfiable, code: "PGRST103", message: "Requested range not satisfiable")
      }
      // More than one answer has is no more than that; the largest number must not overflow.
      query.limit = min(query.limit ?? .max, Int(min(last - first, Int64(RowStore.maximumRows)) + 1))
    }
  }

  /// The rows of a body, by column.
  private static func values(
    of request: Request, _ context: BackendContext, _ table: TableSchema, _ query: RowQuery,
    _ preferences: Preferences
  ) async throws -> [[String: DatabaseValue]] {
    let root = try await body(of: request, context)
    let objects: [JSONValue]
    if let elements = root.elements { objects = elements } else { objects = [root] }
    let keys = objects.first?.members.map { Set($0.map(\.key)) }
    return try objects.map { object in
      guard let members = object.members else {
        throw PostgRESTFailure(code: "PGRST102", message: "the body is no object and no list of objects")
      }
      if query.columns == nil, Set(members.map(\.key)) != keys {
        throw PostgRESTFailure(code: "PGRST102", message: "All object keys must match")
      }
      var row: [String: DatabaseValue] = [:]
      for member in members where query.columns?.contains(member.key) != false {
        guard let column = table.column(member.key), column.computed == nil else {
          throw PostgRESTFailure.unknownColumn(member.key, table.name)
        }
        row[column.name] = try column.type.value(member.value)
      }
      for name in query.columns ?? [] where row[name] == nil && !preferences.usesDefaults {
        guard table.column(name) != nil else { throw PostgRESTFailure.unknownColumn(name, table.name) }
        row[name] = .null
      }
      return row
    }
  }

  static func body(of request: Request, _ context: BackendContext) async throws -> JSONValue {
    let bytes: ByteBuffer
    do {
      bytes = try await context.body(of: request, limit: bodyLimit)
    } catch is NIOTooManyBytesError {
      throw PostgRESTFailure(status: .contentTooLarge, code: "PGRST102", message: "the body is larger than 1 MiB")
    }
    let document = JSONReader.read(Array(bytes.readableBytesView))
    guard let root = document.root, document.problems.isEmpty else {
      throw PostgRESTFailure(code: "PGRST102", message: "Empty or invalid json")
    }
    return root
  }

  // MARK: Answers

  static func preferences(of request: Request) throws(PostgRESTFailure) -> Preferences {
    var preferences = try Preferences(request.headers)
    preferences.wantsSingle = try wantsSingle(request)
    return preferences
  }

  /// What the client takes; it wants one object instead of a list.
  private static func wantsSingle(_ request: Request) throws(PostgRESTFailure) -> Bool {
    let types = (request.headers[.accept] ?? "*/*").lowercased().split(separator: ",")
      .map { $0.filter { !$0.isWhitespace } }
    for type in types {
      switch type.split(separator: ";")[...].first ?? "" {
      case "application/vnd.pgrst.object+json" where !type.contains("nulls="),
        "application/vnd.pgrst.object" where !type.contains("nulls="):
        return true
      case "*/*", "application/*", "application/json": return false
      default: continue
      }
    }
    throw PostgRESTFailure(
      status: .notAcceptable, code: "PGRST107",
      message: "None of these media types are available: \(types.joined(separator: ", ").prefix(200))")
  }

  static func answer(_ page: RowStore.Page, _ preferences: Preferences) throws -> Response {
    if let total = page.total, page.offset > total {
      throw PostgRESTFailure(
        status: .rangeNotSatisfiable, code: "PGRST103", message: "Requested range not satisfiable",
        details: "An offset of \(page.offset) was requested, but there are only \(total) rows.")
    }
    let range = page.rows.isEmpty ? "*" : "\(page.offset)-\(page.offset + page.rows.count - 1)"
    let total = page.total.map { "\($0)" } ?? "*"
    let isPartial = page.total.map { page.rows.count < $0 } ?? false
    return try json(
      page.rows, status: isPartial ? .partialContent : .ok,
      headers: [.contentRange: "\(range)/\(total)"], preferences)
  }

  private static func answer(
    _ written: RowStore.Written, _ preferences: Preferences, status: HTTPResponse.Status
  ) throws -> Response {
    let headers: HTTPFields = [.contentRange: "*/\(preferences.countsExactly ? "\(written.count)" : "*")"]
    guard preferences.answer == .representation else {
      var headers = headers
      Self.add(preferences, to: &headers)
      return Response(status: status, headers: headers)
    }
    return try json(written.rows, status: status, headers: headers, preferences)
  }

  private static func json(
    _ rows: [String], status: HTTPResponse.Status, headers: HTTPFields, _ preferences: Preferences
  ) throws -> Response {
    let isSingle = preferences.wantsSingle
    if isSingle, rows.count != 1 { throw PostgRESTFailure.notSingle(rows.count) }
    var headers = headers
    headers[.contentType] = "\(isSingle ? single : "application/json"); charset=utf-8"
    headers[.cacheControl] = "no-store"
    add(preferences, to: &headers)
    let text = isSingle ? rows[0] : "[" + rows.joined(separator: ",\n ") + "]"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private static func add(_ preferences: Preferences, to headers: inout HTTPFields) {
    if !preferences.applied.isEmpty {
      headers.set("preference-applied", to: preferences.applied.joined(separator: ", "))
    }
  }
}
