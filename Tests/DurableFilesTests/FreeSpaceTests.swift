import DurableFiles
import TestSupport
import Testing

@Suite struct FreeSpaceTests {
  @Test(.enabled(if: SmallDisk.isAvailable)) func freeSpaceShrinksWhenAFileIsWritten() throws {
    let disk = try SmallDisk()
    let empty = try FreeSpace.availableBytes(at: disk.folder.path)
    #expect((1...SmallDisk.byteCount).contains(empty))
    try disk.folder.write(String(repeating: "x", count: 20_000), to: "file")
    #expect(try FreeSpace.availableBytes(at: disk.folder.path) <= empty - 20_000)
    // A missing folder has the free space of its parent.
    #expect(try FreeSpace.availableBytes(at: disk.folder.path("jobs/one")) <= empty - 20_000)
  }
}
