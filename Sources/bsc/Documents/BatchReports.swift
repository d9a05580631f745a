import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Mustache
import Reports
import ShareEngine

/// `html=report.html` on the command line.
struct BatchReportFile {
  enum Kind: String, CaseIterable {
    /// A record in each line.
    case jsonl
    /// One page that needs nothing else.
    case html
  }

  var kind: Kind
  var path: String

  /// - Throws: `ArgumentFault`.
  static func read(_ text: String) throws -> BatchReportFile {
    let (kind, path) = try ReportArgument.read(text, endings: ["html": Kind.html, "htm": .html, "jsonl": .jsonl])
    return BatchReportFile(kind: kind, path: absolutePath(path))
  }
}

/// The reports of a batch, each in its file once all is done.
struct BatchReports {
  var files: [BatchReportFile]

  /// A report takes no clip's place, and no other report's.
  func check(against paths: [String]) throws {
    let taken = Set(paths.map(absolutePath))
    var seen: Set<String> = []
    for file in files {
      var why: String?
      if taken.contains(file.path) { why = "it is a clip of this batch" }
      if !seen.insert(file.path).inserted { why = "another report goes there" }
      if FileManager.default.fileExists(atPath: file.path), !isReport(file) {
        why = "another file is there, and no report of bsc"
      }
      let folder = (file.path as NSString).deletingLastPathComponent
      if !FileManager.default.fileExists(atPath: folder) { why = "there is no folder \(folder)" }
      if let why {
        throw CommandFailure(.report, ["report": file.path, "reason": why])
      }
    }
  }

  /// Whether an earlier run may have written what is there: only that is replaced.
  private func isReport(_ file: BatchReportFile) -> Bool {
    guard (try? FileManager.default.attributesOfItem(atPath: file.path)[.type]) as? FileAttributeType == .typeRegular,
      let handle = FileHandle(forReadingAtPath: file.path)
    else { return false }
    defer { try? handle.close() }
    let bytes = (try? handle.read(upToCount: 1 << 20)) ?? Data()
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return switch file.kind {
    case .jsonl: bytes.isEmpty || line.range(of: Data(#""schema":"bsc.batch/1""#.utf8)) != nil
    case .html: bytes.isEmpty || bytes.range(of: Data(BatchPage.mark.utf8)) != nil
    }
  }

  /// - Parameter outputs: absolute paths of the results, in the order of the records.
  func write(_ records: [BatchRecord], outputs: [String?], seconds: Double) async throws {
    for file in files {
      switch file.kind {
      case .jsonl:
        let text = try records.map(JSONText.line).joined()
        try DurableFile.write(Array(text.utf8), to: file.path)
      case .html:
        let page = try await BatchPage(records, outputs: outputs, seconds: seconds).html()
        try DurableFile.write(Array(page.utf8), to: file.path)
      }
    }
  }
}
