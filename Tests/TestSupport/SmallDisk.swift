import Foundation

/// A small file system, to be filled: a tmpfs, which only root may mount.
public final class SmallDisk: Sendable {
  /// Unless another size is asked for.
  public static let byteCount: Int64 = 64 * 1024

  /// Says so when it is not: these tests are skipped then.
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
