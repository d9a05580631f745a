import DurableFiles
import Foundation

/// The paths inside the backend's data folder.
struct DataFolder: Sendable {
  let path: String

  var database: String { path + "/backend.sqlite" }
  var lock: String { path + "/server.lock" }
  var keys: String { path + "/keys.json" }
  var mails: String { path + "/mails.jsonl" }
  var serverInfo: String { path + "/server.json" }
  var uploads: String { path + "/uploads" }
  var assets: String { path + "/assets" }

  func partPath(ofUpload id: String) -> String { uploads + "/\(id).part" }
  func assetPath(_ id: String) -> String { assets + "/\(id)" }
  func clipPath(ofAsset id: String) -> String { assetPath(id) + "/clip.mp4" }
  /// The folder of files that are created on request; see `RenditionCache`.
  func renditionsPath(ofAsset id: String) -> String { assetPath(id) + "/made" }

  /// Creates the data folder and its subfolders with access only for the owner.
  func create() throws(LocalBackendError) {
    for folder in [path, uploads, assets] {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // `createDirectory` doesn't change the permissions of existing folders.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      } catch {
        throw .folderUnusable(path: folder, reason: error.localizedDescription)
      }
    }
  }

  /// Lists all existing part files and asset folders with their upload or asset IDs.
  func storedItems() -> [(id: String, path: String)] {
    let manager = FileManager.default
    let parts = ((try? manager.contentsOfDirectory(atPath: uploads)) ?? []).filter { $0.hasSuffix(".part") }
      .map { (id: String($0.dropLast(".part".count)), path: uploads + "/" + $0) }
    let clips = ((try? manager.contentsOfDirectory(atPath: assets)) ?? []).map { (id: $0, path: assetPath($0)) }
    return parts + clips
  }

  /// Removes a file or folder if it exists.
  func remove(_ item: String) throws { try Folder.remove(item) }
}
