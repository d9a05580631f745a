import ClipModel
import Foundation
import Hummingbird
import JWTKit

/// Signs and verifies the tokens of addresses of closed videos, with Mux's claims. The signature is HMAC instead of RSA,
/// because only this server verifies it.
struct PlaybackTokens: Sendable {
  /// The lifetime of a token in seconds.
  static let lifetimeSeconds: Int64 = 300

  /// What a token is for. A token for one use is not valid for another.
  enum Use: String, Codable, Sendable {
    /// The HLS stream with all its files.
    case stream = "v"
    /// The clip as one file. Mux has no such use.
    case file = "f"
    case thumbnail = "t"
    case animation = "g"
    case storyboard = "s"

    init(_ query: ImageQuery) {
      switch query {
      case .still: self = .thumbnail
      case .animation: self = .animation
      case .storyboard, .storyboardIndex: self = .storyboard
      }
    }
  }

  struct Claims: JWTPayload, Equatable {
    var playbackID: String
    var use: Use
    /// The end of the token's validity in Unix seconds.
    var expiresAt: Int64
    /// The parameters of a picture. The address itself must not contain any.
    var parameters: [String: String] = [:]

    private enum Name: String {
      case playbackID = "sub"
      case use = "aud"
      case expiresAt = "exp"

      var key: StringKey { StringKey(stringValue: rawValue) }
    }

    init(playbackID: String, use: Use, expiresAt: Int64, parameters: [String: String] = [:]) {
      self.playbackID = playbackID
      self.use = use
      self.expiresAt = expiresAt
      self.parameters = parameters
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: StringKey.self)
      playbackID = try container.decode(String.self, forKey: Name.playbackID.key)
      use = try container.decode(Use.self, forKey: Name.use.key)
      expiresAt = try container.decode(Int64.self, forKey: Name.expiresAt.key)
      for key in container.allKeys where Name(rawValue: key.stringValue) == nil {
        parameters[key.stringValue] = try container.decode(String.self, forKey: key)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: StringKey.self)
      for (name, value) in parameters { try container.encode(value, forKey: StringKey(stringValue: name)) }
      try container.encode(playbackID, forKey: Name.playbackID.key)
      try container.encode(use, forKey: Name.use.key)
      try container.encode(expiresAt, forKey: Name.expiresAt.key)
    }

    /// Accepts every payload. `PlaybackTokens.verify` checks the claims.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  private let keys: JWTKeyCollection

  /// - Parameter secret: the secret of access tokens. Playback tokens have a key derived from it, so that one kind of
  ///   token can't replace the other.
  init(secret: String) async {
    let key = RandomText.proof(of: "playback tokens", secret: secret, byteCount: 32)
    keys = await JWTKeyCollection().add(hmac: HMACKey(stringLiteral: key), digestAlgorithm: .sha256)
  }

  func sign(_ claims: Claims) async throws -> String { try await keys.sign(claims) }

  /// Whether a request's address has a valid token for the asset in its path. The route checks the token's use.
  func accepts(_ request: Request, now: Date) async -> Bool {
    let parts = request.uri.path.split(separator: "/")
    guard request.method == .get || request.method == .head, parts.count >= 2, ["stream", "image"].contains(parts[0]),
      let token = request.uri.queryParameters.get("token")
    else { return false }
    return await claims(token, of: String(parts[1].prefix { $0 != "." }), now: now) != nil
  }

  /// Returns the claims of a token that is valid now.
  /// - Returns: `nil` if the token has expired, or is for another playback ID or use.
  func verify(_ token: String, of playbackID: String, _ use: Use, now: Date) async -> Claims? {
    guard let claims = await claims(token, of: playbackID, now: now), claims.use == use else { return nil }
    return claims
  }

  private func claims(_ token: String, of playbackID: String, now: Date) async -> Claims? {
    guard let claims = try? await keys.verify(token, as: Claims.self), claims.playbackID == playbackID,
      Double(claims.expiresAt) > now.timeIntervalSince1970
    else { return nil }
    return claims
  }
}
