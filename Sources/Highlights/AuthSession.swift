package import Foundation

/// A person who is signed in at one Supabase project. Both tokens are secrets.
package struct AuthSession: Codable, Equatable, Sendable {
  /// The project it belongs to: nothing of it is ever sent anywhere else.
  package var projectURL: String
  /// A JSON Web Token of about an hour.
  package var accessToken: String
  /// Opaque; good for one use, after which the answer's new one counts.
  package var refreshToken: String
  /// Unix seconds at which the access token ends.
  package var expiresAt: Int64
  package var userID: UUID
  package var email: String?
  /// Digest of the refresh token in the environment that it was made from; `nil` after `bsc login`.
  package var seed: String?

  package init(
    projectURL: String, accessToken: String, refreshToken: String, expiresAt: Int64, userID: UUID, email: String?,
    seed: String? = nil
  ) {
    self.projectURL = projectURL
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.userID = userID
    self.email = email
    self.seed = seed
  }

  /// Before the last minute, a request still arrives with a good token.
  package func isFresh(at now: Int64) -> Bool { expiresAt - now >= 60 }

  /// Whose token it is, as its own `sub` says. Nobody has checked its signature: that is the server's business.
  package static func userID(ofToken token: String) -> UUID? {
    (ProjectKey.claims(token)?["sub"] as? String).flatMap(UUID.init(uuidString:))
  }
}
