import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct AbandonedFileTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func onlyTemporariesThatNobodyHoldsAreRemoved() throws {
    try folder.write("", to: ".rally.mp4.bsc-1f.tmp")
    try folder.write("", to: ".rally.mp4.tmp")
    try folder.write("", to: "rally.mp4.bsc-1f.tmp")
    let living = try StagedFile(for: folder.path("rally.mp4"))
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [".rally.mp4.bsc-1f.tmp"])
    #expect(FileManager.default.fileExists(atPath: living.path))
    try living.commit(replacing: .replace)
    #expect(try folder.names() == [".rally.mp4.tmp", "rally.mp4", "rally.mp4.bsc-1f.tmp"])
  }

  @Test(.enabled(if: LockHolder.isAvailable))
  func temporaryOfAKilledProcessIsRemovedOnceItIsDead() throws {
    let holder = try LockHolder(try folder.write("", to: ".rally.mp4.bsc-1f.tmp"))
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [])
    holder.kill()
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [".rally.mp4.bsc-1f.tmp"])
  }
}
