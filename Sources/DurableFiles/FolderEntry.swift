import ClipModel
import Crypto
import Foundation

/// A name in a folder, and what lies under it.
public struct FolderEntry: Equatable, Sendable {
  public enum Kind: Sendable {
    case folder
    /// A symbolic link whose end is a folder.
    case linkToFolder
    /// Everything else: files and links to them, and what cannot be read.
    case file
  }

  /// For people; with replacement characters when it is not UTF-8.
  public var name: String
  /// The name as the disk has it.
  public var bytes: [UInt8]
  /// Whether the name is UTF-8. A file with another name cannot be opened by a path of ours, but by an alias.
  public var isReachable: Bool { String(validating: bytes, as: UTF8.self) != nil }
  public var kind: Kind

  public init(bytes: [UInt8], kind: Kind) {
    name = String(decoding: bytes, as: UTF8.self)
    self.bytes = bytes
    self.kind = kind
  }

  /// The name with `%XX` for each byte that is no UTF-8.
  public var escapedName: String {
    var (result, rest) = ("", bytes[...])
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if let text = String(validating: rest.prefix(length), as: UTF8.self) {
        result += text
        rest = rest.dropFirst(length)
      } else {
        result += "%" + FileDigest.hexadecimal([first]).uppercased()
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Why an entry of `folder` is left aside whose name is not UTF-8.
  public func unreachable(in folder: String) -> DurableFileError {
    DurableFileError("file.name-not-utf8", .read("\(folder)/\(name)"), why: "its name is not UTF-8", .unjudged)
  }
}

extension Folder {
  /// Everything in the folder but `.` and `..`, in no order. A symbolic link to a folder is followed.
  public static func entries(in path: String) throws(DurableFileError) -> [FolderEntry] {
    guard let stream = unsafe opendir(path) else {
      throw DurableFileError(.list(path), errno: errno, purpose: .read)
    }
    defer { unsafe closedir(stream) }
    var entries: [FolderEntry] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if bytes == Array(".".utf8) || bytes == Array("..".utf8) { continue }
      entries.append(
        FolderEntry(bytes: bytes, kind: kind(of: bytes, in: unsafe dirfd(stream))))
    }
    guard errno == 0 else { throw DurableFileError(.list(path), errno: errno, purpose: .read) }
    return entries
  }

  /// A path in `aliases` that leads to an entry whose name is not UTF-8: a symbolic link under a name that follows from
  /// where it leads, so that each run makes the same.
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - sidecar: another entry of the folder, which is found beside the alias under its stem.
  public static func alias(
    of entry: FolderEntry, sidecar: FolderEntry? = nil, in folder: String, at aliases: String
  ) throws(DurableFileError) -> String {
    let target = Array("\(folder)/".utf8) + entry.bytes
    let ending = (entry.name as NSString).pathExtension
    let isPlain = ending.utf8.allSatisfy { $0 < 0x80 } && !ending.isEmpty
    let name = FileDigest.hexadecimal(SHA256.hash(data: target).prefix(12)) + (isPlain ? ".\(ending)" : "")
    try create(aliases)
    let path = "\(aliases)/\(name)"
    try link(target, at: path)
    if let sidecar {
      let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
      try link(Array("\(folder)/".utf8) + sidecar.bytes, at: "\(aliases)/\(stem).json")
    }
    return path
  }

  private static func link(_ target: [UInt8], at path: String) throws(DurableFileError) {
    let bytes = target.map { CChar(bitPattern: $0) } + [0]
    let what = FileOperation("create a link to", String(decoding: target, as: UTF8.self))
    try SystemCall.check(what, .write, tolerating: [EEXIST]) { unsafe symlink(bytes, path) }
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
