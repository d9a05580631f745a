import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct AbandonedFileTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func onlyTemporaryFilesWithoutALockAreRemoved() throws {
    try folder.write("", to: ".rally.mp4.bsc-1f.tmp")
    try folder.write("", to: ".rally.mp4.tmp")
    try folder.write("", to: "rally.mp4.bsc-1f.tmp")
    let active = try StagedFile(for: folder.path("rally.mp4"))
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [".rally.mp4.bsc-1f.tmp"])
    #expect(FileManager.default.fileExists(atPath: active.path))
    try active.commit(replacing: .replace)
    #expect(try folder.names() == [".rally.mp4.tmp", "rally.mp4", "rally.mp4.bsc-1f.tmp"])
  }

  @Test func temporaryFilesOfOneFileAreRecognizedByName() throws {
    let long = String(repeating: "n", count: 240)
    let own = [".rally.mp4.bsc-1f.tmp", ".rally.json.bsc-1f.tmp", ".rally-poster.jpg.bsc-1f.tmp"]
    for name in own + [".rally 2.mp4.bsc-1f.tmp", ".rallye.mp4.bsc-1f.tmp"] { try folder.write("", to: name) }
    #expect(Set(try StagedFile.removeAbandoned(of: folder.path("rally.mp4"))) == Set(own))
    #expect(try folder.names() == [".rally 2.mp4.bsc-1f.tmp", ".rallye.mp4.bsc-1f.tmp"])
    // Temporary names contain only a part of a long name.
    let cut = ".\(long.prefix(220)).bsc-1f.tmp"
    try folder.write("", to: cut)
    #expect(try StagedFile.removeAbandoned(of: folder.path("\(long).mp4")) == [cut])
  }

  @Test(.enabled(if: LockHolder.isAvailable))
  func temporaryFileOfAKilledProcessIsRemoved() throws {
    let holder = try LockHolder(try folder.write("", to: ".rally.mp4.bsc-1f.tmp"))
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [])
    holder.kill()
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [".rally.mp4.bsc-1f.tmp"])
  }
}
