import ClipModel
import Foundation
import Reports
import ShareEngine

/// Formats batch results as text.
enum BatchText {
  /// Returns the totals, for example `38 done, 2 kept, 1 failed`.
  static func formatTotals(_ totals: BatchTotals) -> String {
    let parts = BatchRecord.Status.allCases.filter { totals.count($0) > 0 }.map { "\(totals.count($0)) \($0.text)" }
    return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
  }

  /// Returns the total size before and after; `nil` if nothing was compressed.
  static func formatSavings(_ totals: BatchTotals) -> String? {
    guard totals.sourceByteCount > 0 else { return nil }
    let difference = totals.sourceByteCount - totals.byteCount
    let sizes = "\(ByteCount.text(totals.sourceByteCount)) became \(ByteCount.text(totals.byteCount))"
    guard difference > 0 else { return sizes }
    return "\(sizes): \(ByteCount.text(difference)) saved (\(percentage(difference, of: totals.sourceByteCount)) %)"
  }

  /// Returns the rounded percentage; 0 if `whole` is 0.
  static func percentage(_ part: Int64, of whole: Int64) -> Int {
    whole > 0 ? Int((Double(part) / Double(whole) * 100).rounded()) : 0
  }

  /// Formats a duration, for example `38 s`, `4 min 10 s` or `3 h 12 min`.
  static func formatDuration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole < 60 { return seconds < 9.95 ? "\(decimal((seconds * 10).rounded() / 10)) s" : "\(whole) s" }
    return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// Returns the summary of a batch: the totals, and the files that failed.
  /// - Parameters:
  ///   - seconds: the run's duration; `nil` for a merged report.
  ///   - areErrorsShown: whether the errors of this run are already on the screen. If the batch has only a few files,
  ///     these errors aren't repeated.
  static func makeSummary(_ records: [BatchRecord], seconds: Double?, areErrorsShown: Bool = false) -> StyledText {
    let totals = BatchTotals(records)
    let sums =
      formatTotals(totals) + (seconds.map { " in \(formatDuration($0))" } ?? "")
      + (formatSavings(totals).map { "; \($0)" } ?? "")
    let isVisible = areErrorsShown && records.count <= visibleFileCount
    let bad = records.filter { $0.failure != nil && !(isVisible && $0.isOld != true) }
    let width = min(bad.map { TextColumns.count($0.file) }.max() ?? 0, 40)
    var lines = [StyledText(sums, .strong)]
    for record in bad.prefix(20) {
      let file = TextColumns.count(record.file) > width ? record.file : TextColumns.fitName(record.file, width)
      lines.append("  \(record.status.text.padded(8), .bad) \(file.onOneLine)  \(findFailureReason(record))")
    }
    if bad.count > 20 { lines.append("  and \(bad.count - 20) more; --report jsonl=FILE lists all of them") }
    if bad.contains(where: { $0.isOld == true }) {
      lines.append("\("next:", .faint) to retry files that failed in earlier runs, use --retry-failed")
    }
    return lines.lines
  }

  /// The maximum number of files for which the first error is still on the screen at the end.
  private static let visibleFileCount = 10

  /// Returns the error for a file that failed in an earlier run and was not retried.
  static func makeExplanation(ofOld record: BatchRecord) -> Explanation {
    CommandFailure(
      .failedBefore, ["file": record.file, "reason": findFailureReason(record)], category: record.failure
    ).explanation
  }

  static func findFailureReason(_ record: BatchRecord) -> String {
    let reason = record.error?.why ?? record.findings.first { $0.severity == .error }?.message ?? ""
    return reason + (record.encoding.map { "; \($0.continuationText)" } ?? "")
  }
}

extension BatchRecord.Status {
  /// The status as text for the user. Reports store the raw value.
  var text: String { self == .refused ? "rejected" : rawValue }
}

extension BatchTotals {
  init(_ records: [BatchRecord]) {
    self.init()
    for record in records { add(record) }
  }
}
