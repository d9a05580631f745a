import ClipModel
import Foundation

/// Videos in a folder, or the one file that is named.
enum MediaFolder {
  /// What cameras and editors write.
  private static let extensions: Set = [
    "mp4", "mov", "m4v", "3gp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "ts", "mpg", "mpeg",
  ]

  /// A file as it is, a folder's videos in order of their paths; hidden files are left aside.
  static func files(at path: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [path]
    }
    // Named like files that cannot be read: they are judged like those, and not passed over in silence.
    var unreadable: [String] = []
    guard
      let walker = FileManager.default.enumerator(
        at: URL(filePath: path, directoryHint: .isDirectory), includingPropertiesForKeys: nil,
        options: [.skipsHiddenFiles, .skipsPackageDescendants],
        errorHandler: { url, _ in
          unreadable.append(url.path(percentEncoded: false))
          return true
        })
    else { return [] }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    let root = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL.path(percentEncoded: false)
    let videos = walker.compactMap { $0 as? URL }
      .filter { extensions.contains($0.pathExtension.lowercased()) }
      .map { url in
        let full = url.standardizedFileURL.path(percentEncoded: false)
        return full.hasPrefix(root) ? prefix + full.dropFirst(root.count).drop { $0 == "/" } : full
      }
    return (videos + unreadable).sorted()
  }
}
