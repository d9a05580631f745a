import ClipModel
import Crypto
import Foundation

/// A file or subfolder in a folder.
public struct FolderEntry: Equatable, Sendable {
  public enum Kind: Sendable {
    case folder
    /// A symbolic link to a folder.
    case linkToFolder
    /// All other entries: files, links to files, and entries whose type is unknown.
    case file
  }

  /// The name for display, with replacement characters for bytes that aren't valid UTF-8.
  public var name: String { String(decoding: bytes, as: UTF8.self) }
  /// The bytes of the name as stored on the disk.
  public var bytes: [UInt8]
  public var kind: Kind
  /// Whether the name is valid UTF-8. Files with other names can only be opened through an alias.
  public var isReachable: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The name with `%XX` for each byte that isn't valid UTF-8.
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

  /// Returns the error for an entry in `folder` that is skipped because its name isn't valid UTF-8.
  public func makeUnreachableError(in folder: String) -> DurableFileError {
    DurableFileError("file.name-not-utf8", .read("\(folder)/\(name)"), why: "its name is not UTF-8", .unjudged)
  }
}

extension Folder {
  /// Returns the sorted names of all entries except `.` and `..`.
  public static func names(in path: String) throws(DurableFileError) -> [String] {
    try nameBytes(in: path).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Returns all entries except `.` and `..`, in no particular order.
  public static func entries(in path: String) throws(DurableFileError) -> [FolderEntry] {
    try nameBytes(in: path).map { name in
      FolderEntry(bytes: name, kind: entryKind(of: Array("\(path)/".utf8) + name))
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

  private static func entryKind(of path: [UInt8]) -> FolderEntry.Kind {
    var status = stat()
    func hasType(_ type: mode_t, flags: Int32) -> Bool {
      unsafe fstatat(AT_FDCWD, makeCString(path), &status, flags) == 0 && status.st_mode & S_IFMT == type
    }
    guard hasType(S_IFDIR, flags: 0) else { return .file }
    return hasType(S_IFLNK, flags: AT_SYMLINK_NOFOLLOW) ? .linkToFolder : .folder
  }

  /// Creates a symbolic link in `aliases` to an entry whose name isn't valid UTF-8. The link's name depends only on the
  /// target, so repeated runs create the same link.
  /// - Parameters:
  ///   - folder: the absolute path of the folder that contains the entry.
  ///   - sidecar: a second entry in the same folder, for which a link with the same stem is created.
  /// - Returns: the path of the link.
  public static func createAlias(
    of entry: FolderEntry, sidecar: FolderEntry? = nil, in folder: String, at aliases: String
  ) throws(DurableFileError) -> String {
    let target = Array("\(folder)/".utf8) + entry.bytes
    let ending = (entry.name as NSString).pathExtension
    let isPlain = ending.utf8.allSatisfy { $0 < 0x80 } && !ending.isEmpty
    let stem = FileDigest.hexadecimal(SHA256.hash(data: target).prefix(12))
    try create(aliases)
    let path = "\(aliases)/\(stem)" + (isPlain ? ".\(ending)" : "")
    try createLink(target, at: path)
    if let sidecar { try createLink(Array("\(folder)/".utf8) + sidecar.bytes, at: "\(aliases)/\(stem).json") }
    return path
  }

  private static func createLink(_ target: [UInt8], at path: String) throws(DurableFileError) {
    let operation = FileOperation(verb: "create a link to", path: String(decoding: target, as: UTF8.self))
    try SystemCall.check(operation, tolerating: [EEXIST]) { unsafe symlink(makeCString(target), path) }
  }

  private static func makeCString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
