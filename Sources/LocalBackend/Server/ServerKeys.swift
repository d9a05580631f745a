import ClipModel
import DurableFiles
import Foundation

/// The keys of a local backend, made once and kept in `keys.json`: what a project's dashboard shows elsewhere.
struct ServerKeys: Codable, Equatable, Sendable {
  /// For clients.
  var publishableKey: String
  /// For servers: no row rule counts.
  var secretKey: String
  /// Signs access tokens (HS256).
  var jwtSecret: String
  /// JWTs of the roles `anon` and `service_role`, for clients that know only those.
  var anonKey: String
  var serviceRoleKey: String
  /// User and password of Mux's REST API.
  var muxTokenID: String
  var muxTokenSecret: String
  /// Signs webhooks.
  var muxWebhookSecret: String

  enum CodingKeys: String, CodingKey {
    case publishableKey = "publishable_key"
    case secretKey = "secret_key"
    case jwtSecret = "jwt_secret"
    case anonKey = "anon_key"
    case serviceRoleKey = "service_role_key"
    case muxTokenID = "mux_token_id"
    case muxTokenSecret = "mux_token_secret"
    case muxWebhookSecret = "mux_webhook_secret"
  }

  /// Reads the file, or makes it, readable by its owner alone.
  static func open(_ path: String) async throws -> ServerKeys {
    do {
      if let data = try await blocking({ try PrivateFile.read(path, limit: sizeLimit) }) {
        return try JSONDecoder().decode(ServerKeys.self, from: data)
      }
      let keys = try await make()
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(keys) + [0x0A]
      try await blocking { try PrivateFile.write(data, to: path) }
      return keys
    } catch let error as DurableFileError {
      throw LocalBackendError.folderUnusable(path: path, reason: error.explanation.why)
    } catch is DecodingError {
      throw LocalBackendError.folderUnusable(path: path, reason: "it does not hold the backend's keys")
    }
  }

  private static let sizeLimit = 64 * 1024

  private static func make() async throws -> ServerKeys {
    let secret = RandomText.token()
    let tokens = await AccessTokens(secret: secret)
    return ServerKeys(
      publishableKey: "sb_publishable_" + RandomText.identifier(), secretKey: "sb_secret_" + RandomText.identifier(),
      jwtSecret: secret, anonKey: try await tokens.sign(role: "anon"),
      serviceRoleKey: try await tokens.sign(role: "service_role"), muxTokenID: UUID().uuidString.lowercased(),
      muxTokenSecret: RandomText.token(), muxWebhookSecret: "whsec_" + RandomText.token())
  }
}
