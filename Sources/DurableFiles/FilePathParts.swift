import Foundation

/// Cuts paths into folder and name, by bytes and without asking the file system.
public enum FilePathParts {
  /// `rally.mp4` of `/clips/rally.mp4`; empty when the path ends with a slash.
  static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// `/clips` of `/clips/rally.mp4`, `/` of `/rally.mp4`, `.` of `rally.mp4`.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func sibling(of path: String, named name: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }
}

/// Absolute, with `.` and `..` worked out; symbolic links stay.
package func absolutePath(_ path: String) -> String {
  URL(filePath: path, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    .standardizedFileURL.path(percentEncoded: false)
}

/// Absolute, with every symbolic link on the way followed as the system does it, and no slash at the end. What does not
/// exist keeps its own name.
package func realPath(_ path: String) -> String {
  if let found = unsafe realpath(path, nil) {
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
  let folder = FilePathParts.folder(of: path)
  guard folder != path, let last = path.split(separator: "/").last else { return absolutePath(path) }
  return realPath(folder) + "/" + last
}
