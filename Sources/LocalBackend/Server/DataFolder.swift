import Foundation

/// The places inside the backend's data folder.
struct DataFolder: Sendable {
  let path: String

  var database: String { path + "/backend.sqlite" }
  var lock: String { path + "/server.lock" }
  var keys: String { path + "/keys.json" }
  var mails: String { path + "/mails.jsonl" }
  var serverInfo: String { path + "/server.json" }
  var uploads: String { path + "/uploads" }
  var assets: String { path + "/assets" }

  func part(ofUpload id: String) -> String { uploads + "/\(id).part" }
  func asset(_ id: String) -> String { assets + "/\(id)" }
  func clip(ofAsset id: String) -> String { asset(id) + "/clip.mp4" }
  /// Renditions of assets, made on request; see `RenditionCache`.
  func made(ofAsset id: String) -> String { asset(id) + "/made" }
  func thumbnail(ofAsset id: String) -> String { asset(id) + "/thumbnail.jpg" }

  /// Makes the folders, readable by their owner alone.
  func create() throws(LocalBackendError) {
    for folder in [path, uploads, assets] {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // `createDirectory` leaves the rights of a folder that is already there as they are.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      } catch {
        throw .folderUnusable(path: folder, reason: error.localizedDescription)
      }
    }
  }

  /// Every part and asset that lies here now.
  func items() -> [Item] {
    let manager = FileManager.default
    let parts = ((try? manager.contentsOfDirectory(atPath: uploads)) ?? []).filter { $0.hasSuffix(".part") }
      .map { Item(id: String($0.dropLast(".part".count)), path: uploads + "/" + $0) }
    let clips = ((try? manager.contentsOfDirectory(atPath: assets)) ?? []).map { Item(id: $0, path: asset($0)) }
    return parts + clips
  }

  struct Item: Sendable {
    /// Of the upload or the asset.
    let id: String
    let path: String
  }

  /// Removes a file or folder if it is there.
  func remove(_ item: String) throws {
    do {
      try FileManager.default.removeItem(atPath: item)
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    }
  }
}
