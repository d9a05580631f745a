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
    var order: [String] = []
    var merged: [String: (record: BatchRecord, output: String?)] = [:]
    for source in sources {
      for (record, output) in try Self.records(source) {
        guard let known = merged[record.file] else {
          order.append(record.file)
          merged[record.file] = (record, output)
          continue
        }
        // Whoever has it done knows more than whoever failed.
        if known.record.failure != nil || record.failure == nil { merged[record.file] = (record, output) }
      }
    }
    let all = order.compactMap { merged[$0] }
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

  /// With the paths of results that are there.
  private static func records(_ source: String) throws -> [(BatchRecord, output: String?)] {
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue {
      guard Ledger.marksResults(source) else {
        throw CommandFailure(.notBatchFolder, ["file": source])
      }
      return try Ledger.records(in: absolutePath(source)).map { record in
        (record, record.output.map { absolutePath(source) + "/" + $0 })
      }
    }
    let bytes = try DurableFile.read(source, limit: 1 << 30)
    return try bytes.split(separator: UInt8(ascii: "\n")).enumerated().map { number, line in
      if let record = try? JSONDecoder().decode(BatchRecord.self, from: line), record.isPlausible {
        return (record, nil)
      } else {
        throw CommandFailure(.notBatchReport, ["file": source, "line": "\(number + 1)"])
      }
    }
  }
}
