import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

/// Files assembled from bytes and from ranges of other files.
@Suite struct StagedCopyTests {
  /// Varying bytes, more than one buffer holds.
  private static let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })

  private func source(in folder: ScratchFolder) throws -> String {
    let path = folder.path("source")
    try Self.content.write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: [0..<0, 0..<1, 4095..<4097, 1..<3_000_000, 1_048_576..<2_097_152] as [Range<Int64>])
  func rangesAndBytesAreAppendedInOrder(range: Range<Int64>) throws {
    let folder = try ScratchFolder()
    let original = try CopySource(source(in: folder))
    let staged = try StagedFile(for: folder.path("out"))
    var copy = StagedCopy(to: staged)
    try staged.reserve(range.upperBound + 4)
    try staged.append([1, 2])
    var reported: [Int64] = []
    try copy.append(range, of: original, to: staged) { reported.append($0) }
    try staged.append([3, 4])
    try staged.commit(replacing: .keepExisting)
    let written = try Data(contentsOf: URL(filePath: folder.path("out")))
    #expect(written == Data([1, 2]) + Self.content[Int(range.lowerBound)..<Int(range.upperBound)] + Data([3, 4]))
    #expect(reported.first == (range.isEmpty ? nil : 0))
  }

  @Test func sourceThatEndsEarlyFails() throws {
    let folder = try ScratchFolder()
    let original = try CopySource(source(in: folder))
    let staged = try StagedFile(for: folder.path("out"))
    var copy = StagedCopy(to: staged)
    #expect(throws: DurableFileError.self) { try copy.append(2_999_999..<3_000_001, of: original, to: staged) { _ in } }
  }

  @Test func errorOfProgressStopsTheCopy() throws {
    let folder = try ScratchFolder()
    let original = try CopySource(source(in: folder))
    let staged = try StagedFile(for: folder.path("out"))
    var copy = StagedCopy(to: staged)
    #expect(throws: CancellationError.self) {
      try copy.append(0..<10, of: original, to: staged) { _ in throw CancellationError() }
    }
  }

  @Test func permissionsAndTimesAreCopied() throws {
    let folder = try ScratchFolder()
    let path = try source(in: folder)
    let date = Date(timeIntervalSince1970: 1_500_000_000)
    try FileManager.default.setAttributes([.posixPermissions: 0o640, .modificationDate: date], ofItemAtPath: path)
    for keepsTimes in [true, false] {
      let staged = try StagedFile(for: folder.path("out"))
      try staged.copyAttributes(of: CopySource(path), keepsTimes: keepsTimes)
      try staged.commit(replacing: .replace)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("out"))
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect((attributes[.modificationDate] as? Date == date) == keepsTimes)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can change the owner"))
  func ownerAndGroupAreCopied() throws {
    let folder = try ScratchFolder()
    let path = try source(in: folder)
    #expect(chown(path, 1234, 2345) == 0)
    let staged = try StagedFile(for: folder.path("out"))
    try staged.copyOwner(of: CopySource(path))
    try staged.commit(replacing: .replace)
    var status = stat()
    #expect(stat(folder.path("out"), &status) == 0)
    #expect(status.st_uid == 1234 && status.st_gid == 2345)
  }

  @Test func sourceReportsLinkCountAndPermissions() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("clip", to: "a", permissions: 0o640)
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("b"))
    let source = try CopySource(path)
    #expect(source.nameCount == 2)
    #expect(source.permissions == 0o640)
  }

  @Test(.enabled(if: SmallDisk.isAvailable)) func reservingFailsOnAFullDisk() throws {
    let disk = try SmallDisk()
    let staged = try StagedFile(for: disk.folder.path("out"))
    do {
      try staged.reserve(SmallDisk.byteCount * 2)
      Issue.record("the reservation succeeded")
    } catch {
      #expect(error.explanation.category == .inputOutput)
      #expect(["file.disk-full", "file.too-big-for-disk"].contains(error.explanation.id))
    }
    withExtendedLifetime(disk) {}
  }
}
