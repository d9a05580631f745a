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
