import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

/// The result of compressing one file.
struct CompressResult {
  var record: BatchRecord
  /// The output path as the user entered it.
  var output: String
  /// The input path as the user entered it.
  var input: String

  func showResult(_ reporting: OutputOptions, isSingleFile: Bool) {
    // The summary lists failures from earlier runs, so they aren't printed here.
    if record.failure != nil, record.isOld == true, !reporting.json { return }
    if let error = record.error {
      let named = error.replacingPath(output, absolutePath: absolutePath(output), fact: "output")
      return ErrorOutput.write(named, subject: input, asJSON: reporting.json)
    }
    if record.status == .refused {
      Console.writeError(FindingText.formatRejection(of: input, to: "compress", record.findings))
      guard reporting.json, let finding = record.findings.first(where: { $0.severity == .error }) else { return }
      let error = CommandFailure(
        .refusedByRule,
        [
          "file": input, "message": finding.message, "rule": finding.rule,
          "advice": FindingAdvice.nextStep(for: finding, clip: quoteForShell(input)),
        ])
      return Console.writeJSON(
        FailureDocument(input: input, error: error.explanation, exitCode: ExitStatus.exitCode(for: .rejected)))
    }
    if reporting.json { return Console.writeJSON(CompressDocument(record, file: input, output: output)) }
    // The summary counts results from earlier runs, so they aren't listed here.
    guard !reporting.quiet, record.status != .kept || isSingleFile else { return }
    Console.write(formatLines(isSingleFile: isSingleFile).lines)
  }

  private func formatLines(isSingleFile: Bool) -> [StyledText] {
    let (before, after) = (record.sourceByteCount ?? 0, record.byteCount ?? 0)
    let share = before > 0 ? BatchText.percentage(after, of: before) : 100
    var lines: [StyledText] = [
      "\("✓", .good) \(whole: output.onOneLine, .strong), \(ByteCount.text(after)) of \(ByteCount.text(before)) (\(share) %)"
    ]
    if record.status == .kept { lines[0] += ", compressed in an earlier run" }
    if isSingleFile { lines += record.decisions.map { "  \($0.what)" } }
    lines += record.notes.map { "  \("note:", .faint) \($0)" }
    lines += record.pictures.flatMap { PictureText.formatLines($0, besides: output) }
    return lines
  }
}

/// A batch record as a command's result, with paths as the user entered them and without failure details.
struct CompressDocument: Encodable {
  var schema = "bsc.compress/1"
  var file: String
  var output: String
  /// The status: `done`, `kept` or `copied`.
  var status: BatchRecord.Status
  var sourceByteCount: Int64
  var byteCount: Int64
  /// The output's SHA-256 in lowercase hexadecimal digits.
  var sha256: String
  /// The path of the replaced source, relative to the folder that was compressed.
  var original: String?
  var decisions: [ProcessingPlan.Decision]
  var removed: [String]
  var pictures: [RenderedPicture]
  var notes: [String]
  var findings: [Finding]
  /// The elapsed time in seconds.
  var seconds: Double

  init(_ record: BatchRecord, file: String, output: String) {
    (self.file, self.output, status) = (file, output, record.status)
    (sourceByteCount, byteCount) = (record.sourceByteCount ?? 0, record.byteCount ?? 0)
    (sha256, original) = (record.sha256 ?? "", record.original)
    (decisions, removed, pictures) = (record.decisions, record.removed, record.pictures)
    (notes, findings, seconds) = (record.notes, record.findings, record.seconds)
  }
}
