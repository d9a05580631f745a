import TestSupport
import Testing

@testable import DurableFiles

@Suite struct MountTableTests {
  static let table = MountTable(
    """
    24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    30 24 0:40 / /home rw shared:5 master:2 - nfs4 server:/home rw
    31 24 8:2 / /homes rw - xfs /dev/sdb1 rw
    32 24 0:41 / /mnt/my\\040share rw - cifs //server/share rw
    33 30 8:3 / /home/ada/local rw - ext4 /dev/sdc1 rw
    34 24 0:50 / /mnt/stack rw - nfs server:/x rw
    35 34 8:4 / /mnt/stack rw - ext4 /dev/sdd1 rw
    damaged line
    """)

  @Test(arguments: [
    ("/", "ext4"), ("/etc", "ext4"), ("/home", "nfs4"), ("/home/ada", "nfs4"), ("/homes/ada", "xfs"),
    ("/mnt/my share/clips", "cifs"), ("/home/ada/local/state", "ext4"), ("/home/ada/locale", "nfs4"),
    ("/mnt/stack/a", "ext4"),
  ])
  func longestAndLastMountPointIsUsed(path: String, type: String) {
    #expect(Self.table.fileSystemType(of: path) == type)
  }

  @Test func temporaryFolderIsLocal() throws {
    let folder = try ScratchFolder()
    #expect(!FileSystemKind.isNetwork(folder.path("not/yet/there")))
  }
}
