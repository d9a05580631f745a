import DurableFiles
import TestSupport
import Testing

@Suite struct FreeSpaceTests {
  @Test(.enabled(if: SmallDisk.isAvailable)) func smallDiskHasLittleRoomAndLessWhenUsed() throws {
    let disk = try SmallDisk()
    let empty = try FreeSpace.bytes(at: disk.folder.path)
    #expect((1...SmallDisk.byteCount).contains(empty))
    try disk.folder.write(String(repeating: "x", count: 20_000), to: "file")
    #expect(try FreeSpace.bytes(at: disk.folder.path) <= empty - 20_000)
    // A folder that will be made counts as its parent.
    #expect(try FreeSpace.bytes(at: disk.folder.path("jobs/one")) <= empty - 20_000)
  }
}
