internal import ClipModel
internal import Foundation

/// A regular file, read by offset with `pread`. Small reads are served from one window, so that walking boxes costs few
/// system calls. Not `Sendable`: one task reads it. Reading blocks; call it off the cooperative pool.
public final class FileBytes: ByteSource {
  public let byteCount: Int64
  private let path: String
  private let descriptor: Int32
  private let isInterrupted: () -> Bool
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0

  /// One read of this many bytes covers the boxes of a short clip's `moov`.
  private static let windowSize = 32 << 10
  /// Where reading jumps, as over the samples of a film, a header is all that is wanted.
  private static let jumpSize = 512

  /// - Parameters:
  ///   - path: of a regular file; links are followed.
  ///   - isInterrupted: asked before each read of the disk; then reading ends with `.interrupted`.
  public init(path: String, isInterrupted: @escaping () -> Bool = { false }) throws(ISOMediaError) {
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
    self.isInterrupted = isInterrupted
    byteCount = Int64(status.st_size)
  }

  deinit { close(descriptor) }

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
        return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        let code = errno
        throw .cannotRead(
          path: path, offset: offset + Int64(filled), reason: Self.reason(code),
          mayPass: PassingFailure.isOne(errno: code))
      }
      if got == 0 { break }  // shorter than when it was opened
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  private static func cannotOpen(_ path: String) -> ISOMediaError {
    let code = errno
    return .cannotOpen(
      path: path, reason: reason(code), isMissing: code == ENOENT || code == ENOTDIR,
      mayPass: PassingFailure.isOne(errno: code))
  }

  private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
