public import ClipModel
import Foundation

/// A temporary file next to its destination, which it replaces on commit.
///
/// Write to `path` as often as needed without replacing the file there, then call `commit`. Without a commit, the file is
/// removed. A killed process leaves a hidden temporary file without a lock, which `removeAbandoned(in:)` removes.
public struct StagedFile: ~Copyable {
  /// The path to write to: `.<name>.bsc-<random>.tmp` in the destination's folder, so that the rename stays on one disk.
  public let path: String
  /// The final path. A symbolic link there is replaced, not followed.
  public let destination: String
  let file: OpenFile

  /// Creates the empty temporary file.
  /// - Parameter permissions: permissions of the finished file, narrowed by the process's umask.
  /// - Throws: `DurableFileError`, also when the folder is missing or not writable, or when something other than a file
  ///   or a symbolic link is at the destination.
  public init(for destination: String, permissions: UInt16 = 0o644) throws(DurableFileError) {
    let name = FilePathParts.name(of: destination)
    guard !["", ".", ".."].contains(name) else { throw DurableFileError(.write(destination), errno: EISDIR) }
    try Self.check(destination, replacing: .replace)
    while true {
      let random = String(UInt64.random(in: .min ... .max), radix: 16)
      let path = destination.dropLast(name.count) + Self.temporaryPrefix(for: name) + random + Self.ending
      let file = try OpenFile(
        path, flags: O_CREAT | O_EXCL | O_RDWR, permissions: permissions, for: .write(destination))
      // Between open and flock, `removeAbandoned` of another process may remove the file. On a file system without locks
      // this cannot happen, because no file counts as abandoned there.
      let isHeld = flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      guard isHeld, try file.status().st_nlink > 0 else {
        _ = unsafe unlink(path)
        continue
      }
      self.path = path
      self.destination = destination
      self.file = file
      return
    }
  }

  /// After a commit there is no file at this path.
  deinit { _ = unsafe unlink(path) }

  /// Synchronizes the bytes, renames the file, and synchronizes the folder. Blocks.
  ///
  /// When it returns, the file survives a power failure. When it throws, the destination is unchanged unless only the last
  /// step failed. The temporary file is removed in any case.
  public consuming func commit(replacing policy: ReplacePolicy) throws(DurableFileError) {
    let operation = FileOperation.write(destination)
    try file.synchronize()
    try Self.check(destination, replacing: policy)
    switch policy {
    case .replace: try SystemCall.check(operation) { unsafe rename(path, destination) }
    case .keepExisting: try FileMove.renameExclusively(path, to: destination, for: operation)
    }
    try Folder.synchronize(FilePathParts.folder(of: destination), for: operation)
  }

  /// Checks whether a commit could succeed now, before work that would be lost.
  /// - Throws: when there is a file that must be kept, or something that a rename must not replace: a folder, a pipe, a
  ///   socket or a device.
  public static func check(_ destination: String, replacing policy: ReplacePolicy) throws(DurableFileError) {
    // Other problems with the path are reported when the temporary file is created.
    guard let status = SystemCall.status(of: destination, followsLink: false) else { return }
    if status.st_mode & S_IFMT != S_IFLNK,
      let error = DurableFileError.special(.write(destination), mode: status.st_mode)
    {
      throw error
    }
    if policy == .keepExisting { throw DurableFileError(.write(destination), errno: EEXIST) }
  }
}

// MARK: - Temporary files of killed processes

extension StagedFile {
  private static let mark = ".bsc-"
  private static let ending = ".tmp"
  /// File names have at most 255 bytes on every common file system; dot, mark, 16 digits and ending need 26 of them.
  private static let longestNamePart = 220

  private static func temporaryPrefix(for name: String) -> String {
    var part = name
    while part.utf8.count > longestNamePart { part.removeLast() }
    return ".\(part)\(mark)"
  }

  /// Removes the temporary files in `folder` that no running process holds, and returns their names.
  ///
  /// Other files and subfolders are not changed.
  @discardableResult
  public static func removeAbandoned(in folder: String) throws(DurableFileError) -> [String] {
    try removeAbandoned(in: folder) { _ in true }
  }

  /// Like `removeAbandoned(in:)`, but only for one file and the files next to it with the same stem (`clip.mp4`,
  /// `clip.json`, `clip-poster.jpg`). Use it for folders that other machines write to, whose locks may be invisible here.
  @discardableResult
  public static func removeAbandoned(of destination: String) throws(DurableFileError) -> [String] {
    let name = FilePathParts.name(of: destination)
    let stem = "." + name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    // Temporary names contain only a part of a long name.
    let prefixes = [stem + ".", stem + "-", temporaryPrefix(for: name)]
    return try removeAbandoned(in: FilePathParts.folder(of: destination)) { candidate in
      prefixes.contains { candidate.hasPrefix($0) }
    }
  }

  private static func removeAbandoned(
    in folder: String, where isWanted: (String) -> Bool
  ) throws(DurableFileError) -> [String] {
    try Folder.names(in: folder).filter { name in
      guard name.hasPrefix("."), name.hasSuffix(ending), name.contains(mark), isWanted(name) else { return false }
      let path = "\(folder)/\(name)"
      // A file that is now missing or unreadable is left to its owner.
      guard let file = try? OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read(path)),
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      else { return false }
      return unsafe unlink(path) == 0
    }
  }
}
