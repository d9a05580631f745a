import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

/// One file's end, on the streams.
struct CompressResult {
  var record: BatchRecord
  /// As the user named it.
  var output: String
  var input: String

  func show(_ reporting: OutputOptions, isAlone: Bool) {
    if let error = record.error {
      // What failed in an earlier run was told then; the summary names it again.
      if record.isOld == true, !reporting.json { return }
      let named = error.namingOutput(output, absolutePath: absolutePath(output))
      return ErrorOutput.write(named, subject: input, asJSON: reporting.json)
    }
    if record.status == .refused {
      if record.isOld == true, !reporting.json { return }
      Console.writeError(FindingText.rejection(of: input, to: "compress", record.findings))
      guard reporting.json, let finding = record.findings.first(where: { $0.severity == .error }) else { return }
      let error = CommandFailure(
        .refusedByRule, ["file": input, "message": finding.message, "rule": finding.rule, "advice": finding.next]
      ).explanation
      return Console.writeJSON(
        FailureDocument(input: input, error: error, exitCode: ExitStatus.code(for: .rejected)))
    }
    if reporting.json { return Console.writeJSON(CompressDocument(record, file: input, output: output)) }
    // Thousands of files that were done yesterday are a number in the summary.
    guard !reporting.quiet, record.status != .kept || isAlone else { return }
    Console.write(lines(isAlone: isAlone).lines)
  }

  private func lines(isAlone: Bool) -> [StyledText] {
    let (before, after) = (record.sourceByteCount ?? 0, record.byteCount ?? 0)
    let share = before > 0 ? Int((Double(after) / Double(before) * 100).rounded()) : 100
    var lines: [StyledText] = [
      "\("✓", .good) \(whole: output.onOneLine, .strong), \(ByteCount.text(after)) of \(ByteCount.text(before)) (\(share) %)"
    ]
    if record.status == .kept { lines[0] += ", made by an earlier run" }
    if isAlone { lines += record.decisions.map { "  \($0.what)" } }
    lines += record.notes.map { "  \("note:", .faint) \($0)" }
    let folder = (output as NSString).deletingLastPathComponent
    lines += record.pictures.flatMap { picture in
      let name = (picture.path as NSString).lastPathComponent
      return PictureText.lines(picture, name: folder.isEmpty ? name : "\(folder)/\(name)")
    }
    return lines
  }
}

struct CompressDocument: Encodable {
  var schema = "bsc.compress/1"
  var file: String
  var output: String
  /// `done`, `kept` or `copied`.
  var status: BatchRecord.Status
  var sourceByteCount: Int64
  var byteCount: Int64
  /// Of the output, lower-case hexadecimal.
  var sha256: String
  /// Where the source is that was replaced, relative to the folder that was compressed.
  var original: String?
  var decisions: [ProcessingPlan.Decision]
  var removed: [String]
  var pictures: [RenderedPicture]
  var notes: [String]
  var findings: [Finding]
  /// Wall clock of the whole.
  var seconds: Double

  init(_ record: BatchRecord, file: String, output: String) {
    self.file = file
    self.output = output
    status = record.status
    sourceByteCount = record.sourceByteCount ?? 0
    byteCount = record.byteCount ?? 0
    sha256 = record.sha256 ?? ""
    original = record.original
    decisions = record.decisions
    removed = record.removed
    pictures = record.pictures
    notes = record.notes
    findings = record.findings
    seconds = record.seconds
  }
}
