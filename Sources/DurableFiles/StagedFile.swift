public import ClipModel
import Foundation

/// A file in the making, beside its destination: it takes the destination's name when finished, or never existed.
///
/// Write to `path` (as often as needed, but without replacing the file there), then `commit`. Dropped without a commit,
/// it is removed. A killed process leaves its hidden temporary behind, without the lock that living ones hold:
/// `removeAbandoned(in:)` clears those away.
public struct StagedFile: ~Copyable {
  /// Where the bytes go: `.<name>.bsc-<random>.tmp` in the destination's folder, so that the rename stays on one disk.
  public let path: String
  /// Where they will be found. A symbolic link there is replaced, not followed.
  public let destination: String
  let file: OpenFile

  /// Creates the empty temporary.
  /// - Parameter permissions: of the finished file, narrowed by the process's umask.
  /// - Throws: `DurableFileError`, also when the folder does not exist or cannot be written, or when something is at
  ///   the destination that is neither a file nor a symbolic link.
  public init(for destination: String, permissions: UInt16 = 0o644) throws(DurableFileError) {
    let what = FileOperation.write(destination)
    let name = FilePathParts.name(of: destination)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw DurableFileError("file.not-a-file", what, why: "it is a folder", .usage)
    }
    try Self.check(destination, replacing: .replace)
    while true {
      let random = String(UInt64.random(in: .min ... .max), radix: 16)
      let path = FilePathParts.sibling(of: destination, named: Self.temporaryName(for: name, random: random))
      let file = try OpenFile(
        path, flags: O_CREAT | O_EXCL | O_RDWR, permissions: permissions, what: what, .write)
      // Between open and flock, `removeAbandoned` of another process may take the file for a dead one's. A file system
      // without locks needs no second try: nothing is ever taken for abandoned there.
      let isHeld = flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      guard isHeld, try file.status(what: what, .write).st_nlink > 0 else {
        _ = unsafe unlink(path)
        continue
      }
      self.path = path
      self.destination = destination
      self.file = file
      return
    }
  }

  /// After a commit the name is free already, and this finds nothing.
  deinit { _ = unsafe unlink(path) }

  /// Puts the file in its place: bytes to the disk, rename, folder to the disk. Blocks.
  ///
  /// When it returns, the file survives a power cut. When it throws, the destination is as it was, except when only the
  /// last step failed; the temporary is gone in any case.
  public consuming func commit(replacing policy: ReplacePolicy) throws(DurableFileError) {
    let what = FileOperation.write(destination)
    try file.synchronize(what: what)
    try Self.check(destination, replacing: policy)
    switch policy {
    case .replace: try SystemCall.check(what, .write) { unsafe rename(path, destination) }
    case .keepExisting: try linkIntoPlace(what: what)
    }
    try Folder.synchronize(FilePathParts.folder(of: destination), what: what)
  }

  /// Whether a commit could take the name now: a look before work that would be lost.
  /// - Throws: when a file is there that has to stay, or something that no rename may replace: a folder, a pipe, a
  ///   socket, a device.
  public static func check(_ destination: String, replacing policy: ReplacePolicy) throws(DurableFileError) {
    let what = FileOperation.write(destination)
    var status = stat()
    // Creating the temporary reports what else is wrong with the path.
    guard unsafe lstat(destination, &status) == 0 else { return }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    if !isLink, let kind = FileKind.special(status.st_mode) {
      throw DurableFileError.special(what, kind, .usage)
    }
    if policy == .keepExisting { throw DurableFileError(what, errno: EEXIST, purpose: .write) }
  }

  /// Appends to the temporary.
  func write(_ bytes: UnsafeRawBufferPointer) throws(DurableFileError) {
    try unsafe file.write(bytes, what: .write(destination))
  }

  /// A hard link refuses a taken name, and gives the file its name in one step; the temporary's name goes with `deinit`.
  private func linkIntoPlace(what: FileOperation) throws(DurableFileError) {
    let linked = try SystemCall.check(what, .write, tolerating: [EPERM, ENOTSUP, ENOSYS, EMLINK]) {
      unsafe link(path, destination)
    }
    guard linked == nil else { return }
    // FAT and exFAT have no links: an empty file takes the name, and our own file then replaces it.
    _ = try OpenFile(destination, flags: O_CREAT | O_EXCL | O_WRONLY, what: what, .write)
    try SystemCall.check(what, .write) { unsafe rename(path, destination) }
  }
}

// MARK: - Temporaries of killed processes

extension StagedFile {
  private static let mark = ".bsc-"
  private static let ending = ".tmp"
  /// Names have at most 255 bytes on every common file system; dot, mark, 16 digits and ending need 26 of them.
  private static let longestNamePart = 220

  private static func temporaryName(for name: String, random: String) -> String {
    ".\(part(of: name))\(mark)\(random)\(ending)"
  }

  private static func part(of name: String) -> String {
    var part = name
    while part.utf8.count > longestNamePart { part.removeLast() }
    return part
  }

  /// Removes the temporaries in `folder` that no living process holds, and returns their names.
  ///
  /// Other files and subfolders stay untouched.
  @discardableResult
  public static func removeAbandoned(in folder: String) throws(DurableFileError) -> [String] {
    removeAbandoned(try temporaries(in: folder), in: folder)
  }

  /// The same for one file and those that stand beside it under its stem (`clip.mp4`, `clip.json`, `clip-poster.jpg`):
  /// for folders that other machines write to, whose locks may not be seen here.
  @discardableResult
  public static func removeAbandoned(of destination: String) throws(DurableFileError) -> [String] {
    let folder = FilePathParts.folder(of: destination)
    let name = FilePathParts.name(of: destination)
    let stem = "." + name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    // A long name is cut in the temporary's.
    let cut = ".\(part(of: name))\(mark)"
    let own = try temporaries(in: folder).filter { candidate in
      [stem + ".", stem + "-", cut].contains { candidate.hasPrefix($0) }
    }
    return removeAbandoned(own, in: folder)
  }

  private static func temporaries(in folder: String) throws(DurableFileError) -> [String] {
    try Folder.names(in: folder).filter { $0.hasPrefix(".") && $0.hasSuffix(ending) && $0.contains(mark) }
  }

  private static func removeAbandoned(_ candidates: [String], in folder: String) -> [String] {
    candidates.filter { name in
      let path = "\(folder)/\(name)"
      // Gone or unreadable in the meantime: left to its owner.
      guard
        let file = try? OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, what: .read(path), .read),
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      else { return false }
      return unsafe unlink(path) == 0
    }
  }
}
