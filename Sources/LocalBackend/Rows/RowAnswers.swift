import Foundation
import GRDB
import Hummingbird

/// How rows are given back.
extension RowRoutes {
  static let single = "application/vnd.pgrst.object+json"

  static func preferences(of request: Request) throws(PostgRESTFailure) -> Preferences {
    var preferences = try Preferences(request.headers)
    preferences.wantsSingle = try wantsSingle(request)
    return preferences
  }

  /// The media type of one object instead of a list.
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
      .notAcceptable, "PGRST107",
      "None of these media types are available: \(types.joined(separator: ", ").prefix(200))")
  }

  static func answer(_ page: RowStore.Page, _ preferences: Preferences) throws -> Response {
    if preferences.wantsSingle, page.rows.count != 1 { throw PostgRESTFailure.notSingle(page.rows.count) }
    if let total = page.total, page.offset > total {
      throw PostgRESTFailure.unsatisfiableRange(
        "An offset of \(page.offset) was requested, but there are only \(total) rows.",
        headers: [.contentRange: "*/\(total)"])
    }
    let range = page.rows.isEmpty ? "*" : "\(page.offset)-\(page.offset + page.rows.count - 1)"
    let total = page.total.map { "\($0)" } ?? "*"
    let isPartial = page.total.map { page.rows.count < $0 } ?? false
    return try json(
      page.rows, status: isPartial ? .partialContent : .ok,
      headers: [.contentRange: "\(range)/\(total)"], preferences)
  }

  static func answer(
    _ written: RowStore.Written, _ preferences: Preferences, status: HTTPResponse.Status, headers: HTTPFields
  ) throws -> Response {
    guard preferences.answer == .representation else {
      var headers = headers
      Self.add(preferences, to: &headers)
      return Response(status: status, headers: headers)
    }
    return try json(written.rows, status: status, headers: headers, preferences)
  }

  /// Where a new row is, below the address of the tables: `/likes?id=eq.…`.
  static func location(of key: DatabaseValue, in table: TableSchema) -> String? {
    String.fromDatabaseValue(key).map { "/\(table.name)?\(table.key)=eq.\(LocalPath.encoded($0))" }
  }

  private static func json(
    _ rows: [String], status: HTTPResponse.Status, headers: HTTPFields, _ preferences: Preferences
  ) throws -> Response {
    let isSingle = preferences.wantsSingle && rows.count == 1
    var headers = headers
    add(preferences, to: &headers)
    let text = isSingle ? rows[0] : "[" + rows.joined(separator: ",\n ") + "]"
    return .text(
      text.utf8, "\(isSingle ? single : "application/json"); charset=utf-8", status: status, headers: headers)
  }

  private static func add(_ preferences: Preferences, to headers: inout HTTPFields) {
    if !preferences.applied.isEmpty {
      headers.set("preference-applied", to: preferences.applied.joined(separator: ", "))
    }
  }
}
