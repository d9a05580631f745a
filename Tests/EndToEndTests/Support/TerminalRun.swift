import Foundation
import Synchronization
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One run of the built program on a pseudo-terminal, which is its stdin and stderr.
final class TerminalRun: Sendable {
  private let process = Process()
  private let outer: Int32
  private let shown = Mutex("")
  private let result = Mutex("")
  /// The number of streams, of the terminal and stdout, that have been read to their end.
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
        // When the program ends, reading from the terminal fails with EIO.
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

  /// All output on the terminal so far.
  var screen: String { shown.withLock { $0 } }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(outer, bytes, bytes.count)
  }

  /// Waits until the text has appeared on the terminal.
  func wait(for text: String) async throws {
    try await TestTimeout.wait { screen.contains(text) || !process.isRunning }
    if !screen.contains(text) { throw Failure(description: "never shown: \(text)\n\(screen)") }
  }

  /// Its exit status and stdout.
  func end() async throws -> (status: Int32, output: String) {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "bsc test wait").async { [self] in
        process.waitUntilExit()
        continuation.resume()
      }
    }
    try await TestTimeout.wait { endedCount.withLock { $0 } == 2 }
    return (process.terminationStatus, result.withLock { $0 })
  }
}
