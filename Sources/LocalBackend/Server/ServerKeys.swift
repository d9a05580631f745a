import ClipModel
import DurableFiles
import Foundation

/// The keys of a local backend. The server generates them once and stores them in `keys.json`. Hosted projects show
/// these keys in their dashboard.
struct ServerKeys: Codable, Equatable, Sendable {
  /// The publishable key for clients.
  var publishableKey = "sb_publishable_" + RandomText.identifier()
  /// The secret key for servers. Requests with this key bypass the row rules.
  var secretKey = "sb_secret_" + RandomText.identifier()
  /// The secret that signs access tokens (HS256).
  var jwtSecret: String
  /// A JWT for the role `anon`, for clients that support only legacy keys.
  var anonKey: String
  var serviceRoleKey: String
  /// The user name for the Mux REST API. The password is `muxTokenSecret`.
  var muxTokenID = UUID().uuidString.lowercased()
  var muxTokenSecret = RandomText.token()
  /// The secret that signs webhook requests.
  var muxWebhookSecret = "whsec_" + RandomText.token()

  /// Reads the key file. If there is no file, creates one that only its owner can read.
  static func open(_ path: String) async throws -> ServerKeys {
    do {
      if let data = try await runBlocking({ try PrivateFile.read(path, limit: sizeLimit) }) {
        return try JSONDecoder.snakeCase.decode(ServerKeys.self, from: data)
      }
      let keys = try await make()
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(keys) + [0x0A]
      try await runBlocking { try PrivateFile.write(data, to: path) }
      return keys
    } catch let error as DurableFileError {
      throw LocalBackendError.folderUnusable(path: path, reason: error.explanation.why)
    } catch is DecodingError {
      throw LocalBackendError.folderUnusable(path: path, reason: "keys.json is not a valid key file")
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
