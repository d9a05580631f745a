import Foundation

/// The identity of a request's caller, using PostgREST's roles.
enum Caller: Equatable, Sendable {
  case anonymous
  /// The account ID, in lowercase.
  case user(String)
  /// The backend itself, or a client that uses its secret key. Row rules don't apply.
  case service

  /// The built-in user, who owns all rows until the first sign-up.
  static let localUser = Caller.user(localUserID)
  static let localUserID = "10ca1000-0000-4000-8000-000000000001"

  /// The account ID, in lowercase; `nil` for anonymous and service callers.
  var userID: String? {
    if case .user(let id) = self { id } else { nil }
  }

  /// The account ID as an SQL expression. No other value is inserted into a statement as text.
  var sql: String {
    guard let userID, let id = UUID(uuidString: userID) else { return "NULL" }
    return "'\(id.uuidString.lowercased())'"
  }
}
