import Foundation

/// What the kernel tells in files: `/proc/self/mountinfo`, `/proc/net/tcp`.
package enum SystemTable {
  /// Tables of machines with thousands of mounts or sockets have a few megabytes.
  private static let limit = 64 << 20

  /// The whole text; `nil` where there is none, above all on other systems. Blocks.
  /// - Throws: when it is there and cannot be read: a process can be out of descriptors.
  ///
  /// Such a file says that it has no bytes, and Foundation's own reading takes the first 4 kB then.
  package static func text(_ path: String) throws(DurableFileError) -> String? {
    try DurableFile.readIfPresent(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }
}
