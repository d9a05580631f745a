import Foundation
import Synchronization

/// One run of the built program, as a shell would start it.
///
/// Its streams are read while it runs. It is killed at a deadline, and `Outcome.isOverdue` is then set.
final class BSCProcess: Sendable {
  /// Called on the thread that reads stderr, before it reads the next line, so that a signal can be sent at this event.
  typealias Reaction = @Sendable (_ event: ProgressEvent, _ process: BSCProcess) -> Void

  /// How a run ended.
  struct Outcome: Sendable, CustomStringConvertible {
    var arguments: [String] = []
    /// As in a shell: the exit code, or 128 plus the number of the signal that ended the process.
    var status: Int32 = 0
    var wasKilled = false
    var isOverdue = false
    var output = ""
    var errors = ""

    /// All output, for the message of a failed test.
    var description: String {
      "bsc \(arguments.joined(separator: " ")): status \(status)\(isOverdue ? ", overdue" : "")\n\(output)\(errors)"
    }
  }

  /// Events of `--progress json`. The stream ends with the process.
  let events: AsyncStream<ProgressEvent>
  /// Lines of stdout. The stream ends with the process.
  let outputLines: AsyncStream<String>

  private let process = Process()
  private let state = Mutex(State())

  private struct State {
    var outcome = Outcome()
    var isOver = false
    var waiters: [CheckedContinuation<Outcome, Never>] = []
  }

  /// Long enough for a loaded machine, so that only a process that hangs reaches it.
  private static let deadlineSeconds = 900.0

  /// - Parameters:
  ///   - program: a program of this package.
  ///   - input: its stdin, which must fit into the buffer of a pipe; `nil` for empty input.
  init(
    _ arguments: [String], program: String = "bsc", input: Data? = nil, environment: [String: String], folder: String,
    reaction: @escaping Reaction = { _, _ in }
  ) throws {
    let (events, eventSink) = AsyncStream<ProgressEvent>.makeStream()
    let (lines, lineSink) = AsyncStream<String>.makeStream()
    self.events = events
    outputLines = lines
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: try BuiltProgram.path(of: program))
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
    process.standardInput = try Self.standardInput(input)
    process.standardOutput = output
    process.standardError = errors
    state.withLock { $0.outcome.arguments = arguments }
    try process.run()

    let reading = DispatchGroup()
    Self.read(output, in: reading) { line in
      self.state.withLock { $0.outcome.output += line + "\n" }
      lineSink.yield(line)
    }
    Self.read(errors, in: reading) { line in
      self.state.withLock { $0.outcome.errors += line + "\n" }
      guard let event = ProgressEvent(line: line) else { return }
      reaction(event, self)
      eventSink.yield(event)
    }
    DispatchQueue(label: "bsc test wait").async {
      reading.wait()
      self.process.waitUntilExit()
      self.finish()
      lineSink.finish()
      eventSink.finish()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.deadlineSeconds) { [weak self] in self?.expire() }
  }

  private static func standardInput(_ data: Data?) throws -> Any {
    guard let data else { return FileHandle.nullDevice }
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: data)
    try pipe.fileHandleForWriting.close()
    return pipe
  }

  var identifier: Int32 { process.processIdentifier }

  /// The peak of its resident memory; `nil` without `/proc`, or after its end.
  var peakKilobytes: Int? {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first
  }

  /// Does nothing once the process has ended.
  func send(_ signal: Int32) {
    guard !state.withLock({ $0.isOver }) else { return }
    kill(identifier, signal)
  }

  /// Whether it has ended and all of its output has been read.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Its stderr so far.
  var errorsSoFar: String { state.withLock { $0.outcome.errors } }

  /// Waits for the end of the process and of its output.
  func outcome() async -> Outcome {
    await withCheckedContinuation { waiter in
      let known: Outcome? = state.withLock { state in
        if state.isOver { return state.outcome }
        state.waiters.append(waiter)
        return nil
      }
      if let known { waiter.resume(returning: known) }
    }
  }

  /// The first event that matches; `nil` if the process ends without one.
  func event(where matches: (ProgressEvent) -> Bool) async -> ProgressEvent? {
    for await event in events where matches(event) { return event }
    return nil
  }

  private func finish() {
    let status = process.terminationStatus
    let wasKilled = process.terminationReason == .uncaughtSignal
    let (outcome, waiters) = state.withLock { state in
      state.isOver = true
      state.outcome.status = wasKilled ? 128 + status : status
      state.outcome.wasKilled = wasKilled
      defer { state.waiters = [] }
      return (state.outcome, state.waiters)
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  private func expire() {
    state.withLock { $0.outcome.isOverdue = !$0.isOver }
    send(SIGKILL)
  }

  /// Reads on a separate thread, so that reactions run immediately.
  private static func read(_ pipe: Pipe, in group: DispatchGroup, line: @escaping @Sendable (String) -> Void) {
    let handle = pipe.fileHandleForReading
    DispatchQueue(label: "bsc test read").async(group: group) {
      var rest = Data()
      while true {
        let data = handle.availableData
        guard !data.isEmpty else { break }
        rest += data
        while let end = rest.firstIndex(of: 0x0A) {
          line(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      if !rest.isEmpty { line(String(decoding: rest, as: UTF8.self)) }
    }
  }
}

/// A line of `--progress json`.
struct ProgressEvent: Decodable, Sendable {
  var event: String
  /// Empty for batch events, which have no job.
  var job: String { jobID ?? "" }
  var stage: String?
  var fraction: Double?
  var uploadFraction: Double?
  var detail: String?
  private var jobID: String?

  enum CodingKeys: String, CodingKey {
    case event, stage, fraction, uploadFraction, detail
    case jobID = "job"
  }

  init?(line: String) {
    guard line.hasPrefix("{"), let event = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = event
  }
}

/// The program that was built with these tests.
enum BuiltProgram {
  struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  /// A program next to the test bundle; `BSC_BINARY` replaces bsc.
  static func path(of program: String = "bsc") throws -> String {
    if program == "bsc", let path = ProcessInfo.processInfo.environment["BSC_BINARY"] { return path }
    // On Linux, the test bundle is the running program; on Darwin, a helper loads it.
    #if canImport(Darwin)
    let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
    #else
    let bundles: [String] = []
    #endif
    let candidates = ([CommandLine.arguments[0], Bundle.main.bundlePath + "/bsc"] + bundles).map {
      ($0 as NSString).deletingLastPathComponent + "/\(program)"
    }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Missing(description: "no built \(program) at \(candidates.joined(separator: ", ")); set BSC_BINARY")
    }
    return path
  }
}
