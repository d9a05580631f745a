import Foundation
import Synchronization
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One run of the built program on a terminal that the test plays: its input and its stderr are the terminal's.
final class TerminalRun: Sendable {
  private let process = Process()
  private let outer: Int32
  private let shown = Mutex("")
  private let result = Mutex("")
  /// How many of the terminal and of stdout have been read to their end.
  private let endedCount = Mutex(0)

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(_ arguments: [String], environment: [String: String], folder: String) throws {
    var ends: (outer: Int32, inner: Int32) = (-1, -1)
    guard openpty(&ends.outer, &ends.inner, nil, nil, nil) == 0 else { throw Failure(description: "no terminal") }
    outer = ends.outer
    let inner = FileHandle(fileDescriptor: ends.inner, closeOnDealloc: false)
    let output = Pipe()
    process.executableURL = URL(filePath: try BuiltProgram.path())
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
    process.standardInput = inner
    process.standardError = inner
    process.standardOutput = output
    try process.run()
    close(ends.inner)
    DispatchQueue(label: "bsc test terminal").async { [self] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        // The end of the program ends the terminal: EIO.
        let count = read(outer, &bytes, bytes.count)
        guard count > 0 else { return endedCount.withLock { $0 += 1 } }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        shown.withLock { $0 += text }
      }
    }
    let handle = output.fileHandleForReading
    DispatchQueue(label: "bsc test output").async { [self] in
      let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
      result.withLock { $0 += text }
      endedCount.withLock { $0 += 1 }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 600) { [weak process] in
      if process?.isRunning == true { process?.terminate() }
    }
  }

  deinit { close(outer) }

  /// Everything on the terminal until now.
  var screen: String { shown.withLock { $0 } }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(outer, bytes, bytes.count)
  }

  /// Waits until the terminal shows it.
  func wait(for text: String) async throws {
    try await Patience.wait { screen.contains(text) || !process.isRunning }
    if !screen.contains(text) { throw Failure(description: "never shown: \(text)\n\(screen)") }
  }

  /// Its exit status and stdout.
  func end() async throws -> (status: Int32, output: String) {
    while process.isRunning { try await Task.sleep(for: .milliseconds(25)) }
    try await Patience.wait { endedCount.withLock { $0 } == 2 }
    return (process.terminationStatus, result.withLock { $0 })
  }
}
