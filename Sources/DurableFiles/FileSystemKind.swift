import Foundation

/// Properties of the file system that contains a path.
///
/// For a path that does not exist yet, the nearest existing parent is used.
public enum FileSystemKind {
  /// Whether it is a network file system such as NFS or SMB, where locks and SQLite's WAL are unreliable.
  ///
  /// Returns `false` when the system does not report the type.
  public static func isNetwork(_ path: String) -> Bool {
    #if canImport(Darwin)
      var status = statfs()
      return unsafe statfs(Folder.nearestExisting(path), &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) == 0
    #else
      return type(of: path).map(MountTable.networkTypes.contains) ?? false
    #endif
  }

  /// Whether files can share blocks instead of copying them.
  static func sharesBlocks(_ path: String) -> Bool {
    #if canImport(Darwin)
      return false  // APFS clones whole files only
    #else
      return type(of: path).map(["btrfs", "xfs", "bcachefs", "ocfs2", "zfs"].contains) ?? false
    #endif
  }

  #if !canImport(Darwin)
    private static func type(of path: String) -> String? {
      guard let table = try? SystemTable.text("/proc/self/mountinfo") else { return nil }
      return MountTable(table).type(of: realPath(path))
    }
  #endif
}

/// Linux's list of mounts (`/proc/self/mountinfo`, proc(5)).
struct MountTable {
  /// Types of network file systems. Virtual machines and WSL mount the host's files as `9p` and `virtiofs`.
  static let networkTypes: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "gpfs", "glusterfs", "ncpfs", "coda", "ocfs2",
    "gfs2", "beegfs", "9p", "virtiofs", "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs",
  ]

  private var mounts: [(point: String, type: String)] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      // 36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw: optional fields, then a dash, then the type.
      let fields = line.split(separator: " ")
      guard fields.count > 5, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { continue }
      mounts.append((Self.unescaped(fields[4]), String(fields[dash + 1])))
    }
  }

  /// The type of the mount with the longest mount point above the absolute, resolved path. Of several mounts at the same
  /// point, the last one counts.
  func type(of path: String) -> String? {
    mounts.reversed().filter { $0.point == "/" || (path + "/").hasPrefix($0.point + "/") }
      .max { $0.point.utf8.count < $1.point.utf8.count }?.type
  }

  /// The kernel writes space, tab, newline and backslash as three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    String(field).replacing(/\\([0-7]{3})/) { match -> String in
      guard let code = UInt8(match.1, radix: 8) else { return String(match.0) }
      return String(UnicodeScalar(code))
    }
  }
}
