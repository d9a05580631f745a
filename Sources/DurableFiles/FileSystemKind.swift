import Foundation

/// Determines properties of the file system that contains a path.
///
/// If a path doesn't exist yet, its nearest existing parent is used.
public enum FileSystemKind {
  /// Returns whether the path is on a network file system such as NFS or SMB, where locks and SQLite's WAL are
  /// unreliable.
  ///
  /// Returns `false` if the system doesn't report the type of the file system.
  public static func isNetwork(_ path: String) -> Bool {
    #if canImport(Darwin)
    var status = statfs()
    return unsafe statfs(Folder.nearestExistingFolder(path), &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) == 0
    #else
    return fileSystemType(of: path).map(MountTable.networkTypes.contains) ?? false
    #endif
  }

  /// Returns whether files on the file system can share blocks instead of copying them.
  static func sharesBlocks(_ path: String) -> Bool {
    #if canImport(Darwin)
    return false  // APFS clones whole files only
    #else
    return fileSystemType(of: path).map(["btrfs", "xfs", "bcachefs", "ocfs2", "zfs"].contains) ?? false
    #endif
  }

  #if !canImport(Darwin)
  private static func fileSystemType(of path: String) -> String? {
    guard let table = try? SystemTable.readText("/proc/self/mountinfo") else { return nil }
    return MountTable(table).fileSystemType(of: realPath(path))
  }
  #endif
}

/// The list of mounts on Linux, parsed from `/proc/self/mountinfo` (proc(5)).
struct MountTable {
  /// The types of network file systems. They include `9p` and `virtiofs`, with which virtual machines and WSL mount the
  /// host's files.
  static let networkTypes: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "gpfs", "glusterfs", "ncpfs", "coda", "ocfs2",
    "gfs2", "beegfs", "9p", "virtiofs", "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs",
  ]

  private var mounts: [(point: String, type: String)] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      // Example: 36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw. The type follows the dash after
      // the optional fields.
      let fields = line.split(separator: " ")
      guard fields.count > 5, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { continue }
      mounts.append((Self.replaceEscapes(fields[4]), String(fields[dash + 1])))
    }
  }

  /// Returns the type of the file system that contains an absolute, resolved path, which is the mount with the longest
  /// matching mount point. If several mounts have the same mount point, the last one is used.
  func fileSystemType(of path: String) -> String? {
    mounts.reversed().filter { $0.point == "/" || (path + "/").hasPrefix($0.point + "/") }
      .max { $0.point.utf8.count < $1.point.utf8.count }?.type
  }

  /// Replaces escape sequences. The kernel writes spaces, tabs, newlines and backslashes as a backslash and three octal
  /// digits.
  private static func replaceEscapes(_ field: Substring) -> String {
    String(field).replacing(/\\([0-7]{3})/) { match -> String in
      guard let code = UInt8(match.1, radix: 8) else { return String(match.0) }
      return String(UnicodeScalar(code))
    }
  }
}
