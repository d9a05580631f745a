import ClipModel
import DurableFiles
import Foundation

/// The keys of a local backend, generated once and stored in `keys.json`. For a hosted project, they are shown in the
/// dashboard.
struct ServerKeys: Codable, Equatable, Sendable {
  /// The publishable key for clients.
  var publishableKey = "sb_publishable_" + RandomText.identifier()
  /// The secret key for servers. Row rules don't apply to it.
  var secretKey = "sb_secret_" + RandomText.identifier()
  /// The secret that signs access tokens (HS256).
  var jwtSecret: String
  /// JWTs for the roles `anon` and `service_role`, for clients that support only this kind of key.
  var anonKey: String
  var serviceRoleKey: String
  /// The user name and password for Mux's REST API.
  var muxTokenID = UUID().uuidString.lowercased()
  var muxTokenSecret = RandomText.token()
  /// The secret that signs webhooks.
  var muxWebhookSecret = "whsec_" + RandomText.token()

  /// Reads the file, or creates it so that only its owner can read it.
  static func open(_ path: String) async throws -> ServerKeys {
    do {
      if let data = try await blocking({ try PrivateFile.read(path, limit: sizeLimit) }) {
        return try JSONDecoder.snakeCase.decode(ServerKeys.self, from: data)
      }
      let keys = try await make()
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(keys) + [0x0A]
      try await blocking { try PrivateFile.write(data, to: path) }
      return keys
    } catch let error as DurableFileError {
      throw LocalBackendError.folderUnusable(path: path, reason: error.explanation.why)
    } catch is DecodingError {
      throw LocalBackendError.folderUnusable(path: path, reason: "keys.json does not contain the backend's keys")
    }
  }

  private static let sizeLimit = 64 * 1024

  private static func make() async throws -> ServerKeys {
    let secret = RandomText.token()
    let tokens = await AccessTokens(secret: secret)
    return ServerKeys(
      jwtSecret: secret, anonKey: try await tokens.sign(role: "anon"),
      serviceRoleKey: try await tokens.sign(role: "service_role"))
  }
}
