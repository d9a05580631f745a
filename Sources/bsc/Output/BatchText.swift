import ClipModel
import Foundation
import Reports
import ShareEngine

/// A batch in words.
enum BatchText {
  /// `38 done, 2 kept, 1 failed`
  static func outcome(_ totals: BatchTotals) -> String {
    let parts = BatchRecord.Status.allCases.filter { totals.count($0) > 0 }.map { "\(totals.count($0)) \($0.rawValue)" }
    return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
  }

  /// What was saved, in a few words; `nil` when nothing was made.
  static func saved(_ totals: BatchTotals) -> String? {
    guard totals.sourceByteCount > 0 else { return nil }
    let difference = totals.sourceByteCount - totals.byteCount
    let sizes = "\(ByteCount.text(totals.sourceByteCount)) became \(ByteCount.text(totals.byteCount))"
    guard difference > 0 else { return sizes }
    let percent = Int((Double(difference) / Double(totals.sourceByteCount) * 100).rounded())
    return "\(sizes): \(ByteCount.text(difference)) saved (\(percent) %)"
  }

  /// `38 s`, `4 min 10 s`, `3 h 12 min`.
  static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole < 60 { return seconds < 9.95 ? "\(decimal((seconds * 10).rounded() / 10)) s" : "\(whole) s" }
    return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// The end of a batch: what became of all, and each file that needs a look.
  /// - Parameters:
  ///   - seconds: of the run; `nil` where several were put together.
  ///   - areTold: what went wrong now stands above already, and of a few files it is still to be seen.
  static func summary(_ records: [BatchRecord], seconds: Double?, areTold: Bool = false) -> StyledText {
    var totals = BatchTotals()
    for record in records { totals.add(record) }
    let sums = outcome(totals) + (seconds.map { " in \(time($0))" } ?? "") + (saved(totals).map { "; \($0)" } ?? "")
    var lines = [StyledText(sums, .strong)]
    let isSeen = areTold && records.count <= fewFiles
    let bad = records.filter { $0.failure != nil && !(isSeen && $0.isOld != true) }
    let width = min(bad.map { TextColumns.count($0.file) }.max() ?? 0, 40)
    for record in bad.prefix(20) {
      let file = TextColumns.count(record.file) > width ? record.file : TextColumns.fitted(record.file, width)
      lines.append("  \(record.status.rawValue.padded(8), .bad) \(file.onOneLine)  \(reason(record))")
    }
    if bad.count > 20 { lines.append("  and \(bad.count - 20) more: --report jsonl=FILE has all of them") }
    if bad.contains(where: { $0.isOld == true }) {
      lines.append("\("next:", .faint) --retry-failed tries again what failed in an earlier run")
    }
    return lines.lines
  }

  /// What scrolls nothing away.
  private static let fewFiles = 10

  /// Of a file that failed in an earlier run, and was not tried again.
  static func explanation(ofOld record: BatchRecord) -> Explanation {
    CommandFailure(
      .failedBefore, ["file": record.file, "reason": reason(record)], category: record.failure
    ).explanation
  }

  static func reason(_ record: BatchRecord) -> String {
    record.error?.why ?? record.findings.first { $0.severity == .error }?.message ?? ""
  }
}
