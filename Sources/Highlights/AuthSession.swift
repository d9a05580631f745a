package import Foundation

/// A user's session with one Supabase project. Both tokens are secrets.
package struct AuthSession: Codable, Equatable, Sendable {
  /// The project that issued the tokens. They are never sent to another server.
  package var projectURL: String
  /// A JSON Web Token, valid for about an hour.
  package var accessToken: String
  /// An opaque token, valid for a single use. Each refresh returns a new one.
  package var refreshToken: String
  /// When the access token expires, in Unix seconds.
  package var expiresAt: Int64
  package var userID: UUID
  package var email: String?
  /// The digest of the environment's refresh token that started the session; `nil` after `bsc login`.
  package var seed: String?

  /// Whether the access token is valid for at least another minute, so that it is still valid when a request arrives.
  package func isFresh(at now: Int64) -> Bool { expiresAt - now >= 60 }

  /// The user in a token's `sub` claim. Doesn't verify the signature; the server does.
  package static func userID(ofToken token: String) -> UUID? {
    (ProjectKey.claims(token)?["sub"] as? String).flatMap(UUID.init(uuidString:))
  }
}
