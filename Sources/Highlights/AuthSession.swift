package import Foundation

/// A user's session in one Supabase project. Both tokens are secrets.
package struct AuthSession: Codable, Equatable, Sendable {
  /// The URL of the project that issued the tokens. The tokens are never sent to any other server.
  package var projectURL: String
  /// The JSON Web Token for requests, which is valid for about one hour.
  package var accessToken: String
  /// The single-use token for refreshing the session. Each refresh returns a new token.
  package var refreshToken: String
  /// When the access token expires, in Unix seconds.
  package var expiresAt: Int64
  package var userID: UUID
  package var email: String?
  /// The digest of the refresh token from the environment that started this session; `nil` after `bsc login`.
  package var seed: String?

  /// Returns whether the access token is valid for at least another minute, so it's still valid when a request arrives.
  package func isFresh(at now: Int64) -> Bool { expiresAt - now >= 60 }

  /// Returns the user ID from a token's `sub` claim. Only the server verifies the signature.
  package static func userID(ofToken token: String) -> UUID? {
    (ProjectKey.decodeClaims(token)?["sub"] as? String).flatMap(UUID.init(uuidString:))
  }
}
