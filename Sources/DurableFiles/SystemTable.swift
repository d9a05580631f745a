import Foundation

/// Text files provided by the kernel: `/proc/self/mountinfo`, `/proc/net/tcp`.
package enum SystemTable {
  /// On machines with thousands of mounts or sockets, these tables take a few megabytes.
  private static let limit = 64 << 20

  /// Reads the whole text; `nil` when the file does not exist, as on other systems. Blocks.
  ///
  /// Foundation's file reading returns only the first 4 kB, because the size of these files is reported as 0.
  /// - Throws: `DurableFileError` when the file exists but cannot be read.
  package static func text(_ path: String) throws(DurableFileError) -> String? {
    try DurableFile.readIfPresent(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }
}
