internal import ClipModel
internal import Foundation

/// An open regular file. It's closed when nothing refers to it any more. Safe to use from any thread.
public final class ReadOnlyFile: Sendable {
  /// As it was opened.
  public let path: String
  /// Open for reading; valid as long as this object. Readers use `pread`: its position means nothing.
  public let descriptor: Int32
  /// Size when it was opened.
  public let byteCount: Int64

  /// - Parameter path: of a regular file; links are followed.
  /// - Throws: `.cannotOpen`, `.notAFile`.
  public init(path: String) throws(ISOMediaError) {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Self.cannotOpen(path) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = Self.cannotOpen(path)
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

  private static func cannotOpen(_ path: String) -> ISOMediaError {
    let code = errno
    return .cannotOpen(
      path: path, reason: FileBytes.reason(code), isMissing: code == ENOENT || code == ENOTDIR,
      mayPass: PassingFailure.isOne(errno: code))
  }
}

/// A regular file, read by offset with `pread`. Small reads are served from one window, so that walking boxes costs few
/// system calls. Not `Sendable`: one task reads it. Reading blocks; call it off the cooperative pool.
public final class FileBytes: ByteSource {
  public var byteCount: Int64 { file.byteCount }
  private let file: ReadOnlyFile
  private let isInterrupted: () -> Bool
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0

  /// One read of this many bytes covers the boxes of a short clip's `moov`.
  private static let windowSize = 32 << 10
  /// Where reading jumps, as over the samples of a film, a header is all that is wanted.
  private static let jumpSize = 512

  /// - Parameters:
  ///   - path: of a regular file; links are followed.
  ///   - isInterrupted: checked before each read of the disk; then reading ends with `.interrupted`.
  public convenience init(path: String, isInterrupted: @escaping () -> Bool = { false }) throws(ISOMediaError) {
    self.init(try ReadOnlyFile(path: path), isInterrupted: isInterrupted)
  }

  /// - Parameters:
  ///   - file: may be read by others at the same time.
  ///   - isInterrupted: checked before each read of the disk; then reading ends with `.interrupted`.
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
      let goesOn = offset >= windowOffset && offset <= windowEnd
      window = try read(at: offset, count: goesOn ? Self.windowSize : max(count, Self.jumpSize))
      windowOffset = offset
    }
    let start = Int(offset - windowOffset)
    // The file may have become shorter since it was opened.
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
          path: file.path, offset: offset + Int64(filled), reason: Self.reason(code),
          mayPass: PassingFailure.isOne(errno: code))
      }
      if got == 0 { break }  // shorter than when it was opened
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  fileprivate static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
