import ClipModel
import DurableFiles
import Foundation

/// The facts about the running server in `server.json`, for other processes.
struct ServerInfo: Codable, Equatable {
  var pid: Int32
  /// Where this machine finds it.
  var host: String
  var port: Int
  var version: String
  /// Those who may read the file can act as the built-in local user.
  var ownerToken: String
  /// Access from this machine needs a token, too.
  var asksForToken: Bool

  func address(at baseURL: URL) -> ServerAddress {
    ServerAddress(baseURL: baseURL, ownerToken: ownerToken, asksForToken: asksForToken)
  }

  /// Replaces the file in one step, readable by its owner alone.
  func write(to path: String) throws(LocalBackendError) {
    do {
      try DurableFile.write(JSONEncoder().encode(self), to: path, permissions: 0o600)
    } catch let error as DurableFileError {
      throw .folderUnusable(path: path, reason: error.explanation.why)
    } catch {
      throw .folderUnusable(path: path, reason: error.localizedDescription)
    }
  }

  static func read(_ path: String) -> ServerInfo? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? JSONDecoder().decode(ServerInfo.self, from: data)
  }
}
