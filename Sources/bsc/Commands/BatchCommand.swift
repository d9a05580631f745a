import ArgumentParser
import ClipModel
import ShareEngine

struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Merge batch reports, or undo replacements",
    subcommands: [BatchMerge.self, BatchUndo.self])
}

struct BatchMerge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the parts of a batch into one report",
    discussion: """
      EXAMPLES:
        bsc batch merge small/ --report html=season.html   merges the parts in small/
        bsc batch merge part-0.jsonl part-1.jsonl --report jsonl=season.jsonl

      Exit codes: 0 all files succeeded; otherwise the batch's exit code.
      """)

  @Argument(help: "The batch's output folders or JSONL reports.", completion: .file())
  var sources: [String]

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report: jsonl=FILE or html=FILE; repeat the option to write both.", valueName: "kind=file"),
    transform: BatchReportFile.parse)
  var reports: [BatchReportFile] = []

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func run() async throws {
    let writers = BatchReports(files: reports)
    try writers.validateTargets(inputs: sources)
    let all = try BatchRecordMerge.mergeRecords(sources)
    let records = all.map(\.record)
    try await writers.write(all, seconds: records.reduce(0) { $0 + $1.seconds })
    if reporting.json {
      for record in records { Console.writeJSON(record) }
    } else {
      Console.write(BatchText.makeSummary(records, seconds: nil))
    }
    try ExitStatusError.throwIfFailed(with: FailureCategory.worstCategory(of: records.compactMap(\.failure)))
  }
}
