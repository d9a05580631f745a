import ClipModel
import DurableFiles
import Foundation

/// A complete file that stays open during the upload. The source fails as soon as the file's size, modification time or
/// inode changes.
public final class FileSource: UploadSource {
  private let path: String
  private let descriptor: Int32
  private let identity: FileIdentity

  /// Opens a file for uploading.
  /// - Throws: `UploadError.sourceUnreadable` if the file is missing, empty or not a regular file.
  public init(path: String) throws(UploadError) {
    do throws(DurableFileError) {
      // Check the path before opening the file, because opening a pipe without a writer would block.
      identity = try FileIdentity.of(path)
    } catch {
      throw .sourceUnreadable("cannot be read: \(error.explanation.why)")
    }
    guard identity.byteCount > 0 else { throw .sourceUnreadable("is empty") }
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .sourceUnreadable("cannot be opened (\(systemErrorMessage(errno)))") }
    self.path = path
  }

  deinit { close(descriptor) }

  public var byteCount: Int64? { identity.byteCount }

  public func waitForBytes(upTo end: Int64) -> Int64 { min(end, identity.byteCount) }

  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count > 0 { return count }
      if count == 0 { throw UploadError.sourceChanged("became shorter during the upload") }
      guard errno == EINTR else { throw UploadError.sourceUnreadable("cannot be read (\(systemErrorMessage(errno)))") }
    }
  }

  public func checkUnchanged() throws {
    let (open, named): (FileIdentity, FileIdentity)
    do throws(DurableFileError) {
      open = try FileIdentity.of(descriptor: descriptor)
      named = try FileIdentity.of(path)
    } catch {
      throw UploadError.sourceChanged("is missing (\(error.explanation.why))")
    }
    guard open == identity else { throw UploadError.sourceChanged("changed during the upload") }
    guard named == identity else { throw UploadError.sourceChanged("was replaced during the upload") }
  }
}

private func systemErrorMessage(_ code: Int32) -> String {
  POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription } ?? "error \(code)"
}
