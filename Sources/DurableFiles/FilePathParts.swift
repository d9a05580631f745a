import Foundation

/// Splits paths into a folder and a name without accessing the file system.
public enum FilePathParts {
  /// Returns the name, such as `rally.mp4` for `/clips/rally.mp4`. The name is empty if the path ends with a slash.
  static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// Returns the folder: `/clips` for `/clips/rally.mp4`, `/` for `/rally.mp4`, and `.` for `rally.mp4`.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Returns the absolute path, with `.` and `..` resolved. Symbolic links aren't resolved.
package func absolutePath(_ path: String) -> String {
  URL(filePath: path, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    .standardizedFileURL.path(percentEncoded: false)
}

/// Returns the absolute path without a trailing slash and with all symbolic links resolved. Components that don't exist
/// are kept.
package func realPath(_ path: String) -> String {
  if let found = unsafe realpath(path, nil) {
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
  let folder = FilePathParts.folder(of: path)
  guard folder != path, let last = path.split(separator: "/").last else { return absolutePath(path) }
  return realPath(folder) + "/" + last
}
