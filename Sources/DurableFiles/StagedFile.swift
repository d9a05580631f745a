public import ClipModel
import Foundation

/// A temporary file in the same folder as its destination, which it replaces when it is committed.
///
/// Write to the file at `path` without replacing it, and then call `commit(replacing:)`. If the file is never
/// committed, it is removed. If the process is killed, a hidden temporary file without a lock remains, which
/// `removeAbandoned(in:)` removes.
public struct StagedFile: ~Copyable {
  /// The path to write to, which is `.<name>.bsc-<random>.tmp` in the destination's folder, so that both paths are on
  /// the same disk.
  public let path: String
  /// The final path of the file. If this path is a symbolic link, the link is replaced instead of followed.
  public let destination: String
  let file: OpenFile

  /// Creates the empty temporary file.
  /// - Parameter permissions: the permissions of the finished file, before the process's umask is applied.
  /// - Throws: `DurableFileError`, for example if the folder is missing or not writable, or if the destination is
  ///   neither a file nor a symbolic link.
  public init(for destination: String, permissions: UInt16 = 0o644) throws(DurableFileError) {
    let name = FilePathParts.name(of: destination)
    guard !["", ".", ".."].contains(name) else { throw DurableFileError(.write(destination), errno: EISDIR) }
    try Self.checkDestination(destination, replacing: .replace)
    while true {
      let random = String(UInt64.random(in: .min ... .max), radix: 16)
      let path = destination.dropLast(name.count) + Self.temporaryPrefix(for: name) + random + Self.ending
      let file = try OpenFile(
        path, flags: O_CREAT | O_EXCL | O_RDWR, permissions: permissions, for: .write(destination))
      // A different process may remove the file with `removeAbandoned` between open and flock. This cannot happen on
      // file systems without locks, where files are never considered abandoned.
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

  /// After a commit, the temporary file no longer exists.
  deinit { _ = unsafe unlink(path) }

  /// Writes the data to the disk, renames the file to its final name, and synchronizes the folder. Blocks the calling
  /// thread.
  ///
  /// When this method returns, the file would survive a power failure. If it throws an error, the destination is
  /// unchanged, unless only the last step failed. The temporary file is removed in either case.
  public consuming func commit(replacing policy: ReplacePolicy) throws(DurableFileError) {
    let operation = FileOperation.write(destination)
    try file.synchronize()
    try Self.checkDestination(destination, replacing: policy)
    switch policy {
    case .replace: try SystemCall.check(operation) { unsafe rename(path, destination) }
    case .keepExisting: try FileMove.renameExclusively(path, to: destination, for: operation)
    }
    try Folder.synchronize(FilePathParts.folder(of: destination), for: operation)
  }

  /// Checks whether a commit could currently succeed. Call this method before starting work that would otherwise be
  /// lost.
  /// - Throws: an error if the destination is an existing file that must be kept, or a folder, pipe, socket or device
  ///   that must not be replaced.
  public static func checkDestination(_ destination: String, replacing policy: ReplacePolicy) throws(DurableFileError) {
    // Creating the temporary file reports all other problems with the path.
    guard let status = SystemCall.status(of: destination, followsLink: false) else { return }
    if status.st_mode & S_IFMT != S_IFLNK,
      let error = DurableFileError.notRegularFile(.write(destination), mode: status.st_mode)
    {
      throw error
    }
    if policy == .keepExisting { throw DurableFileError(.write(destination), errno: EEXIST) }
  }
}

// MARK: - Temporary files left over from killed processes

extension StagedFile {
  private static let mark = ".bsc-"
  private static let ending = ".tmp"
  /// The maximum length of the destination's name within the temporary name, in bytes. All common file systems limit
  /// names to 255 bytes, and the temporary name has 26 additional bytes.
  private static let longestNamePart = 220

  private static func temporaryPrefix(for name: String) -> String {
    var part = name
    while part.utf8.count > longestNamePart { part.removeLast() }
    return ".\(part)\(mark)"
  }

  /// Removes temporary files in `folder` that no running process has locked, and returns their names.
  ///
  /// Other files and subfolders aren't changed.
  @discardableResult
  public static func removeAbandoned(in folder: String) throws(DurableFileError) -> [String] {
    try removeAbandoned(in: folder) { _ in true }
  }

  /// Removes abandoned temporary files for one destination, and for files in the same folder with the same stem (such as
  /// `clip.mp4`, `clip.json` and `clip-poster.jpg`). Use this method instead of `removeAbandoned(in:)` in folders that
  /// other machines write to, because their locks may not be visible.
  @discardableResult
  public static func removeAbandoned(of destination: String) throws(DurableFileError) -> [String] {
    let name = FilePathParts.name(of: destination)
    let stem = "." + name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    // Temporary names contain only the first part of a long name.
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
      // If the file has disappeared or is unreadable, leave it to its owner.
      guard let file = try? OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read(path)),
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      else { return false }
      return unsafe unlink(path) == 0
    }
  }
}
