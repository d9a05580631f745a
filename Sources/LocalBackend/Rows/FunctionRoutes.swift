import ClipModel
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/rest/v1/rpc/{function}`: the functions of `supabase/migrations` that clients call. Those that give highlights are
/// filtered, ordered and paged like the table.
struct FunctionRoutes: Sendable {
  let rows: RowStore
  let callers: CallerIdentity

  private static let argumentNames: [String: Set<String>] = [
    "share_allowance": [], "feed": [], "accept_follow_request": ["requester"],
    "highlights_with_tag": ["tag", "max_rows", "before"], "discover_highlights": ["max_rows", "skip_rows"],
  ]
  /// Those that change nothing, and so may be asked with GET.
  private static let readOnly: Set<String> = ["share_allowance", "feed", "highlights_with_tag", "discover_highlights"]

  func add(to router: Router<BackendContext>) {
    router.get("rest/v1/rpc/:function") { request, context in
      let name = try context.parameters.require("function")
      guard Self.readOnly.contains(name) || Self.argumentNames[name] == nil else {
        throw PostgRESTFailure(
          status: .methodNotAllowed, code: "25006", message: "cannot execute \(name) in a read-only transaction")
      }
      let query = try RowQuery(request.uri.query ?? "", argumentNames: Self.argumentNames[name] ?? [])
      let arguments = query.arguments.map { JSONMember(key: $0.name, value: JSONValue(.string($0.value), at: 0)) }
      return try await call(name, JSONValue(.object(arguments), at: 0), query, request)
    }
    router.post("rest/v1/rpc/:function") { request, context in
      let name = try context.parameters.require("function")
      let query = try RowQuery(request.uri.query ?? "")
      return try await call(name, try await RowRoutes.body(of: request, context), query, request)
    }
  }

  private func call(_ name: String, _ body: JSONValue, _ query: RowQuery, _ request: Request) async throws -> Response {
    let caller = try await callers.caller(of: request)
    guard let known = Self.argumentNames[name], let members = body.members,
      known.isSuperset(of: members.map(\.key))
    else {
      throw PostgRESTFailure(
        status: .notFound, code: "PGRST202",
        message: "Could not find the function public.\(name.prefix(80)) with these arguments in the schema cache")
    }
    let arguments = Arguments(body: body)
    let preferences = try RowRoutes.preferences(of: request)
    let narrowing: RowStore.Narrowing
    switch name {
    case "share_allowance": return try await allowance(caller)
    case "accept_follow_request": return try await accept(try arguments.value("requester", .uuid), caller)
    case "feed": narrowing = Self.unmuted(caller)
    case "highlights_with_tag": narrowing = try Self.withTag(arguments, caller)
    default: narrowing = try Self.discovery(arguments, caller, timestampText(rows.now()))
    }
    let page = try await rows.read(
      SocialTables.highlights, query, caller, counts: preferences.countsExactly, narrowing: narrowing)
    return try RowRoutes.answer(page, preferences)
  }

  // MARK: Functions

  private func allowance(_ caller: Caller) async throws -> Response {
    guard caller != .anonymous else { throw PostgRESTFailure.deniedFunction("share_allowance", caller) }
    let now = rows.now()
    let allowance = try await rows.store.database.read { db in
      try ShareLimit.allowance(of: caller.userID, db, now)
    }
    return try Response.json(allowance)
  }

  /// The only way to write a follow for somebody else: they asked, and the caller was asked.
  private func accept(_ requester: DatabaseValue, _ caller: Caller) async throws -> Response {
    guard let target = caller.userID else { throw PostgRESTFailure.deniedFunction("accept_follow_request", caller) }
    let now = timestampText(rows.now())
    try await rows.store.database.write { db in
      try db.execute(
        sql: "DELETE FROM follow_requests WHERE requester_id = ? AND target_id = ?", arguments: [requester, target])
      guard db.changesCount > 0 else {
        throw PostgRESTFailure(status: .notFound, code: "PT404", message: "there is no such request")
      }
      try db.execute(
        sql: "INSERT INTO follows VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [UUID().uuidString.lowercased(), requester, target, now])
    }
    return Response(status: .noContent)
  }

  /// The narrowing of `feed`.
  static func unmuted(_ caller: Caller) -> RowStore.Narrowing {
    RowStore.Narrowing(conditions: { _, alias in ["NOT \(RowRules.isMuted(alias, caller.sql))"] })
  }

  private static func withTag(_ arguments: Arguments, _ caller: Caller) throws -> RowStore.Narrowing {
    let tag = String.fromDatabaseValue(try arguments.value("tag", .text))?.lowercased() ?? ""
    let before = try arguments.optional("before", .timestamp)
    var narrowing = unmuted(caller)
    narrowing.conditions = { statement, alias in
      let tag = statement.bind(tag.databaseValue)
      var parts = [
        "NOT \(RowRules.isMuted(alias, caller.sql))",
        "EXISTS (SELECT 1 FROM json_each(\(alias).tags) WHERE value = \(tag))",
      ]
      if !before.isNull { parts.append("\(alias).created_at < \(statement.bind(before))") }
      return parts
    }
    narrowing.order = { _, alias in "ORDER BY \(alias).created_at DESC, \(alias).id DESC" }
    narrowing.limit = try arguments.pageSize()
    return narrowing
  }

  private static func discovery(
    _ arguments: Arguments, _ caller: Caller, _ now: String
  ) throws -> RowStore.Narrowing {
    let start = (try? Date(now.prefix(19) + "Z", strategy: .iso8601)) ?? Date()
    let oldest = timestampText(start.addingTimeInterval(-30 * 86_400))
    var narrowing = unmuted(caller)
    narrowing.conditions = { statement, alias in
      [
        "NOT \(RowRules.isMuted(alias, caller.sql))", "\(alias).privacy_level = 'public'",
        "\(alias).created_at > \(statement.bind(oldest.databaseValue))",
      ]
    }
    narrowing.order = { statement, alias in
      """
      ORDER BY heat(\(alias).likes_count, \(alias).comments_count, \(alias).created_at, \
      \(statement.bind(now.databaseValue))) DESC, \(alias).id
      """
    }
    narrowing.limit = try arguments.pageSize()
    narrowing.offset = try arguments.number("skip_rows") ?? 0
    return narrowing
  }

  /// What a function was given.
  private struct Arguments {
    let body: JSONValue

    func optional(_ name: String, _ type: ColumnType) throws(PostgRESTFailure) -> DatabaseValue {
      guard let value = body[name] else { return .null }
      return try type.value(value)
    }

    func value(_ name: String, _ type: ColumnType) throws(PostgRESTFailure) -> DatabaseValue {
      guard body[name] != nil else {
        throw PostgRESTFailure(
          status: .notFound, code: "PGRST202",
          message: "Could not find the function without the parameter \(name) in the schema cache")
      }
      return try optional(name, type)
    }

    /// Twenty unless it is said; null and more than a hundred are a hundred.
    func pageSize() throws(PostgRESTFailure) -> Int {
      if body["max_rows"] == nil { return 20 }
      return min(try number("max_rows") ?? 100, 100)
    }

    func number(_ name: String) throws(PostgRESTFailure) -> Int? {
      guard let number = Int.fromDatabaseValue(try optional(name, .integer)) else { return nil }
      guard number >= 0 else {
        throw PostgRESTFailure(code: "2201W", message: "\(name) must not be negative")
      }
      return number
    }
  }
}

extension PostgRESTFailure {
  fileprivate static func deniedFunction(_ name: String, _ caller: Caller) -> PostgRESTFailure {
    PostgRESTFailure(
      status: caller == .anonymous ? .unauthorized : .forbidden, code: "42501",
      message: "permission denied for function \(name)")
  }
}
