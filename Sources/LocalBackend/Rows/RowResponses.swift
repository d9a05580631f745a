import Foundation
import GRDB
import Hummingbird

/// Creates the responses to requests for rows.
extension RowRoutes {
  static let single = "application/vnd.pgrst.object+json"

  static func preferences(of request: Request) throws(PostgRESTFailure) -> Preferences {
    var preferences = try Preferences(request.headers)
    preferences.wantsSingleRow = try wantsSingleRow(request)
    return preferences
  }

  /// Whether the first supported media type in the `Accept` header is the type for a single object.
  private static func wantsSingleRow(_ request: Request) throws(PostgRESTFailure) -> Bool {
    let types = (request.headers[.accept] ?? "*/*").lowercased().split(separator: ",")
      .map { $0.filter { !$0.isWhitespace } }
    for type in types {
      switch type.split(separator: ";")[...].first ?? "" {
      case single[...] where !type.contains("nulls="),
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

  static func response(_ page: RowStore.Page, _ preferences: Preferences) throws -> Response {
    if preferences.wantsSingleRow, page.rows.count != 1 { throw PostgRESTFailure.notSingleRow(page.rows.count) }
    if let total = page.total, page.offset > total {
      throw PostgRESTFailure.unsatisfiableRange(
        "An offset of \(page.offset) was requested, but there are only \(total) rows.",
        headers: [.contentRange: "*/\(total)"])
    }
    let range = page.rows.isEmpty ? "*" : "\(page.offset)-\(page.offset + page.rows.count - 1)"
    let total = page.total.map { "\($0)" } ?? "*"
    let isPartial = page.total.map { page.rows.count < $0 } ?? false
    return json(
      page.rows, status: isPartial ? .partialContent : .ok, headers: [.contentRange: "\(range)/\(total)"], preferences)
  }

  /// Creates the response to a write request.
  /// - Parameters:
  ///   - status: the status of a response with a body.
  ///   - emptyStatus: the status of a response with no body.
  static func response(
    _ written: RowStore.WriteResult, _ preferences: Preferences, status: HTTPResponse.Status,
    emptyStatus: HTTPResponse.Status = .noContent, headers: HTTPFields = [:]
  ) -> Response {
    if preferences.answer == .representation {
      return json(written.rows, status: status, headers: headers, preferences)
    }
    return Response(status: emptyStatus, headers: addingPreferences(preferences, to: headers))
  }

  private static func json(
    _ rows: [String], status: HTTPResponse.Status, headers: HTTPFields, _ preferences: Preferences
  ) -> Response {
    let isSingle = preferences.wantsSingleRow && rows.count == 1
    let text = isSingle ? rows[0] : "[" + rows.joined(separator: ",\n ") + "]"
    return .text(
      text.utf8, "\(isSingle ? single : "application/json"); charset=utf-8", status: status,
      headers: addingPreferences(preferences, to: headers))
  }

  private static func addingPreferences(_ preferences: Preferences, to headers: HTTPFields) -> HTTPFields {
    var headers = headers
    if !preferences.applied.isEmpty {
      headers.set("preference-applied", to: preferences.applied.joined(separator: ", "))
    }
    return headers
  }
}
