import ArgumentParser
import ClipModel
import DurableFiles
import Reports

extension ReportKind: ExpressibleByArgument {}

extension ReportKind: ReportFileKind {
  static var extensions: [String: ReportKind] {
    ["xml": .junit, "sarif": .sarif, "tap": .tap, "jsonl": .jsonl, "json": .json, "txt": .text]
  }
}

/// The reports of one run. Reports on stdout are written during the run, and reports in files at the end.
struct ReportWriters {
  private var shown: [any ValidationReport]
  private var stored: [(path: String, report: any ValidationReport, text: String)]

  init(kinds: [ReportKind], files: [ReportFile<ReportKind>], terms: ReportOptions) {
    var shownTerms = terms
    shownTerms.width = Console.isOutputTerminal ? Console.outputSize.columns : nil
    shownTerms.isColored = Console.isOutputColored
    shown = kinds.map { $0.makeReport(shownTerms, text: TextReport.init) }
    stored = files.map { ($0.path, $0.kind.makeReport(terms, text: TextReport.init), "") }
  }

  mutating func add(_ result: ValidationResult) throws {
    for index in shown.indices { Console.writeRawText(try shown[index].add(result)) }
    for index in stored.indices { stored[index].text += try stored[index].report.add(result) }
  }

  mutating func end() throws {
    for index in shown.indices { Console.writeRawText(try shown[index].finish()) }
    for index in stored.indices {
      stored[index].text += try stored[index].report.finish()
      try DurableFile.write(Array(stored[index].text.utf8), to: stored[index].path)
    }
  }
}
