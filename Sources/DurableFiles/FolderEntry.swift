import ClipModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A name in a folder, and what lies under it.
public struct FolderEntry: Equatable, Sendable {
  public enum Kind: Sendable {
    case folder
    /// A symbolic link whose end is a folder.
    case linkToFolder
    /// Everything else: files and links to them, and what nobody can read.
    case file
  }

  /// For people; with replacement characters when it is not UTF-8.
  public var name: String
  /// Whether the name is UTF-8. A file with another name cannot be opened by a path of ours.
  public var isReachable: Bool
  public var kind: Kind

  public init(name: String, isReachable: Bool, kind: Kind) {
    self.name = name
    self.isReachable = isReachable
    self.kind = kind
  }

  /// Why an entry of `folder` is left aside whose name is not UTF-8.
  public func unreachable(in folder: String) -> DurableFileError {
    DurableFileError(
      what: "cannot read \(folder)/\(name)", why: "its name is not UTF-8", next: "rename it, then run again",
      category: .unjudged)
  }
}

extension Folder {
  /// Everything in the folder but `.` and `..`, in no order. A symbolic link to a folder is followed.
  public static func entries(in path: String) throws(DurableFileError) -> [FolderEntry] {
    guard let stream = unsafe opendir(path) else {
      throw DurableFileError("cannot list \(path)", errno: errno, purpose: .read)
    }
    defer { unsafe closedir(stream) }
    var entries: [FolderEntry] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if bytes == Array(".".utf8) || bytes == Array("..".utf8) { continue }
      entries.append(
        FolderEntry(
          name: String(decoding: bytes, as: UTF8.self), isReachable: String(validating: bytes, as: UTF8.self) != nil,
          kind: kind(of: bytes, in: unsafe dirfd(stream))))
    }
    guard errno == 0 else { throw DurableFileError("cannot list \(path)", errno: errno, purpose: .read) }
    return entries
  }

  private static func kind(of name: [UInt8], in folder: Int32) -> FolderEntry.Kind {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard unsafe fstatat(folder, name, &status, 0) == 0, status.st_mode & S_IFMT == S_IFDIR else { return .file }
    let isLink =
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
    return isLink ? .linkToFolder : .folder
  }
}
