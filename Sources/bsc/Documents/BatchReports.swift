import DurableFiles
import Foundation
import Reports
import ShareEngine

/// The kinds of batch reports.
enum BatchReportKind: String, ReportFileKind {
  /// A JSON Lines file with one record per line.
  case jsonl
  /// A web page that doesn't need external files.
  case html

  static let extensions = ["html": html, "htm": html, "jsonl": jsonl]
}

typealias BatchReportFile = ReportFile<BatchReportKind>

/// The reports of a batch, which are written when the batch has ended.
struct BatchReports {
  var files: [BatchReportFile]

  /// - Throws: `CommandFailure` if a report would overwrite an input or another file.
  func validateTargets(inputs: [String]) throws {
    try BatchReportFile.validateTargets(files, inputs: inputs.map(absolutePath), canReplace: Self.isReport)
  }

  /// Returns whether the existing file is a report from an earlier run.
  private static func isReport(_ file: BatchReportFile) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: file.path) else { return false }
    defer { try? handle.close() }
    let bytes = (try? handle.read(upToCount: 1 << 20)) ?? Data()
    guard !bytes.isEmpty else { return true }
    return switch file.kind {
    case .jsonl:
      bytes.prefix { $0 != UInt8(ascii: "\n") }.range(of: Data(#""schema":"bsc.batch/1""#.utf8)) != nil
    case .html: bytes.range(of: Data(BatchPage.marker.utf8)) != nil
    }
  }

  /// Writes all requested reports.
  /// - Parameter all: the records with the absolute paths of their results.
  func write(_ all: [(record: BatchRecord, output: String?)], seconds: Double) async throws {
    for file in files {
      let text =
        switch file.kind {
        case .jsonl: try all.map { try JSONText.encodeLine($0.record) }.joined()
        case .html: try await BatchPage.renderHTML(all, seconds: seconds)
        }
      try DurableFile.write(Array(text.utf8), to: file.path)
    }
  }
}
