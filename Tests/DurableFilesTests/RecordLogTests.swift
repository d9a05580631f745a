import Dispatch
import DurableFiles
import Foundation
import Synchronization
import TestSupport
import Testing

/// Records survive crashes, and damage affects only the records after it.
@Suite struct RecordLogTests {
  private func read(_ path: String) throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    try #require(try RecordLog(path: path)).read {
      records.append($0)
      return true
    }
    return records
  }

  @Test(arguments: [1, 7, 8, 9, 300])
  func damagedRecordIsOverwritten(missing: Int) throws {
    let path = try ScratchFolder().path("log")
    let records = (1...3).map { [UInt8](repeating: UInt8($0), count: $0 * 200) }
    do {
      let log = try #require(try RecordLog(path: path))
      for record in records { try log.append(record) }
      #expect(try RecordLog(path: path) == nil)
    }
    #expect(try read(path) == records)
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes.removeLast(missing)
    try bytes.write(to: URL(filePath: path))
    #expect(try read(path) == Array(records[..<2]))
    do {
      let log = try #require(try RecordLog(path: path))
      try log.read { _ in true }
      try log.append([9])
    }
    #expect(try read(path) == records[..<2] + [[9]])
  }

  /// The ends are readable while another process appends, and a damaged last record isn't returned.
  @Test(arguments: [(0, 6), (1, 5), (13, 5), (608, 5), (1100, 4)])
  func endsAreReadWithoutLock(missing: Int, last: Int) throws {
    let path = try ScratchFolder().path("log")
    #expect(RecordLog.readEnds(of: path, firstCount: 2).first.isEmpty)
    let records = (1...6).map { [UInt8](repeating: UInt8($0), count: $0 * 100) }
    let log = try #require(try RecordLog(path: path))
    for (index, record) in records.enumerated() {
      try log.append(record)
      let ends = RecordLog.readEnds(of: path, firstCount: 2)
      #expect(ends.first == Array(records[...min(index, 1)]))
      #expect(ends.last == (index < 2 ? nil : record))
    }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    try #require(truncate(path, size - missing) == 0)
    #expect(RecordLog.readEnds(of: path, firstCount: 2).last == records[last - 1])
  }

  /// After a power failure, the file can have zeros where the last records were.
  @Test func zerosEndTheLog() throws {
    let folder = try ScratchFolder()
    let (path, other) = (folder.path("log"), folder.path("other"))
    let records = (1...4).map { [UInt8](repeating: UInt8($0), count: $0 * 100) }
    let log = try #require(try RecordLog(path: path))
    for record in records[..<3] { try log.append(record) }
    try #require(try RecordLog(path: other)).append(records[3])
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes += Data(count: 16)
    bytes += try Data(contentsOf: URL(filePath: other))
    try bytes.write(to: URL(filePath: path))
    let ends = RecordLog.readEnds(of: path, firstCount: 2)
    #expect(ends.first == Array(records[..<2]) && ends.last == records[2])
    var found: [[UInt8]] = []
    try log.read {
      found.append($0)
      return true
    }
    #expect(found == Array(records[..<3]))
  }

  /// A record that doesn't fit takes no space.
  @Test(.enabled(if: SmallDisk.isAvailable)) func fullDiskKeepsEarlierRecords() throws {
    let disk = try SmallDisk()
    let path = disk.folder.path("log")
    let log = try #require(try RecordLog(path: path))
    try log.append([1])
    #expect(throws: DurableFileError.self) { try log.append([UInt8](repeating: 2, count: 1 << 20)) }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == Int(log.byteCount))
    try log.append([3])
    var found: [[UInt8]] = []
    try log.read {
      found.append($0)
      return true
    }
    #expect(found == [[1], [3]])
    withExtendedLifetime(disk) {}
  }

  /// Another holder can remove the file between open and flock, and create a new one, which must not be removed.
  @Test func openingNeverRemovesTheFileOfAnotherHolder() throws {
    let path = try ScratchFolder().path("log")
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { [path] _ in
      for _ in 0..<5_000 {
        do {
          guard let log = try RecordLog(path: path) else { continue }
          sched_yield()
          if access(path, F_OK) != 0 { failures.add(1, ordering: .sequentiallyConsistent) }
          log.remove()
          log.close()
        } catch {
          failures.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    #expect(failures.load(ordering: .sequentiallyConsistent) == 0)
  }

  @Test(arguments: [0, 4, 8, 100, 207])
  func changedByteEndsTheLog(offset: Int) throws {
    let path = try ScratchFolder().path("log")
    do {
      let log = try #require(try RecordLog(path: path))
      try log.append([UInt8](repeating: 1, count: 200))
      try log.append([2])
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[offset] ^= 0x40
    try bytes.write(to: URL(filePath: path))
    #expect(try read(path).isEmpty)
  }

  /// exFAT and FAT have no modes, so other users may read each file. An unusable file that is empty is removed.
  @Test(arguments: [(0o600, true), (0o755, true), (0o622, false)])
  func filesThatOthersReadAreUsed(mode: Int, isUsed: Bool) throws {
    let path = try ScratchFolder().path("log")
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: mode]))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(try (RecordLog(path: path) != nil) == isUsed)
    #expect(FileManager.default.fileExists(atPath: path) == isUsed)
  }

  /// In a shared folder, another user can create a file or a link at the path.
  @Test func foreignFileIsNotUsed() throws {
    let folder = try ScratchFolder()
    let path = folder.path("log")
    let precious = folder.path("precious")
    try Data("precious".utf8).write(to: URL(filePath: precious))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: precious)
    try FileManager.default.linkItem(atPath: precious, toPath: path)
    #expect(try RecordLog(path: path) == nil)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: precious)
    #expect(throws: DurableFileError.self) { try RecordLog(path: path) }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: precious)
    #expect(try RecordLog(path: precious) == nil)
    #expect(try Data(contentsOf: URL(filePath: precious)) == Data("precious".utf8))
  }
}
