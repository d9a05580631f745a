import Foundation

/// The identity of a request's caller, based on PostgREST's roles.
enum Caller: Equatable, Sendable {
  case anonymous
  /// A signed-in user with this account ID, in lowercase.
  case user(String)
  /// The backend itself, or a client that uses the secret key. Row rules don't apply to this role.
  case service

  /// The built-in user, who owns all rows until someone signs up.
  static let localUser = Caller.user(localUserID)
  static let localUserID = "10ca1000-0000-4000-8000-000000000001"

  /// The caller's account ID, in lowercase; `nil` for anonymous and service callers.
  var userID: String? {
    if case .user(let id) = self { id } else { nil }
  }

  /// The caller's account ID as an SQL expression. It is the only value that is inserted into statements as text.
  var sql: String {
    guard let userID, let id = UUID(uuidString: userID) else { return "NULL" }
    return "'\(id.uuidString.lowercased())'"
  }
}
