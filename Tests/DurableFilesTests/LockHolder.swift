import Foundation

/// Another process that holds the lock on a file until it is killed: util-linux's `flock`.
final class LockHolder {
  /// Debian has this program; macOS does not.
  static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")

  private let process = Process()
  private let input = Pipe()

  /// Returns when the lock is held.
  init(_ path: String) throws {
    process.executableURL = URL(filePath: "/usr/bin/flock")
    // With --no-fork, the process killed later is the one that holds the lock.
    process.arguments = ["--no-fork", path, "sh", "-c", "echo held; exec cat"]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 5)
  }

  deinit { kill() }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Whether another process can acquire the lock now.
  static func canLock(_ path: String) throws -> Bool {
    let process = try Process.run(URL(filePath: "/usr/bin/flock"), arguments: ["--nonblock", path, "true"])
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
