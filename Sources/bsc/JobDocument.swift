import ClipModel
import Foundation
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
  /// Why it was refused.
  var findings: [Finding]?

  init(_ job: ShareJob, desk: JobDesk) {
    id = job.id.uuidString.lowercased()
    state = job.stage.name
    backend = job.backend
    source = job.source.path
    createdAt = job.createdAt
    updatedAt = job.updatedAt
    highlightID = job.highlightID.uuidString.lowercased()
    caption = job.request.caption
    attempt = job.attempt
    diskByteCount = desk.diskUse(of: job.id)
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

  /// Columns: the beginning of the id, state, age, size on disk, clip.
  var line: String {
    let size = diskByteCount > 0 ? ByteCount.text(diskByteCount) : "-"
    return "\(id.prefix(8))  \(progress.padded(16))\(Self.age(since: updatedAt).padded(12))\(size.padded(9)) \(source)"
  }

  var details: [String] {
    var lines = [
      "\(id)", "  state      \(progress)", "  clip       \(source)",
      "  made       \(Self.date(createdAt)), last touched \(Self.age(since: updatedAt)) ago",
      "  backend    \(backend), highlight \(highlightID)",
    ]
    if let caption { lines.append("  caption    \(caption)") }
    if let byteCount {
      lines.append(
        "  upload     \(confirmedByteCount.map { "\(ByteCount.text($0)) of " } ?? "")\(ByteCount.text(byteCount))"
          + (attempt > 0 ? ", \(attempt.counting("upload")) lost before" : "")
          + (expiresAt.map { $0 > 0 ? ", its URL is good until \(Self.date($0))" : "" } ?? ""))
    }
    if diskByteCount > 0 { lines.append("  on disk    \(ByteCount.text(diskByteCount))") }
    lines += (findings ?? []).filter { $0.severity == .error }.map { "  refused    \($0.message)" }
    if !["registered", "rejected", "cancelled"].contains(state) {
      lines.append("  next       bsc resume \(id.prefix(8))")
    }
    return lines
  }

  private static func date(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
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
