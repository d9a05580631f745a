import Foundation
import JWTKit

/// Signs and verifies this server's JSON Web Tokens.
struct AccessTokens: Sendable {
  /// The lifetime of an access token in seconds, which is Supabase's default.
  static let lifetimeSeconds: Int64 = 3600
  /// The tolerated clock skew in seconds, as in PostgREST.
  private static let clockSkewSeconds: Int64 = 30
  /// The lifetime in seconds of API keys and the owner's token. Both are stored in files next to the database.
  private static let permanentSeconds: Int64 = 10 * 365 * 86_400

  enum VerificationError: Error, Equatable {
    /// The string is not a token that this server signed.
    case undecodable
    case expired
    case notYetValid
  }

  /// How and when a session began.
  struct AuthenticationMethod: Codable, Equatable {
    var method = "password"
    /// The start of the session in Unix seconds.
    var timestamp: Int64
  }

  struct Payload: JWTPayload, Equatable {
    var sub: String?
    var role: String
    var aud: String?
    var iss = "bsc"
    var iat: Int64
    var exp: Int64
    var email: String?
    var sessionID: String?
    var aal: String?
    var amr: [AuthenticationMethod]?
    var isAnonymous: Bool?
    var appMetadata: [String: String]?

    enum CodingKeys: String, CodingKey {
      case sub, role, aud, iss, iat, exp, email, aal, amr
      case sessionID = "session_id"
      case isAnonymous = "is_anonymous"
      case appMetadata = "app_metadata"
    }

    /// Accepts every payload. `AccessTokens.verify` checks the token's times against the server's clock.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  private let keys: JWTKeyCollection

  init(secret: String) async {
    keys = await JWTKeyCollection().add(hmac: HMACKey(stringLiteral: secret), digestAlgorithm: .sha256)
  }

  /// Signs a permanent key for a role, or for a user with that role.
  func sign(role: String, user: String? = nil) async throws -> String {
    let now = Int64(Date().timeIntervalSince1970)
    return try await keys.sign(
      Payload(sub: user, role: role, aud: user == nil ? nil : role, iat: now, exp: now + Self.permanentSeconds))
  }

  /// Signs an access token for a session.
  func sign(user: String, email: String?, session: String, signedInAt: Date, now: Date) async throws -> String {
    let seconds = Int64(now.timeIntervalSince1970)
    return try await keys.sign(
      Payload(
        sub: user, role: "authenticated", aud: "authenticated", iat: seconds, exp: seconds + Self.lifetimeSeconds,
        email: email, sessionID: session, aal: "aal1",
        amr: [AuthenticationMethod(timestamp: Int64(signedInAt.timeIntervalSince1970))], isAnonymous: false,
        appMetadata: ["provider": "email"]))
  }

  func verify(_ token: String, now: Date) async throws(VerificationError) -> Payload {
    let payload: Payload
    do {
      payload = try await keys.verify(token, as: Payload.self)
    } catch {
      throw .undecodable
    }
    let seconds = Int64(now.timeIntervalSince1970)
    if payload.exp < seconds - Self.clockSkewSeconds { throw .expired }
    if payload.iat > seconds + Self.clockSkewSeconds { throw .notYetValid }
    return payload
  }
}
