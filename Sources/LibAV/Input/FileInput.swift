import CFFmpeg

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file as an input for libav. It keeps its own position, so several inputs can read one descriptor.
///
/// bsc opens the file instead of libav: libav never sees a path that it could read as a URL, and a failed read can be
/// distinguished from a damaged container.
final class FileInput {
  let descriptor: Int32
  private var position: Int64 = 0
  private let interruption: Interruption
  /// The context, which this object owns.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// The buffer size, which is the same as in libav's own file protocol.
  private static let bufferSize = 32 << 10

  /// - Parameters:
  ///   - path: the path, which is opened if there is no descriptor.
  ///   - descriptor: an open file; it is duplicated.
  init(path: String, descriptor: Int32?, interruption: Interruption, subject: String) throws(FFmpegError) {
    self.interruption = interruption
    self.descriptor = descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open(path, O_RDONLY | O_CLOEXEC)
    guard self.descriptor >= 0 else {
      throw FFmpegError(-errno, call: "avformat_open_input", subject: subject)
    }
    let buffer = av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    context = avio_alloc_context(
      buffer, Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { opaque, bytes, count in FileInput.at(opaque)?.read(into: bytes, count: count) ?? bsc_AVERROR_EXIT }, nil,
      { opaque, offset, origin in FileInput.at(opaque)?.seek(offset, origin) ?? Int64(bsc_AVERROR_EXIT) })
    guard context != nil else {
      av_free(buffer)
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "avio_alloc_context", subject: subject)
    }
  }

  deinit {
    // libav may have replaced the buffer.
    if let context { av_free(context.pointee.buffer) }
    avio_context_free(&context)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func at(_ opaque: UnsafeMutableRawPointer?) -> FileInput? {
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

  /// - Returns: the new position, or the size of the file if `origin` requests it.
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
