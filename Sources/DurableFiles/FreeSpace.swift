import Foundation

/// The free space of a file system.
public enum FreeSpace {
  /// The number of bytes that this user can still write at `path`. Uses the nearest existing parent if `path` does not
  /// exist yet.
  public static func bytes(at path: String) throws(DurableFileError) -> Int64 {
    var status = statvfs()
    try SystemCall.check(FileOperation(verb: "measure the free space of", path: path, isReading: true)) {
      unsafe statvfs(Folder.nearestExisting(path), &status)
    }
    // f_bavail excludes the blocks reserved for root. The unit of block counts is f_frsize, not f_bsize.
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
