import ClipModel
import Foundation
import Reports
import ShareEngine

extension JobSummary {
  /// The job's state with its progress, for example `encoding 35 %` or `uploading 45 %`.
  private var progress: String {
    if let encoding { return "encoding \(Int(encoding.fraction * 100)) %" }
    guard state == "uploading", let byteCount, let confirmedByteCount, byteCount > 0 else { return state }
    return "\(state) \(Int(Double(confirmedByteCount) / Double(byteCount) * 100)) %"
  }

  /// When the job continues: `in 12 s` or `now`; `nil` if a command has to continue it.
  private var nextTry: String? { secondsToRetry.map { "in \($0) s" } ?? process.map { _ in "now" } }

  private var tone: StyledText.Tone? {
    findings != nil ? .bad : state == "cancelled" ? .faint : isDone ? .good : setback != nil ? .doubtful : nil
  }

  static let heading =
    "job".padded(10) + "backend".padded(10) + "state".padded(17) + "changed".padded(10) + "next try".padded(12)
    + "on disk".padded(10) + "clip"

  /// The job's row in a table with the columns of `heading`.
  var line: StyledText {
    let next = isDone ? "-" : nextTry ?? "bsc resume"
    let size = diskByteCount > 0 ? ByteCount.text(diskByteCount) : "-"
    return "\(id.prefix(8), .strong)  \(backend.padded(10))\(progress.padded(17), tone)"
      + "\(Self.formatAge(since: updatedAt).padded(10))\(next.padded(12))\(size.padded(10))"
      + .unbrokenText(displayPath(source).onOneLine)
  }

  /// - Parameter currentBackend: the backend that the settings select.
  func formatDetails(currentBackend: String) -> [StyledText] {
    var lines: [StyledText] = ["\(id, .strong)"]
    func addFact(_ label: String, _ value: String, _ tone: StyledText.Tone? = nil) {
      lines.append(.labeledLine(label, StyledText(value.onOneLine, tone)))
    }
    addFact("state", progress, tone)
    lines.append(.labeledLine("clip", .unbrokenText(source.onOneLine)))
    addFact("created", "\(Self.formatDate(createdAt)), last changed \(Self.formatAge(since: updatedAt)) ago")
    addFact("backend", "\(backend), highlight \(highlightID)")
    if let post { addFact("part", "clip \(post.part + 1) of \(post.count) in the same highlight") }
    if let caption { addFact("caption", caption) }
    if let encoding { addFact("encoded", encoding.text) }
    if let byteCount {
      let confirmed = confirmedByteCount.map { "\(ByteCount.text($0)) acknowledged of " } ?? ""
      let lost = attempt > 0 ? ", after \(attempt.withNoun("lost upload"))" : ""
      let end = expiresAt.map { $0 > 0 ? ", the upload URL expires \(Self.formatDate($0))" : "" } ?? ""
      addFact("upload", confirmed + ByteCount.text(byteCount) + lost + end)
    }
    if let unsentLinkCount { addFact("links", "\(unsentLinkCount.withNoun("link")) to coaches not sent yet") }
    if diskByteCount > 0 { addFact("on disk", ByteCount.text(diskByteCount)) }
    for finding in findings ?? [] where finding.severity == .error { addFact("rejected", finding.message) }
    if let setback { addFact("stopped", "\(setback.reason) (\(Self.formatAge(since: setback.at)) ago)") }
    guard !isDone else { return lines }
    if let process { addFact("used by", "process \(process)") }
    let command = "bsc resume \(id.prefix(8))"
    addFact("next", backend == currentBackend ? nextTry ?? command : "BSC_BACKEND=\(backend) \(command)")
    return lines
  }

  private static func formatDate(_ seconds: Int64) -> String {
    LocalTime.format(Date(timeIntervalSince1970: Double(seconds)))
  }

  /// Formats the time since `seconds`, for example `3 min` or `2 days`.
  static func formatAge(since seconds: Int64, now: Date = Date()) -> String {
    let age = max(0, Int(now.timeIntervalSince1970) - Int(clamping: seconds))
    return switch age {
    case ..<60: "\(age) s"
    case ..<3600: "\(age / 60) min"
    case ..<86_400: "\(age / 3600) h"
    default: (age / 86_400).withNoun("day")
    }
  }
}
