import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// `bsc batch`: what belongs to whole batches.
struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Put the parts of a batch together, or take a batch back.",
    subcommands: [BatchMerge.self, BatchUndo.self])
}

struct BatchMerge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "One report of the parts of a batch that several machines worked on.",
    discussion: """
      EXAMPLES:
        bsc batch merge small/ --report html=season.html     what the ledgers of small/ know
        bsc batch merge part-0.jsonl part-1.jsonl --report jsonl=season.jsonl

      Exit codes: 0 every file went through, else as the batch itself would have ended.
      """)

  @Argument(help: "Output folders of a batch, or reports that it wrote (jsonl).", completion: .file())
  var sources: [String]

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("jsonl=FILE or html=FILE; may be repeated.", valueName: "kind=file"),
    transform: BatchReportFile.read)
  var reports: [BatchReportFile] = []

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func run() async throws {
    let writers = BatchReports(files: reports)
    try writers.check(against: sources)
    let all = try BatchParts.merged(sources)
    let records = all.map(\.record)
    let seconds = records.reduce(0) { $0 + $1.seconds }
    try await writers.write(records, outputs: all.map(\.output), seconds: seconds)
    if reporting.json {
      for record in records { Console.writeJSON(record) }
    } else {
      Console.write(BatchText.summary(records, seconds: nil))
    }
    try ExitStatusError.end(with: ExitStatus.code(forAll: records.compactMap(\.failure)))
  }
}
