import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// Flags of commands that work on folders of clips.
struct BatchFlags: ParsableArguments {
  @Option(help: ArgumentHelp("Only files whose name matches, of those in folders; may be repeated.", valueName: "glob"))
  var include: [String] = []

  @Option(help: ArgumentHelp("No files and folders whose name matches; may be repeated.", valueName: "glob"))
  var exclude: [String] = []

  @Option(help: "More paths from a file, one in a line (or behind each other with zero bytes); - for stdin.")
  var filesFrom: String?

  @Option(
    name: .shortAndLong, help: "Files at once at most. (default: as many as the machine has cores)",
    transform: ArgumentNumber.whole(1...1024))
  var jobs: Int?

  @Option(
    help: "Memory that may be used, 4GiB: fewer files at once. (default: three quarters of the machine's)",
    transform: ByteLimit.read)
  var memory: ByteLimit?

  @Option(
    help: ArgumentHelp("Room to leave on the disk; without it the batch waits until there is some.", valueName: "size"),
    transform: ByteLimit.read)
  var minFree: ByteLimit?

  @Flag(help: "Try again what failed in an earlier run.")
  var retryFailed = false

  @Flag(help: "End with the first file that fails.")
  var failFast = false

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "A report besides what is printed: jsonl=FILE or html=FILE; may be repeated.", valueName: "kind=file"),
    transform: BatchReportFile.read)
  var reports: [BatchReportFile] = []

  @Option(help: "Only one part of a batch that is split over machines: 0/4, or auto/4 in a task of an array.")
  var shard: String?

  @Option(help: "Begin files only in this part of the day: 22:00-07:00.", transform: DailyWindow.read)
  var schedule: DailyWindow?

  @Flag(help: "Go on when all is done: what comes into the folders is taken once it has stopped growing.")
  var watch = false

  @Option(
    help: ArgumentHelp("How long a new file must stay as it is, with --watch. (default: 5)", valueName: "seconds"),
    transform: ArgumentNumber.decimal(0...86_400, of: "seconds"))
  var settle = 5.0

  @Flag(help: "Show how far it is in the terminal's title, too.")
  var title = false

  @Flag(help: "Let everybody else on this machine go first.")
  var nice = false

  func validate() throws {
    for pattern in include + exclude where Glob(pattern) == nil {
      throw ValidationError("\(pattern) is no pattern: a bracket or a brace is not closed.")
    }
  }

  func options(force: Bool) -> BatchOptions {
    var options = BatchOptions()
    options.force = force
    options.retriesFailed = retryFailed
    options.failsFast = failFast
    options.window = schedule
    options.leastFreeByteCount = minFree?.byteCount ?? 0
    let budget = memory?.byteCount ?? Int64(clamping: ProcessInfo.processInfo.physicalMemory / 4 * 3)
    options.jobLimit = min(jobs ?? options.coreCount, max(Int(budget / BatchOptions.jobByteCount), 1))
    return options
  }

  /// - Throws: `ShareEngineError` for a part that does not exist.
  func shardOfThis() throws -> Shard? {
    try shard.map { try Shard($0, environment: ProcessInfo.processInfo.environment) }
  }

  /// What a scheduler's number would be good for, when nobody asked for it.
  var hint: String? {
    guard shard == nil, let given = Shard.given(in: ProcessInfo.processInfo.environment) else { return nil }
    return
      "note: this is task \(given.value) of an array (\(given.scheduler)); with --shard auto/N it takes its part alone"
  }

  /// The paths of `--files-from`. Bytes that are no UTF-8 cannot be named there: a folder finds such files.
  func listedPaths() throws -> [String] {
    guard let filesFrom else { return [] }
    let bytes: Data
    if filesFrom == "-" {
      bytes = FileHandle.standardInput.readDataToEndOfFile()
    } else {
      bytes = try DurableFile.read(filesFrom, limit: 256 << 20)
    }
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    return try bytes.split(separator: separator).enumerated().compactMap { number, line in
      guard let text = String(validating: line, as: UTF8.self) else {
        throw CommandFailure(.listNotUTF8, ["list": filesFrom, "entry": "\(number + 1)"])
      }
      let path = separator == 0 ? text : text.trimmingSuffix { $0 == "\r" }
      return path.isEmpty ? nil : path
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isUnwanted: (Character) -> Bool) -> String {
    last.map(isUnwanted) == true ? String(dropLast()) : self
  }
}

extension DailyWindow {
  /// - Throws: `ArgumentFault`.
  fileprivate static func read(_ text: String) throws -> DailyWindow {
    if let window = DailyWindow(text) { return window }
    throw ArgumentFault(value: text, why: "it is no part of a day", next: "give two times of the day, as 22:00-07:00")
  }
}
