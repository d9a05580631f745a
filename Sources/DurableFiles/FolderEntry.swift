import ClipModel
import Crypto
import Foundation

/// An entry of a folder.
public struct FolderEntry: Equatable, Sendable {
  public enum Kind: Sendable {
    case folder
    /// A symbolic link to a folder.
    case linkToFolder
    /// Everything else: files, links to files, and entries that cannot be examined.
    case file
  }

  /// The name for display, with replacement characters when it is not UTF-8.
  public var name: String { String(decoding: bytes, as: UTF8.self) }
  /// The name as stored on the disk.
  public var bytes: [UInt8]
  public var kind: Kind
  /// Whether the name is UTF-8. A file with another name can only be opened through an alias.
  public var isReachable: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The name with `%XX` for each byte that is not UTF-8.
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

  /// The error for an entry of `folder` that is skipped because its name is not UTF-8.
  public func unreachable(in folder: String) -> DurableFileError {
    DurableFileError("file.name-not-utf8", .read("\(folder)/\(name)"), why: "its name is not UTF-8", .unjudged)
  }
}

extension Folder {
  /// The names of all entries except `.` and `..`, sorted.
  public static func names(in path: String) throws(DurableFileError) -> [String] {
    try nameBytes(in: path).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// All entries except `.` and `..`, unordered.
  public static func entries(in path: String) throws(DurableFileError) -> [FolderEntry] {
    try nameBytes(in: path).map { name in
      FolderEntry(bytes: name, kind: kind(of: Array("\(path)/".utf8) + name))
    }
  }

  private static func nameBytes(in path: String) throws(DurableFileError) -> [[UInt8]] {
    guard let stream = unsafe opendir(path) else { throw DurableFileError(.list(path), errno: errno) }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      names.append(unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) })
    }
    guard errno == 0 else { throw DurableFileError(.list(path), errno: errno) }
    return names.filter { $0 != Array(".".utf8) && $0 != Array("..".utf8) }
  }

  private static func kind(of path: [UInt8]) -> FolderEntry.Kind {
    var status = stat()
    func hasType(_ type: mode_t, flags: Int32) -> Bool {
      unsafe fstatat(AT_FDCWD, cString(path), &status, flags) == 0 && status.st_mode & S_IFMT == type
    }
    guard hasType(S_IFDIR, flags: 0) else { return .file }
    return hasType(S_IFLNK, flags: AT_SYMLINK_NOFOLLOW) ? .linkToFolder : .folder
  }

  /// Creates a symbolic link in `aliases` to an entry whose name is not UTF-8. The link's name depends only on the target,
  /// so repeated runs create the same one.
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - sidecar: another entry of the folder, which gets a link with the same stem.
  /// - Returns: the path of the link.
  public static func alias(
    of entry: FolderEntry, sidecar: FolderEntry? = nil, in folder: String, at aliases: String
  ) throws(DurableFileError) -> String {
    let target = Array("\(folder)/".utf8) + entry.bytes
    let ending = (entry.name as NSString).pathExtension
    let isPlain = ending.utf8.allSatisfy { $0 < 0x80 } && !ending.isEmpty
    let stem = FileDigest.hexadecimal(SHA256.hash(data: target).prefix(12))
    try create(aliases)
    let path = "\(aliases)/\(stem)" + (isPlain ? ".\(ending)" : "")
    try link(target, at: path)
    if let sidecar { try link(Array("\(folder)/".utf8) + sidecar.bytes, at: "\(aliases)/\(stem).json") }
    return path
  }

  private static func link(_ target: [UInt8], at path: String) throws(DurableFileError) {
    let operation = FileOperation(verb: "create a link to", path: String(decoding: target, as: UTF8.self))
    try SystemCall.check(operation, tolerating: [EEXIST]) { unsafe symlink(cString(target), path) }
  }

  private static func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
