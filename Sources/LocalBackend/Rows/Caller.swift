import Foundation

/// Who a request comes from, as PostgREST's roles.
enum Caller: Equatable, Sendable {
  case anonymous
  /// Lower case.
  case user(String)
  /// The backend itself, or a client with its secret key: no row rule applies.
  case service

  /// The built-in local user, author of everything until the first sign-up.
  static let localUser = Caller.user(localUserID)
  static let localUserID = "10ca1000-0000-4000-8000-000000000001"

  /// The account, in lower case; `nil` for the other two.
  var userID: String? {
    if case .user(let id) = self { id } else { nil }
  }

  /// The account as an SQL expression. A UUID is the only text that is ever put into a statement.
  var sql: String {
    guard let userID, let id = UUID(uuidString: userID) else { return "NULL" }
    return "'\(id.uuidString.lowercased())'"
  }
}
