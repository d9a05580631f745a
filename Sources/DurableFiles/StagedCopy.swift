import CFileShims
import ClipModel
import Foundation

/// A file whose bytes go into others.
public struct CopySource: ~Copyable {
  let file: OpenFile
  let path: String
  /// As it was when it was opened: permission bits, and how many names lead to it.
  public let permissions: UInt16
  public let nameCount: Int

  /// - Throws: `DurableFileError` when it is missing, unreadable or no regular file.
  public init(_ path: String) throws(DurableFileError) {
    _ = try FileIdentity.of(path)
    let what = FileOperation.read(path)
    let file = try OpenFile(path, flags: O_RDONLY, what: what, .read)
    let status = try file.status(what: what, .read)
    self.file = file
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    nameCount = Int(status.st_nlink)
    self.path = path
  }
}

/// Appends bytes and ranges of another file to a staged one.
public struct StagedCopy: ~Copyable {
  /// Blocks that file systems share between files; larger ones are multiples.
  public static let shareableBlockSize: Int64 = 4096
  /// Bytes between two looks at whether to go on.
  private static let stepSize: Int64 = 64 << 20
  /// The fastest in CPU and wall clock from 64 KiB to 16 MiB: it stays in the processor's second cache. The kernel's own
  /// copy_file_range goes through a pipe of 64 KiB when blocks cannot be shared.
  private static let bufferSize = 256 << 10

  private let sharesBlocks: Bool
  private var buffer: [UInt8] = []

  public init(to staged: borrowing StagedFile) { sharesBlocks = FileSystemKind.sharesBlocks(staged.path) }

  /// Places of media modulo this stay the same for blocks to be shared; 1 where they cannot be.
  public var alignment: Int64 { sharesBlocks ? Self.shareableBlockSize : 1 }

  /// Appends a range: whole blocks that lie alike in both files are shared instead of copied, where the file system can
  /// do that.
  /// - Parameter progress: called every 64 MiB with the bytes of the range that are done; its error ends the copy.
  public mutating func append(
    _ range: Range<Int64>, of source: borrowing CopySource, to staged: borrowing StagedFile,
    progress: (Int64) throws -> Void
  ) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      try progress(position - range.lowerBound)
      let step = min(Self.stepSize, range.upperBound - position)
      if sharesBlocks {
        // The bytes up to a block's start go alone: a copy that does not begin with a block shares none.
        let head = (Self.shareableBlockSize - position % Self.shareableBlockSize) % Self.shareableBlockSize
        let count = head > 0 && head < step ? head : step
        try share(position..<position + count, of: source, with: staged)
        position += count
      } else {
        try copy(position..<position + step, of: source, to: staged)
        position += step
      }
    }
  }

  private mutating func share(
    _ range: Range<Int64>, of source: borrowing CopySource, with staged: borrowing StagedFile
  ) throws(DurableFileError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let count = Int(range.upperBound - position)
      switch SystemCall.attempt({
        bsc_copy_file_range(source.file.descriptor, position, staged.file.descriptor, count)
      }) {
      case .success(let copied):
        guard copied > 0 else { throw Self.becameShorter(source.path) }
        position += Int64(copied)
      // The source is on another file system.
      case .failure(let failure) where [EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EPERM].contains(failure.code):
        return try copy(position..<range.upperBound, of: source, to: staged)
      case .failure(let failure):
        throw DurableFileError(.write(staged.destination), errno: failure.code, purpose: .write)
      }
    }
  }

  private mutating func copy(
    _ range: Range<Int64>, of source: borrowing CopySource, to staged: borrowing StagedFile
  ) throws(DurableFileError) {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = Int(min(Int64(buffer.count), range.upperBound - position))
      let got = try SystemCall.check(.read(source.path), .read) {
        unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe pread(source.file.descriptor, bytes.baseAddress, wanted, off_t(position))
        }
      }
      guard got > 0 else { throw Self.becameShorter(source.path) }
      try unsafe buffer.span.withUnsafeBytes { bytes throws(DurableFileError) in
        try unsafe staged.write(UnsafeRawBufferPointer(rebasing: bytes[..<got]))
      }
      position += Int64(got)
    }
  }

  private static func becameShorter(_ path: String) -> DurableFileError {
    DurableFileError("file.changing", .read(path), why: "it became shorter while it was read", .noInput)
  }
}

extension StagedFile {
  /// Gives the temporary its blocks before they are written: a full disk fails at once, and the file lies together.
  /// - Throws: only when there is no room; file systems that cannot do it are left alone.
  public func reserve(_ byteCount: Int64) throws(DurableFileError) {
    guard byteCount > 0 else { return }
    if case .failure(let failure) = SystemCall.attempt({ bsc_reserve(file.descriptor, byteCount) }),
      [ENOSPC, EDQUOT, EFBIG].contains(failure.code)
    {
      throw DurableFileError(.write(destination), errno: failure.code, purpose: .write)
    }
  }

  /// Appends bytes.
  public func append(_ bytes: [UInt8]) throws(DurableFileError) {
    try unsafe bytes.span.withUnsafeBytes { buffer throws(DurableFileError) in try unsafe write(buffer) }
  }

  /// Gives the temporary the owner and the group of another file, before anything private is in it.
  public func takeOwner(of source: borrowing CopySource) throws(DurableFileError) {
    let what = FileOperation.write(destination)
    let wanted = try source.file.status(what: what, .read)
    let present = try file.status(what: what, .write)
    guard wanted.st_uid != present.st_uid || wanted.st_gid != present.st_gid else { return }
    if case .failure(let failure) = SystemCall.attempt({ fchown(file.descriptor, wanted.st_uid, wanted.st_gid) }) {
      throw DurableFileError(
        "file.owner-not-kept", what, why: "it cannot keep its owner and group (\(SystemCall.message(failure.code)))",
        .inputOutput, code: failure.code)
    }
  }

  /// Gives the temporary the permissions of another file, and its times.
  public func takeAttributes(of source: borrowing CopySource, keepsTimes: Bool) throws(DurableFileError) {
    let what = FileOperation.write(destination)
    let status = try source.file.status(what: what, .read)
    try SystemCall.check(what, .write) { fchmod(file.descriptor, status.st_mode & 0o777) }
    guard keepsTimes else { return }
    #if canImport(Darwin)
      var times = [status.st_atimespec, status.st_mtimespec]
    #else
      var times = [status.st_atim, status.st_mtim]
    #endif
    try SystemCall.check(what, .write) { unsafe futimens(file.descriptor, &times) }
  }
}
