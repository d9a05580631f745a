import Foundation

/// A small file system that tests can fill: a tmpfs, which only root may mount.
public final class SmallDisk: Sendable {
  /// The default size.
  public static let byteCount: Int64 = 64 * 1024

  /// Whether it can be mounted. If not, prints a message, and tests that need it are skipped.
  public static let isAvailable: Bool = {
    do {
      _ = try SmallDisk()
      return true
    } catch {
      print("SKIPPED: the tests of a full disk need a tmpfs, which cannot be mounted here (\(error))")
      return false
    }
  }()

  public let folder: ScratchFolder

  public init(byteCount: Int64 = SmallDisk.byteCount) throws {
    folder = try ScratchFolder()
    try Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(byteCount),mode=0700", "bsc-test", folder.path])
  }

  deinit { try? Self.run("/bin/umount", ["--lazy", folder.path]) }

  private static func run(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
  }
}
