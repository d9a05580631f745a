import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// Options for commands that process folders of clips.
struct BatchFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp("In folders, process only files that match this pattern. Can be repeated.", valueName: "glob"))
  var include: [String] = []

  @Option(
    help: ArgumentHelp(
      "In folders, skip files and folders that match this pattern. Can be repeated.", valueName: "glob"))
  var exclude: [String] = []

  @Option(help: "Read additional paths from this file (- for stdin), separated by newlines or null bytes.")
  var filesFrom: String?

  @Option(
    name: .shortAndLong, help: "Maximum number of files to process in parallel. (default: the number of CPU cores)",
    transform: NumericArgument.wholeNumberParser(1...1024))
  var jobs: Int?

  @Option(
    help: "Memory limit, for example 4GiB. (default: three quarters of the machine's memory)",
    transform: ByteLimit.parse)
  var memory: ByteLimit?

  @Option(
    help: ArgumentHelp("Wait while the disk has less free space than this.", valueName: "size"),
    transform: ByteLimit.parse)
  var minFree: ByteLimit?

  @Flag(help: "Retry files that failed in an earlier run.")
  var retryFailed = false

  @Flag(help: "Stop at the first file that fails.")
  var failFast = false

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report: jsonl=FILE or html=FILE; repeat the option to write both.", valueName: "kind=file"),
    transform: BatchReportFile.parse)
  var reports: [BatchReportFile] = []

  @Option(
    help:
      "Process one part of a batch that is split across machines, for example 0/4, or auto/4 in a cluster's array job.")
  var shard: String?

  @Option(
    help: "Start processing files only within this time window, for example 22:00-07:00.", transform: DailyWindow.parse)
  var schedule: DailyWindow?

  @Flag(help: "Keep running, and process new files once they are complete.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "With --watch, wait until a file hasn't changed for this long. (default: 5)", valueName: "seconds"),
    transform: NumericArgument.decimalParser(0...86_400, of: "seconds"))
  var settle = 5.0

  @Flag(help: "Also show progress in the terminal title.")
  var title = false

  @Flag(help: "Run at low priority.")
  var nice = false

  func validate() throws { try Glob.validatePatterns(include + exclude) }

  func makeOptions(force: Bool) -> BatchOptions {
    var options = BatchOptions()
    options.force = force
    options.retriesFailed = retryFailed
    options.failsFast = failFast
    options.window = schedule
    options.minimumFreeByteCount = minFree?.byteCount ?? 0
    let budget = memory?.byteCount ?? Int64(clamping: ProcessInfo.processInfo.physicalMemory / 4 * 3)
    options.jobLimit = min(jobs ?? options.coreCount, max(Int(budget / BatchOptions.jobByteCount), 1))
    return options
  }

  /// Returns the part of the batch that `--shard` selects; `nil` if the option is not set.
  /// - Throws: `ShareEngineError` if there is no such part.
  func parseShard() throws -> Shard? {
    try shard.map { try Shard($0, environment: ProcessInfo.processInfo.environment) }
  }

  /// A note for array job tasks that run without `--shard`.
  var hint: String? {
    guard shard == nil, let task = Shard.findTaskIndex(in: ProcessInfo.processInfo.environment) else { return nil }
    return
      "this is task \(task.number) of an array job (\(task.scheduler)); to process only its part, use --shard auto/N"
  }

  /// Returns the paths listed in the `--files-from` file. Paths must be UTF-8; to process a file whose name isn't
  /// UTF-8, specify its folder.
  func readListedPaths() throws -> [String] {
    guard let filesFrom else { return [] }
    let bytes =
      filesFrom == "-"
      ? FileHandle.standardInput.readDataToEndOfFile() : try DurableFile.read(filesFrom, limit: 256 << 20)
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    return try bytes.split(separator: separator).enumerated().compactMap { number, line in
      let isDOSLine = separator != 0 && line.last == UInt8(ascii: "\r")
      guard let path = String(validating: isDOSLine ? line.dropLast() : line, as: UTF8.self) else {
        throw CommandFailure(.listNotUTF8, ["list": filesFrom, "entry": "\(number + 1)"])
      }
      return path.isEmpty ? nil : path
    }
  }
}

extension Glob {
  /// - Throws: `ValidationError` for an invalid pattern.
  static func validatePatterns(_ patterns: [String]) throws {
    for pattern in patterns where Glob(pattern) == nil {
      throw ValidationError("invalid pattern \(pattern): a bracket or brace is not closed.")
    }
  }
}

extension DailyWindow {
  /// - Throws: `ArgumentFault`.
  fileprivate static func parse(_ text: String) throws -> DailyWindow {
    if let window = DailyWindow(text) { return window }
    throw ArgumentFault(
      value: text, why: "it is not a time window", next: "enter a start time and an end time, as in 22:00-07:00")
  }
}
