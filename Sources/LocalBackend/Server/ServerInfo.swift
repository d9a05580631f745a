import ClipModel
import DurableFiles
import Foundation

/// The content of `server.json`, which describes the running server to other processes.
struct ServerInfo: Codable, Equatable {
  var pid: Int32
  /// The host name that this machine uses to reach the server.
  var host: String
  var port: Int
  var version: String
  /// The owner's token. Processes that can read the file act as the built-in local user.
  var ownerToken: String
  /// Whether requests from this machine also need a token. The property's name is the key in the stored file.
  var asksForToken: Bool
  var publicURL: URL?

  func address(at baseURL: URL) -> ServerAddress {
    ServerAddress(baseURL: baseURL, ownerToken: ownerToken, requiresToken: asksForToken, publicURL: publicURL)
  }

  /// Replaces the file atomically. Only the file's owner can read it.
  func write(to path: String) throws(LocalBackendError) {
    do {
      try DurableFile.write(JSONEncoder().encode(self), to: path, permissions: 0o600)
    } catch {
      let reason = (error as? DurableFileError)?.explanation.why ?? error.localizedDescription
      throw .folderUnusable(path: path, reason: reason)
    }
  }

  static func read(_ path: String) -> ServerInfo? {
    FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(ServerInfo.self, from: $0) }
  }
}
