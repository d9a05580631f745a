import Foundation
import Synchronization

/// One run of the built program, as a shell would start it.
///
/// Its streams are read as they come; a run that is not over at its deadline is killed and says so.
final class BSCProcess: Sendable {
  /// Called on the thread that reads stderr, before the next line is read: a signal sent here is sent at that event.
  typealias Reaction = @Sendable (_ event: ProgressEvent, _ process: BSCProcess) -> Void

  /// How a run ended.
  struct Outcome: Sendable, CustomStringConvertible {
    var arguments: [String] = []
    /// What a shell says: the exit code, or 128 and the signal that ended it.
    var status: Int32 = 0
    var wasKilled = false
    var isOverdue = false
    var output = ""
    var errors = ""

    /// Everything, for a test that fails.
    var description: String {
      "bsc \(arguments.joined(separator: " ")): status \(status)\(isOverdue ? ", overdue" : "")\n\(output)\(errors)"
    }
  }

  /// Events of `--progress json`; ends with the process.
  let events: AsyncStream<ProgressEvent>
  /// Lines of stdout; ends with the process.
  let outputLines: AsyncStream<String>

  private let process = Process()
  private let state = Mutex(State())

  private struct State {
    var outcome = Outcome()
    var isOver = false
    var waiters: [CheckedContinuation<Outcome, Never>] = []
  }

  /// Only a process that hangs takes so long, whatever else the machine does.
  private static let deadlineSeconds = 900.0

  /// - Parameters:
  ///   - program: one that was built with these tests.
  ///   - input: what it reads on stdin, no more than a pipe holds; `nil` for nothing.
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

  /// Does nothing once the process is over.
  func send(_ signal: Int32) {
    guard !state.withLock({ $0.isOver }) else { return }
    kill(identifier, signal)
  }

  /// Whether its end and all of its output were seen.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// What it has written on stderr until now.
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

  /// The first event that fits; `nil` when the process ended without it.
  func event(where fits: (ProgressEvent) -> Bool) async -> ProgressEvent? {
    for await event in events where fits(event) { return event }
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

  /// Reads on a thread of its own, so that a reaction comes at once.
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
  /// Empty in a batch, which has no jobs.
  var job: String { jobID ?? "" }
  var stage: String?
  var fraction: Double?
  var detail: String?
  private var jobID: String?

  enum CodingKeys: String, CodingKey {
    case event, stage, fraction, detail
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

  /// Beside the test bundle; `BSC_BINARY` names another bsc.
  static func path(of program: String = "bsc") throws -> String {
    if program == "bsc", let path = ProcessInfo.processInfo.environment["BSC_BINARY"] { return path }
    // On Linux the test bundle is the program that runs; on Darwin a helper has loaded it.
    #if canImport(Darwin)
      let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
    #else
      let bundles: [String] = []
    #endif
    let places = ([CommandLine.arguments[0], Bundle.main.bundlePath + "/bsc"] + bundles).map {
      ($0 as NSString).deletingLastPathComponent + "/\(program)"
    }
    guard let path = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Missing(description: "no built \(program) at \(places.joined(separator: ", ")); set BSC_BINARY")
    }
    return path
  }
}
