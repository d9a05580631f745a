import Foundation

/// A finished file. It is held open, and refused as soon as its size, time of change or inode is another one.
public final class FileSource: UploadSource {
  private let path: String
  private let descriptor: Int32
  private let identity: FileIdentity

  /// - Throws: `UploadError.sourceUnreadable` for a file that is missing, empty, or not a regular file.
  public init(path: String) throws(UploadError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .sourceUnreadable("cannot be opened (\(systemMessage(errno)))") }
    do throws(UploadError) {
      identity = try FileIdentity(descriptor: descriptor)
      guard identity.byteCount > 0 else { throw .sourceUnreadable("is empty") }
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  public var byteCount: Int64? { identity.byteCount }

  public func available(upTo end: Int64) -> Int64 { min(end, identity.byteCount) }

  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count > 0 { return count }
      if count == 0 { throw UploadError.sourceChanged("became shorter while it was sent") }
      guard errno == EINTR else { throw UploadError.sourceUnreadable("cannot be read (\(systemMessage(errno)))") }
    }
  }

  public func checkUnchanged() throws {
    guard try FileIdentity(descriptor: descriptor) == identity else {
      throw UploadError.sourceChanged("changed while it was sent")
    }
    guard try FileIdentity(path: path) == identity else {
      throw UploadError.sourceChanged("was replaced while it was sent")
    }
  }
}

/// What tells one state of a file from another without reading it.
private struct FileIdentity: Equatable {
  let device: UInt64
  let inode: UInt64
  let byteCount: Int64
  let changedSeconds: Int64
  let changedNanoseconds: Int64

  init(descriptor: Int32) throws(UploadError) {
    var status = stat()
    try self.init(result: unsafe fstat(descriptor, &status), status)
  }

  init(path: String) throws(UploadError) {
    var status = stat()
    try self.init(result: unsafe stat(path, &status), status)
  }

  private init(result: Int32, _ status: stat) throws(UploadError) {
    guard result == 0 else { throw .sourceChanged("is gone (\(systemMessage(errno)))") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .sourceUnreadable("is not a regular file") }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    changedSeconds = Int64(changed.tv_sec)
    changedNanoseconds = Int64(changed.tv_nsec)
  }
}

private func systemMessage(_ code: Int32) -> String {
  POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription } ?? "error \(code)"
}
