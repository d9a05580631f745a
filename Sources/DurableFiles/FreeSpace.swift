import Foundation

/// Measures the free space on file systems.
public enum FreeSpace {
  /// Returns the number of bytes that this user can still write at `path`. Uses the nearest existing parent if `path`
  /// doesn't exist yet.
  public static func availableBytes(at path: String) throws(DurableFileError) -> Int64 {
    var status = statvfs()
    try SystemCall.check(FileOperation(verb: "measure the free space of", path: path, isReading: true)) {
      unsafe statvfs(Folder.nearestExistingFolder(path), &status)
    }
    // f_bavail excludes blocks that are reserved for root. Block counts are in units of f_frsize, not f_bsize.
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
