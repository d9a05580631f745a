import ClipModel
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

  /// Of a folder that other machines write to, whose locks may not be seen here, only one's own.
  @Test func thoseOfOneFileAreToldByItsName() throws {
    let long = String(repeating: "n", count: 240)
    let own = [".rally.mp4.bsc-1f.tmp", ".rally.json.bsc-1f.tmp", ".rally-poster.jpg.bsc-1f.tmp"]
    for name in own + [".rally 2.mp4.bsc-1f.tmp", ".rallye.mp4.bsc-1f.tmp"] { try folder.write("", to: name) }
    #expect(Set(try StagedFile.removeAbandoned(of: folder.path("rally.mp4"))) == Set(own))
    #expect(try folder.names() == [".rally 2.mp4.bsc-1f.tmp", ".rallye.mp4.bsc-1f.tmp"])
    // In the temporary's name a long one is cut.
    let cut = ".\(long.prefix(220)).bsc-1f.tmp"
    try folder.write("", to: cut)
    #expect(try StagedFile.removeAbandoned(of: folder.path("\(long).mp4")) == [cut])
  }

  @Test(.enabled(if: LockHolder.isAvailable))
  func temporaryOfAKilledProcessIsRemovedOnceItIsDead() throws {
    let holder = try LockHolder(try folder.write("", to: ".rally.mp4.bsc-1f.tmp"))
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [])
    holder.kill()
    #expect(try StagedFile.removeAbandoned(in: folder.path) == [".rally.mp4.bsc-1f.tmp"])
  }
}
