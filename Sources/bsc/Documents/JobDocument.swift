import ClipModel
import Foundation
import Reports
import ShareEngine

/// A job as a row, and as all that is known of it.
struct JobDocument: Encodable {
  var schema = "bsc.job/1"
  var id: String
  var state: String
  var backend: String
  var source: String
  /// Unix seconds.
  var createdAt: Int64
  var updatedAt: Int64
  var highlightID: String
  /// Which clip of a post of several it is: `part` from 0, and `count`.
  var post: PostPlace?
  var caption: String?
  /// Bytes of its files on disk: the processed clip and its pictures.
  var diskByteCount: Int64
  /// Of the upload, once it began.
  var byteCount: Int64?
  var confirmedByteCount: Int64?
  /// Unix seconds after which the upload begins anew.
  var expiresAt: Int64?
  /// Uploads that were lost before this one.
  var attempt: Int
  /// Why it is not further, and when it goes on by itself.
  var setback: Setback?
  /// The process that works on it now.
  var process: Int32?
  /// Why it was refused.
  var findings: [Finding]?

  private enum CodingKeys: CodingKey {
    case schema, id, state, backend, source, createdAt, updatedAt, highlightID, post, caption, diskByteCount, byteCount,
      confirmedByteCount, expiresAt, attempt, setback, process, findings
  }

  init(_ job: ShareJob, registry: JobRegistry) {
    // Registered, and its result not told: resume tells it.
    isOver = job.stage.isFinal && !registry.isWaiting(job)
    id = job.id.uuidString.lowercased()
    state = job.stage.name
    backend = job.backend
    source = job.source.path
    createdAt = job.createdAt
    updatedAt = job.updatedAt
    highlightID = job.highlightID.uuidString.lowercased()
    post = job.post
    caption = job.request.caption
    attempt = job.attempt
    setback = job.setback
    process = registry.holder(of: job.id)
    diskByteCount = registry.diskUse(of: job.id)
    switch job.stage {
    case .uploading(_, let session):
      byteCount = session.byteCount
      confirmedByteCount = session.confirmedOffset
      expiresAt = session.expiresAt
    case .uploaded(_, let receipt): (byteCount, confirmedByteCount) = (receipt.byteCount, receipt.byteCount)
    case .processed(let clip): byteCount = clip.byteCount
    case .rejected(let findings): self.findings = findings
    case .queued, .probed, .planned, .registered, .cancelled: break
    }
  }

  /// `uploading 45 %`.
  private var progress: String {
    guard let byteCount, let confirmedByteCount, byteCount > 0, state == "uploading" else { return state }
    return "\(state) \(Int(Double(confirmedByteCount) / Double(byteCount) * 100)) %"
  }

  /// Over, whatever came of it.
  private let isOver: Bool

  /// When it goes on: `in 12 s`, `now`, or what to run.
  private var next: String {
    if isOver { return "-" }
    if let retryAt = setback?.retryAt {
      let seconds = retryAt - Int64(Date().timeIntervalSince1970)
      if seconds > 0 { return "in \(seconds) s" }
    }
    return process == nil ? "bsc resume" : "now"
  }

  static let heading =
    "job".padded(10) + "backend".padded(10) + "state".padded(17) + "touched".padded(10) + "next try".padded(12)
    + "on disk".padded(10) + "clip"

  /// Columns: the beginning of the id, backend, state, time since it was touched, next try, size on disk, clip.
  var line: StyledText {
    let size = diskByteCount > 0 ? ByteCount.text(diskByteCount) : "-"
    return "\(id.prefix(8), .strong)  \(backend.padded(10))\(progress.padded(17), tone)"
      + "\(Self.age(since: updatedAt).padded(10))\(next.padded(12))\(size.padded(10))"
      + .whole(shownPath(source).onOneLine)
  }

  /// Of its state.
  private var tone: StyledText.Tone? {
    findings != nil ? .bad : state == "cancelled" ? .faint : isOver ? .good : setback != nil ? .doubtful : nil
  }

  /// - Parameter settings: the backend that they name.
  func details(settingsOf settings: String) -> [StyledText] {
    var lines: [StyledText] = ["\(id, .strong)"]
    func add(_ label: String, _ value: String, _ tone: StyledText.Tone? = nil) {
      lines.append(.fact(label, StyledText(value.onOneLine, tone)))
    }
    add("state", progress, tone)
    lines.append(.fact("clip", .whole(source.onOneLine)))
    add("made", "\(Self.date(createdAt)), last touched \(Self.age(since: updatedAt)) ago")
    add("backend", "\(backend), highlight \(highlightID)")
    if let post { add("post", "clip \(post.part + 1) of \(post.count), which are one highlight") }
    if let caption { add("caption", caption) }
    if let byteCount {
      let confirmed = confirmedByteCount.map { "\(ByteCount.text($0)) confirmed of " } ?? ""
      let lost = attempt > 0 ? ", \(attempt.counting("upload")) lost before" : ""
      let end = expiresAt.map { $0 > 0 ? ", its URL is good until \(Self.date($0))" : "" } ?? ""
      add("upload", confirmed + ByteCount.text(byteCount) + lost + end)
    }
    if diskByteCount > 0 { add("on disk", ByteCount.text(diskByteCount)) }
    for finding in findings ?? [] where finding.severity == .error { add("refused", finding.message) }
    if let setback { add("stopped", "\(setback.reason) (\(Self.age(since: setback.at)) ago)") }
    if let process, !isOver { add("worked on", "by process \(process)") }
    let command = (backend == settings ? "" : "BSC_BACKEND=\(backend) ") + "bsc resume \(id.prefix(8))"
    if !isOver { add("next", next == "bsc resume" || backend != settings ? command : next) }
    return lines
  }

  private static func date(_ seconds: Int64) -> String {
    LocalTime.text(Date(timeIntervalSince1970: Double(seconds)))
  }

  /// `3 min`, `2 days`: how long ago.
  static func age(since seconds: Int64, now: Date = Date()) -> String {
    let age = max(0, Int(now.timeIntervalSince1970) - Int(clamping: seconds))
    switch age {
    case ..<60: return "\(age) s"
    case ..<3600: return "\(age / 60) min"
    case ..<86_400: return "\(age / 3600) h"
    default: return (age / 86_400).counting("day")
    }
  }
}
