import CFileShims
import ClipModel
import Foundation

/// An open file whose bytes are copied to other files.
public struct CopySource: ~Copyable {
  let file: OpenFile
  let path: String
  /// Permission bits when the file was opened.
  public let permissions: UInt16
  /// The number of hard links when the file was opened.
  public let nameCount: Int

  /// - Throws: `DurableFileError` when the file is missing, unreadable or not a regular file.
  public init(_ path: String) throws(DurableFileError) {
    let file = try OpenFile(reading: path)
    let status = try file.status()
    self.file = file
    self.path = path
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    nameCount = Int(status.st_nlink)
  }
}

/// Appends ranges of another file to a staged one.
public struct StagedCopy: ~Copyable {
  /// The smallest block that file systems share between files; larger blocks are multiples of it.
  private static let shareableBlockSize: Int64 = 4096
  /// The number of bytes between two calls of `progress`.
  private static let stepSize: Int64 = 64 << 20
  /// The fastest size between 64 KiB and 16 MiB, because it fits in the processor's second-level cache. The kernel's own
  /// copy_file_range uses a pipe of 64 KiB when blocks cannot be shared.
  private static let bufferSize = 256 << 10

  private let sharesBlocks: Bool
  private var buffer: [UInt8] = []

  public init(to staged: borrowing StagedFile) { sharesBlocks = FileSystemKind.sharesBlocks(staged.path) }

  /// To share blocks, media data must keep its file offset modulo this value. The value is 1 when blocks cannot be
  /// shared.
  public var alignment: Int64 { sharesBlocks ? Self.shareableBlockSize : 1 }

  /// Appends a range. Whole blocks with the same alignment in both files are shared instead of copied if the file system
  /// supports that.
  /// - Parameter progress: called every 64 MiB with the number of bytes copied; its error stops the copy.
  public mutating func append(
    _ range: Range<Int64>, of source: borrowing CopySource, to staged: borrowing StagedFile,
    progress: (Int64) throws -> Void
  ) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      try progress(position - range.lowerBound)
      var end = min(position + Self.stepSize, range.upperBound)
      // The bytes before the first block boundary are copied separately: only a copy that starts at one shares blocks.
      let head = (alignment - position % alignment) % alignment
      if head > 0 { end = min(position + head, end) }
      while position < end { position += try appendStart(of: position..<end, of: source, to: staged) }
    }
  }

  /// Appends the start of a range, as much as fits in one call.
  /// - Returns: the number of bytes appended, at least 1.
  private mutating func appendStart(
    of range: Range<Int64>, of source: borrowing CopySource, to staged: borrowing StagedFile
  ) throws(DurableFileError) -> Int64 {
    if sharesBlocks {
      // These failures mean that the source is on another file system.
      let shared = try SystemCall.check(
        .write(staged.destination), tolerating: [EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EPERM]
      ) {
        bsc_copy_file_range(source.file.descriptor, range.lowerBound, staged.file.descriptor, range.count)
      }
      if let shared, shared > 0 { return Int64(shared) }
    }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
    let count = try source.file.read(into: &buffer, upTo: range.count, at: range.lowerBound)
    guard count > 0 else { throw .changing(source.path, why: "it became shorter while it was read") }
    try staged.file.write(buffer.span.extracting(first: count))
    return Int64(count)
  }
}

extension StagedFile {
  /// Allocates disk space before writing: a full disk fails at once, and the file is less fragmented.
  /// - Throws: only when there is not enough space. File systems without this feature are ignored.
  public func reserve(_ byteCount: Int64) throws(DurableFileError) {
    guard byteCount > 0 else { return }
    if case .failure(let failure) = SystemCall.attempt({ bsc_reserve(file.descriptor, byteCount) }),
      [ENOSPC, EDQUOT, EFBIG].contains(failure.code)
    {
      throw DurableFileError(.write(destination), errno: failure.code)
    }
  }

  /// Appends bytes.
  public func append(_ bytes: [UInt8]) throws(DurableFileError) { try file.write(bytes.span) }

  /// Gives the file the owner and group of another one. Call this before writing private data.
  public func copyOwner(of source: borrowing CopySource) throws(DurableFileError) {
    let (wanted, current) = (try source.file.status(), try file.status())
    guard wanted.st_uid != current.st_uid || wanted.st_gid != current.st_gid else { return }
    if case .failure(let failure) = SystemCall.attempt({ fchown(file.descriptor, wanted.st_uid, wanted.st_gid) }) {
      throw DurableFileError(
        "file.owner-not-kept", .write(destination),
        why: "it cannot keep its owner and group (\(SystemCall.message(failure.code)))", .inputOutput,
        code: failure.code)
    }
  }

  /// Gives the file the permissions of another one, and its access and modification times with `keepsTimes`.
  public func copyAttributes(of source: borrowing CopySource, keepsTimes: Bool) throws(DurableFileError) {
    let status = try source.file.status()
    try SystemCall.check(.write(destination)) { fchmod(file.descriptor, status.st_mode & 0o777) }
    guard keepsTimes else { return }
    var times = [status.accessTime, status.modificationTime]
    try SystemCall.check(.write(destination)) { unsafe futimens(file.descriptor, &times) }
  }
}
