import Foundation
import JWTKit

/// Makes and checks the JSON web tokens of this server.
struct AccessTokens: Sendable {
  /// Seconds that an access token lives: Supabase's default.
  static let lifetimeSeconds: Int64 = 3600
  /// Between the clocks of two machines, as PostgREST allows.
  private static let clockSkewSeconds: Int64 = 30
  /// Of keys and of the owner's token, which are as good as the file that they lie in.
  private static let foreverSeconds: Int64 = 10 * 365 * 86_400

  enum Refusal: Error, Equatable {
    /// No token of ours.
    case undecodable
    case expired
    case notYetValid
  }

  /// How and when a session began.
  struct AuthenticationMethod: Codable, Equatable {
    var method = "password"
    /// Unix seconds.
    var timestamp: Int64
  }

  struct Payload: JWTPayload, Equatable {
    var sub: String?
    var role: String
    var aud: String?
    var iss: String?
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

    /// The times are judged by the server's own clock, in `verify`.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  private let keys: JWTKeyCollection

  init(secret: String) async {
    keys = await JWTKeyCollection().add(hmac: HMACKey(stringLiteral: secret), digestAlgorithm: .sha256)
  }

  /// A key that stands for a role.
  func sign(role: String) async throws -> String {
    let now = Int64(Date().timeIntervalSince1970)
    return try await keys.sign(Payload(role: role, iss: "bsc", iat: now, exp: now + Self.foreverSeconds))
  }

  /// What bsc itself sends: it may do what the built-in local user may.
  func signOwner() async throws -> String {
    let now = Int64(Date().timeIntervalSince1970)
    return try await keys.sign(
      Payload(
        sub: Caller.localUserID, role: "authenticated", aud: "authenticated", iss: "bsc", iat: now,
        exp: now + Self.foreverSeconds))
  }

  /// - Parameter signedInAt: when the session began.
  func sign(user: String, email: String?, session: String, signedInAt: Date, now: Date) async throws -> String {
    let seconds = Int64(now.timeIntervalSince1970)
    return try await keys.sign(
      Payload(
        sub: user, role: "authenticated", aud: "authenticated", iss: "bsc", iat: seconds,
        exp: seconds + Self.lifetimeSeconds, email: email, sessionID: session, aal: "aal1",
        amr: [AuthenticationMethod(timestamp: Int64(signedInAt.timeIntervalSince1970))], isAnonymous: false,
        appMetadata: ["provider": "email"]))
  }

  func verify(_ token: String, now: Date) async throws(Refusal) -> Payload {
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
