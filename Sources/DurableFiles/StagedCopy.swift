import CFileShims
import ClipModel
import Foundation

/// An open file that is copied, entirely or in part, to other files.
public struct CopySource: ~Copyable {
  let file: OpenFile
  let path: String
  /// The file's permission bits at the time it was opened.
  public let permissions: UInt16
  /// The file's number of hard links at the time it was opened.
  public let nameCount: Int

  /// Opens a file for copying.
  /// - Throws: `DurableFileError` if the file is missing, unreadable or not a regular file.
  public init(_ path: String) throws(DurableFileError) {
    let file = try OpenFile(reading: path)
    let status = try file.status()
    self.file = file
    self.path = path
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    nameCount = Int(status.st_nlink)
  }
}

/// Copies byte ranges of a file to the end of a staged file.
public struct StagedCopy: ~Copyable {
  /// The smallest block size with which file systems share blocks between files. Larger block sizes are multiples of
  /// this value.
  private static let shareableBlockSize: Int64 = 4096
  /// The number of bytes between calls to `progress`.
  private static let stepSize: Int64 = 64 << 20
  /// The size of the copy buffer, which is the fastest between 64 KiB and 16 MiB because it fits in the processor's L2
  /// cache. If blocks cannot be shared, the kernel's copy_file_range uses only a 64 KiB pipe.
  private static let bufferSize = 256 << 10

  private let sharesBlocks: Bool
  private var buffer: [UInt8] = []

  public init(to staged: borrowing StagedFile) { sharesBlocks = FileSystemKind.sharesBlocks(staged.path) }

  /// The alignment for sharing blocks, or 1 if blocks cannot be shared. To share blocks, media data must have the same
  /// file offset modulo this value in both files.
  public var alignment: Int64 { sharesBlocks ? Self.shareableBlockSize : 1 }

  /// Appends a byte range of `source` to the staged file. If the file system supports it, complete blocks with the same
  /// alignment in both files are shared instead of copied.
  /// - Parameter progress: called every 64 MiB with the number of bytes copied so far. If it throws an error, copying
  ///   stops.
  public mutating func append(
    _ range: Range<Int64>, of source: borrowing CopySource, to staged: borrowing StagedFile,
    progress: (Int64) throws -> Void
  ) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      try progress(position - range.lowerBound)
      var end = min(position + Self.stepSize, range.upperBound)
      // Copy the bytes before the first block boundary separately, because only copies that start at a block boundary
      // can share blocks.
      let head = (alignment - position % alignment) % alignment
      if head > 0 { end = min(position + head, end) }
      while position < end { position += try appendStart(of: position..<end, of: source, to: staged) }
    }
  }

  /// Appends the start of a range, with as many bytes as one system call can copy.
  /// - Returns: the number of bytes appended, at least 1.
  private mutating func appendStart(
    of range: Range<Int64>, of source: borrowing CopySource, to staged: borrowing StagedFile
  ) throws(DurableFileError) -> Int64 {
    if sharesBlocks {
      // These errors mean that the source is on a different file system.
      let shared = try SystemCall.check(
        .write(staged.destination), tolerating: [EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EPERM]
      ) {
        bsc_copy_file_range(source.file.descriptor, range.lowerBound, staged.file.descriptor, range.count)
      }
      if let shared, shared > 0 { return Int64(shared) }
    }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
    let count = try source.file.read(into: &buffer, upTo: range.count, at: range.lowerBound)
    guard count > 0 else { throw .changedDuringRead(source.path, why: "it was truncated while it was being read") }
    try staged.file.write(buffer.span.extracting(first: count))
    return Int64(count)
  }
}

extension StagedFile {
  /// Allocates disk space before writing, so that a full disk is detected immediately and the file is less fragmented.
  /// - Throws: an error only if there isn't enough disk space. On file systems that don't support allocation, this
  ///   method has no effect.
  public func reserve(_ byteCount: Int64) throws(DurableFileError) {
    guard byteCount > 0 else { return }
    if case .failure(let failure) = SystemCall.attempt({ bsc_reserve(file.descriptor, byteCount) }),
      [ENOSPC, EDQUOT, EFBIG].contains(failure.code)
    {
      throw DurableFileError(.write(destination), errno: failure.code)
    }
  }

  /// Appends bytes to the staged file.
  public func append(_ bytes: [UInt8]) throws(DurableFileError) { try file.write(bytes.span) }

  /// Copies the owner and group of `source` to the staged file. Call this method before writing private data.
  public func copyOwner(of source: borrowing CopySource) throws(DurableFileError) {
    let (wanted, current) = (try source.file.status(), try file.status())
    guard wanted.st_uid != current.st_uid || wanted.st_gid != current.st_gid else { return }
    if case .failure(let failure) = SystemCall.attempt({ fchown(file.descriptor, wanted.st_uid, wanted.st_gid) }) {
      throw DurableFileError(
        "file.owner-not-kept", .write(destination),
        why: "its owner and group cannot be preserved (\(SystemCall.message(failure.code)))", .inputOutput,
        code: failure.code)
    }
  }

  /// Copies the permissions of `source` to the staged file. If `keepsTimes` is `true`, also copies the access and
  /// modification times.
  public func copyAttributes(of source: borrowing CopySource, keepsTimes: Bool) throws(DurableFileError) {
    let status = try source.file.status()
    try SystemCall.check(.write(destination)) { fchmod(file.descriptor, status.st_mode & 0o777) }
    guard keepsTimes else { return }
    var times = [status.accessTime, status.modificationTime]
    try SystemCall.check(.write(destination)) { unsafe futimens(file.descriptor, &times) }
  }
}
