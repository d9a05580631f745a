import ClipModel
import DurableFiles
import Foundation

/// An open file that an upload reads.
final class UploadFile: Sendable {
  private let descriptor: Int32

  init(path: String) throws(UploadError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .sourceUnreadable("cannot be opened (\(Self.errorMessage(errno)))") }
  }

  deinit { close(descriptor) }

  /// Returns the identity of the open file, even if a different file is now at its path.
  func identity() throws(DurableFileError) -> FileIdentity { try FileIdentity.of(descriptor: descriptor) }

  /// - Returns: the number of bytes that were read, at least 1.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(UploadError) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count > 0 { return count }
      if count == 0 { throw .sourceChanged("became shorter during the upload") }
      guard errno == EINTR else { throw .sourceUnreadable("cannot be read (\(Self.errorMessage(errno)))") }
    }
  }

  private static func errorMessage(_ code: Int32) -> String {
    POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription } ?? "error \(code)"
  }
}
