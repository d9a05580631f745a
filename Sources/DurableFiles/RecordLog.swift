import Foundation

/// An append-only file of binary records, each with its length and checksum.
///
/// A crash can damage only the last record. `read(_:)` stops before the first damaged record, and the next `append(_:)`
/// overwrites it. Only one process at a time can open a file. Can be used on only one thread at a time.
public final class RecordLog {
  /// The path of the file.
  public let path: String
  private let file: OpenFile
  /// The end of the last valid record, in bytes from the start of the file.
  private var end: Int64 = 0

  /// The length and the CRC-32C of a record, each with 32 bits in big-endian order.
  private static let headerByteCount = 8

  /// Opens the file with mode 0600, or creates it.
  ///
  /// Returns `nil` if another process has opened the file, if it isn't a file with a single name that only this user can
  /// change, or if the file system doesn't support locks. In a shared folder, another user may have created it.
  /// - Throws: `DurableFileError`.
  public init?(path: String) throws(DurableFileError) {
    // More tries are needed only if other processes keep removing the file.
    for _ in 0..<10 {
      let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, for: .write(path))
      let isLocked = flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      if !isLocked, errno == EWOULDBLOCK { return nil }
      let status = try file.status()
      // The last holder may have removed the file between open and flock, and another process may have created a new one.
      guard let current = SystemCall.status(of: path, followsLink: false),
        FileIdentity(status).isSameFile(as: FileIdentity(current))
      else { continue }
      guard isLocked, Self.isOwn(status) else {
        // Some file systems don't store owners, so an empty file can be the one that was just created.
        if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { _ = unsafe unlink(path) }
        return nil
      }
      self.path = path
      self.file = file
      return
    }
    return nil
  }

  /// Whether only this user can change a file. exFAT and FAT have no modes, and let other users read each file.
  private static func isOwn(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink == 1
      && status.st_mode & 0o022 == 0
  }

  /// The size of the valid records in bytes. Read the records first.
  public var byteCount: Int64 { end }

  /// Reads the first records and the last valid record, without the records between them. Doesn't need a lock, so the file
  /// can change at the same time.
  /// - Parameter firstCount: the number of records to read from the start of the file.
  /// - Returns: the records. If there are no more than `firstCount` records or the file isn't readable, `last` is `nil`.
  public static func readEnds(of path: String, firstCount: Int) -> (first: [[UInt8]], last: [UInt8]?) {
    guard let file = try? OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read(path)),
      let status = try? file.status(), isOwn(status)
    else { return ([], nil) }
    var offsets: [Int64] = []
    var offset: Int64 = 0
    var header = [UInt8](repeating: 0, count: headerByteCount)
    while offset < Int64(status.st_size), (try? file.read(into: &header, at: offset)) == header.count {
      let count = decode(header[..<4])
      // After a power failure, the file can end with zeros. No record is empty.
      if count == 0 { break }
      offsets.append(offset)
      offset += Int64(headerByteCount) + Int64(count)
    }
    var first: [[UInt8]] = []
    for offset in offsets.prefix(firstCount) {
      guard let record = try? readRecord(of: file, at: offset) else { return (first, nil) }
      first.append(record)
    }
    for offset in offsets.dropFirst(firstCount).reversed() {
      if let record = try? readRecord(of: file, at: offset) { return (first, record) }
    }
    return (first, nil)
  }

  /// Reads the valid records from the start of the file.
  /// - Parameter body: called with each record. If it returns `false`, that record and all records after it count as invalid.
  /// - Throws: `DurableFileError`, and errors thrown by `body`.
  public func read(_ body: ([UInt8]) throws -> Bool) throws {
    end = 0
    while let record = try Self.readRecord(of: file, at: end), try body(record) {
      end += Int64(Self.headerByteCount + record.count)
    }
  }

  /// Returns the record at an offset, or `nil` if there is no valid record.
  private static func readRecord(of file: borrowing OpenFile, at offset: Int64) throws(DurableFileError) -> [UInt8]? {
    var header = [UInt8](repeating: 0, count: headerByteCount)
    guard try file.read(into: &header, at: offset) == header.count else { return nil }
    let count = Int(decode(header[..<4]))
    guard count > 0, offset + Int64(header.count + count) <= Int64(try file.status().st_size) else { return nil }
    var record = [UInt8](repeating: 0, count: count)
    guard try file.read(into: &record, at: offset + Int64(header.count)) == count else { return nil }
    return checksum(of: record) == decode(header[4...]) ? record : nil
  }

  /// Appends a record after the last valid one. Blocks until the record is durable.
  /// - Parameter record: at least one byte, at most 4 GB.
  /// - Throws: `DurableFileError`. The earlier records remain, and the disk space of the new one is freed.
  public func append(_ record: [UInt8]) throws(DurableFileError) {
    let operation = FileOperation.write(path)
    do throws(DurableFileError) {
      try SystemCall.check(operation) { ftruncate(file.descriptor, off_t(end)) }
      try SystemCall.check(operation) { lseek(file.descriptor, off_t(end), SEEK_SET) == -1 ? -1 : 0 }
      let header = Self.encode(UInt32(record.count)) + Self.encode(Self.checksum(of: record))
      try file.write(header.span)
      try file.write(record.span)
      try file.synchronize()
      if end == 0 { try Folder.synchronize(FilePathParts.folder(of: path), for: operation) }
      end += Int64(header.count + record.count)
    } catch {
      removeInvalidRecords()
      throw error
    }
  }

  /// Removes all records, and frees their disk space.
  public func removeAllRecords() {
    end = 0
    removeInvalidRecords()
  }

  private func removeInvalidRecords() {
    // If this fails, the next `append` truncates the file.
    _ = ftruncate(file.descriptor, off_t(end))
  }

  /// Releases the lock. Don't use the log afterwards.
  ///
  /// The end of this object's lifetime is not a defined point in time, and a run that starts right after this one needs the
  /// lock.
  public func close() { _ = flock(file.descriptor, LOCK_UN) }

  /// Removes the file.
  public func remove() { _ = unsafe unlink(path) }

  private static func checksum(of record: [UInt8]) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(record[...])
    return checksum.value
  }

  private static func encode(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
