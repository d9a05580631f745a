import Foundation

/// What `server.json` tells other processes about the running server.
struct ServerInfo: Codable, Equatable {
  var pid: Int32
  var port: Int
  var version: String

  /// Replaces the file in one step, readable by its owner alone.
  func write(to path: String) throws(LocalBackendError) {
    let temporary = path + ".new"
    do {
      let data = try JSONEncoder().encode(self)
      guard FileManager.default.createFile(atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600])
      else { throw LocalBackendError.folderUnusable(path: path, reason: systemErrorText(errno)) }
      guard unsafe rename(temporary, path) == 0 else {
        throw LocalBackendError.folderUnusable(path: path, reason: systemErrorText(errno))
      }
    } catch let error as LocalBackendError {
      throw error
    } catch {
      throw .folderUnusable(path: path, reason: error.localizedDescription)
    }
  }

  static func read(_ path: String) -> ServerInfo? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? JSONDecoder().decode(ServerInfo.self, from: data)
  }
}
