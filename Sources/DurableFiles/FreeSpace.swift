import Foundation

/// Room on a file system.
public enum FreeSpace {
  /// Bytes that this user may still write at `path`, or where it will be: the nearest existing parent counts.
  public static func bytes(at path: String) throws(DurableFileError) -> Int64 {
    var status = statvfs()
    try SystemCall.check(FileOperation("measure the free space of", path), .read) {
      unsafe statvfs(Folder.nearestExisting(path), &status)
    }
    // f_bavail leaves out what is reserved for root; f_frsize is the unit of the block counts, f_bsize is not.
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
