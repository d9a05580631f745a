import Foundation

/// What lies under a name, in words.
enum FileKind {
  /// - Returns: `nil` for a regular file.
  static func special(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something special"
    }
  }
}
