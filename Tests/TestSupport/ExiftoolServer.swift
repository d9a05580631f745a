import Foundation
import Synchronization

/// An exiftool that runs many commands. Starting exiftool takes ten times longer than reading a small file.
final class ExiftoolServer: Sendable {
  private static let shared = Mutex<ExiftoolServer?>(nil)

  private let input: FileHandle
  private let output: FileHandle

  /// Runs a command.
  /// - Parameter arguments: options and files, none of them with a line break.
  /// - Returns: what exiftool prints, with warnings and errors.
  static func run(_ arguments: [String]) throws -> String {
    try shared.withLock { server in
      let running = try server ?? ExiftoolServer()
      server = nil
      let text = try running.run(arguments)
      // After an error, the next command starts a new exiftool.
      server = running
      return text
    }
  }

  private init() throws {
    // exiftool doesn't end when its input ends. `cat` ends with this process.
    let command = #"{ cat; printf '%s\n' -stay_open False; } | exec exiftool -stay_open True -@ - 2>&1"#
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
  }

  private func run(_ arguments: [String]) throws -> String {
    let end = "{end \(UUID())}"
    let lines = arguments + ["-echo3", end, "-execute"]
    try input.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    var received = Data()
    let mark = Data("\(end)\n".utf8)
    while received.suffix(mark.count + 64).firstRange(of: mark) == nil {
      let next = output.availableData
      guard !next.isEmpty else {
        throw ClipFactory.Failure(description: "exiftool ended: \(String(decoding: received, as: UTF8.self))")
      }
      received += next
    }
    return String(decoding: received, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .filter { $0 != "{ready}" && $0 != end[...] }.joined(separator: "\n")
  }
}
