import CFFmpeg

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file that libav reads from. Each input has its own position, so multiple inputs can share a descriptor.
///
/// bsc opens the file itself, so that libav never receives a path that it could interpret as a URL, and so that read
/// errors can be distinguished from damaged containers.
final class FileInput {
  let descriptor: Int32
  private var position: Int64 = 0
  private let interruption: Interruption
  /// The libav I/O context, which this object owns.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// The size of the read buffer, which is the same as in libav's file protocol.
  private static let bufferSize = 32 << 10

  /// - Parameters:
  ///   - path: the path of the file, which is opened if `descriptor` is `nil`.
  ///   - descriptor: the descriptor of an open file, which is duplicated.
  init(path: String, descriptor: Int32?, interruption: Interruption, subject: String) throws(FFmpegError) {
    self.interruption = interruption
    self.descriptor = descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open(path, O_RDONLY | O_CLOEXEC)
    guard self.descriptor >= 0 else {
      throw FFmpegError(-errno, call: "avformat_open_input", subject: subject)
    }
    let buffer = av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    context = avio_alloc_context(
      buffer, Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { opaque, bytes, count in FileInput.unwrapOpaque(opaque)?.read(into: bytes, count: count) ?? bsc_AVERROR_EXIT },
      nil,
      { opaque, offset, origin in FileInput.unwrapOpaque(opaque)?.seek(offset, origin) ?? Int64(bsc_AVERROR_EXIT) })
    guard context != nil else {
      av_free(buffer)
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "avio_alloc_context", subject: subject)
    }
  }

  deinit {
    // Free the context's current buffer, because libav may have replaced the original.
    if let context { av_free(context.pointee.buffer) }
    avio_context_free(&context)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func unwrapOpaque(_ opaque: UnsafeMutableRawPointer?) -> FileInput? {
    opaque.map { Unmanaged<FileInput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read(into bytes: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    while true {
      if interruption.isInterrupted { return bsc_AVERROR_EXIT }
      let got = pread(descriptor, bytes, Int(count), off_t(position))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return got == 0 ? bsc_AVERROR_EOF : -errno }
      position += Int64(got)
      return Int32(got)
    }
  }

  /// Sets the read position.
  /// - Returns: the new position, or the file size if `origin` is `AVSEEK_SIZE`.
  private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Int64(-errno) }
    let size = Int64(status.st_size)
    if origin & AVSEEK_SIZE != 0 { return size }
    let bases = [SEEK_SET: 0, SEEK_CUR: position, SEEK_END: size]
    guard let base = bases[origin & ~AVSEEK_FORCE] else { return Int64(-EINVAL) }
    let (target, overflows) = base.addingReportingOverflow(offset)
    guard !overflows, target >= 0 else { return Int64(-EINVAL) }
    position = target
    return target
  }
}
