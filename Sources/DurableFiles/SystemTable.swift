import Foundation

/// Reads text files that the kernel provides, such as `/proc/self/mountinfo` and `/proc/net/tcp`.
package enum SystemTable {
  /// The maximum size of a table in bytes. On machines with thousands of mounts or sockets, tables take a few
  /// megabytes.
  private static let limit = 64 << 20

  /// Reads the entire text, or returns `nil` if the file doesn't exist, as on other systems. Blocks the calling thread.
  ///
  /// Foundation would read only the first 4 kB, because the reported size of these files is 0.
  /// - Throws: `DurableFileError` if the file exists but cannot be read.
  package static func readText(_ path: String) throws(DurableFileError) -> String? {
    try DurableFile.readIfPresent(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }
}
