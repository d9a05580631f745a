internal import ClipModel
internal import Foundation

/// A regular file opened for reading, which is closed when its last reference is released. Safe to use from any thread.
public final class ReadOnlyFile: Sendable {
  /// The path with which the file was opened.
  public let path: String
  /// The file descriptor, which is valid for the lifetime of this object. Readers use `pread`, which doesn't depend on
  /// the descriptor's file position.
  public let descriptor: Int32
  /// The file size in bytes when the file was opened.
  public let byteCount: Int64

  /// Opens a file for reading.
  /// - Parameter path: the path of a regular file. Symbolic links are followed.
  /// - Throws: `.cannotOpen`, `.notAFile`.
  public init(path: String) throws(ISOMediaError) {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Self.makeOpenError(path) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = Self.makeOpenError(path)
      close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile(path: path)
    }
    self.path = path
    self.descriptor = descriptor
    byteCount = Int64(status.st_size)
  }

  deinit { close(descriptor) }

  private static func makeOpenError(_ path: String) -> ISOMediaError {
    let code = errno
    return .cannotOpen(
      path: path, reason: FileBytes.errorMessage(code), isMissing: code == ENOENT || code == ENOTDIR,
      isTransient: TransientErrno.contains(code))
  }
}

/// A regular file that is read at any offset with `pread`. A read-ahead buffer serves small reads, so that reading
/// boxes needs few system calls. Not `Sendable`: only one task may read it. Reading blocks the calling thread, so don't
/// read on the cooperative thread pool.
public final class FileBytes: ByteSource {
  public var byteCount: Int64 { file.byteCount }
  private let file: ReadOnlyFile
  private let isInterrupted: () -> Bool
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0

  /// The read-ahead buffer's size in bytes. A single read of this size covers the boxes in the `moov` of a short clip.
  private static let windowSize = 32 << 10
  /// The read size in bytes after a jump, such as one over video samples. Usually, only a box header is needed there.
  private static let jumpSize = 512

  /// Opens a file for reading.
  /// - Parameters:
  ///   - path: the path of a regular file. Symbolic links are followed.
  ///   - isInterrupted: checked before each disk read. If it returns `true`, the read throws `.interrupted`.
  public convenience init(path: String, isInterrupted: @escaping () -> Bool = { false }) throws(ISOMediaError) {
    self.init(try ReadOnlyFile(path: path), isInterrupted: isInterrupted)
  }

  /// Creates a byte source from an open file.
  /// - Parameters:
  ///   - file: the file, which other sources may read at the same time.
  ///   - isInterrupted: checked before each disk read. If it returns `true`, the read throws `.interrupted`.
  public init(_ file: ReadOnlyFile, isInterrupted: @escaping () -> Bool = { false }) {
    self.file = file
    self.isInterrupted = isInterrupted
  }

  public func bytes(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let count = Int(min(Int64(count), byteCount - offset))
    guard count <= Self.windowSize else { return try read(at: offset, count: count) }
    let windowEnd = windowOffset + Int64(window.count)
    if offset < windowOffset || offset + Int64(count) > windowEnd {
      let isSequential = offset >= windowOffset && offset <= windowEnd
      window = try read(at: offset, count: isSequential ? Self.windowSize : max(count, Self.jumpSize))
      windowOffset = offset
    }
    let start = Int(offset - windowOffset)
    // The file may have become smaller since it was opened.
    return Array(window[min(start, window.count)..<min(start + count, window.count)])
  }

  private func read(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8] {
    if isInterrupted() { throw .interrupted }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return unsafe pread(file.descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        let code = errno
        throw .cannotRead(
          path: file.path, offset: offset + Int64(filled), reason: Self.errorMessage(code),
          isTransient: TransientErrno.contains(code))
      }
      if got == 0 { break }  // The file has shrunk.
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  fileprivate static func errorMessage(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
