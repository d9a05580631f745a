import ClipModel
import Foundation
import Highlights
import ShareEngine

/// What became of a job, for people and as JSON.
struct ShareResult {
  private let job: ShareJob
  private let input: String
  /// Of a job that is registered.
  private let document: ShareDocument?

  init(_ job: ShareJob, input: String, link: BackendLink) async throws {
    self.job = job
    self.input = input
    if case .registered(let highlight, let clip) = job.stage {
      document = try await ShareDocument(job: job, highlight: highlight, clip: clip, input: input, link: link)
    } else {
      document = nil
    }
  }

  /// Why the clip was refused, if it was.
  var refusal: FailureCategory? {
    switch job.stage {
    case .registered, .cancelled: nil
    case .rejected: .rejected
    case .queued, .probed, .planned, .processed, .uploading, .uploaded: .unexpected
    }
  }

  func write(asJSON: Bool) {
    if let document {
      if asJSON { Console.writeJSON(document) } else { Console.write(document.text) }
    } else if case .rejected(let findings) = job.stage {
      if asJSON {
        Console.writeJSON(RejectionDocument(input: input, job: job.id.uuidString.lowercased(), findings: findings))
      }
      Console.writeError(FindingText.rejection(of: input, findings))
    } else if job.stage == .cancelled {
      Console.writeError("\(input): cancelled\n")
    }
  }
}

/// A finished share as JSON.
struct ShareDocument: Encodable {
  var schema = "bsc.share/1"
  var status = "registered"
  var input: String
  var job: String
  var highlight: Highlight
  /// A command that shows it.
  var watch: String
  /// Absolute; the local backend's port may differ the next time.
  var pageURL: String
  var videoURL: String
  var thumbnailURL: String?
  var bytes: Sizes
  var duration: Double?
  var removed: [String]
  var notes: [String]
  private let isReachable: Bool

  private enum CodingKeys: CodingKey {
    case schema, status, input, job, highlight, watch, pageURL, videoURL, thumbnailURL, bytes, duration, removed, notes
  }

  struct Sizes: Encodable {
    var before: Int64
    var after: Int64
  }

  init(job: ShareJob, highlight: Highlight, clip: ProcessedClip, input: String, link: BackendLink) async throws {
    let endpoint = try await link.endpoint()
    let id = highlight.id.uuidString.lowercased()
    self.input = input
    self.job = job.id.uuidString.lowercased()
    self.highlight = highlight
    watch = "bsc serve --open \(id)"
    pageURL = endpoint.resolve("/h/\(id)")
    videoURL = endpoint.resolve("/stream/\(highlight.muxPlaybackID).mp4")
    thumbnailURL = highlight.thumbnailURL.map(endpoint.resolve)
    bytes = Sizes(before: job.source.byteCount, after: clip.byteCount)
    duration = highlight.duration
    removed = clip.removed
    notes = clip.notes
    isReachable = await !link.isEmbedded
  }

  var text: String {
    var lines = ["shared \(highlight.id.uuidString.lowercased())"]
    func add(_ label: String, _ value: String) { lines.append("  \(label)".padded(13) + value) }
    add("clip", input)
    if let caption = highlight.caption { add("caption", caption) }
    if !highlight.tags.isEmpty { add("tags", highlight.tags.joined(separator: ", ")) }
    let change = bytes.before > 0 ? Double(bytes.after - bytes.before) / Double(bytes.before) * 100 : 0
    add(
      "size",
      "\(ByteCount.text(bytes.before)) before, \(ByteCount.text(bytes.after)) after (\(change <= 0 ? "−" : "+")\(Int(abs(change).rounded())) %)"
    )
    if let duration { add("length", "\(decimal(duration)) s") }
    if removed.isEmpty {
      add("removed", "nothing; no location was found")
    } else {
      for (position, part) in removed.enumerated() { add(position == 0 ? "removed" : "", part) }
    }
    if let thumbnailURL, isReachable { add("thumbnail", thumbnailURL) }
    add("watch", watch)
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A refused clip as JSON.
struct RejectionDocument: Encodable {
  var schema = "bsc.share/1"
  var status = "rejected"
  var input: String
  var job: String?
  var findings: [Finding]
}

/// Findings for people.
enum FindingText {
  /// - Parameter verb: what was to be done with it.
  static func rejection(of input: String, to verb: String = "share", _ findings: [Finding]) -> String {
    let errors = findings.filter { $0.severity == .error }
    var text = ""
    for (position, finding) in errors.enumerated() {
      text += "error: cannot \(verb) \(input): \(finding.message)\(place(finding)) [\(finding.rule)]\n"
      // The same advice for several findings is given once, behind the last of them.
      let following = errors.dropFirst(position + 1).first
      if let next = finding.next, following?.next != next { text += "next: \(next)\n" }
    }
    return Console.printable(text)
  }

  static func line(_ finding: Finding) -> String {
    "  \(finding.severity.rawValue)".padded(11) + finding.message + place(finding) + " [\(finding.rule)]"
      + (finding.next.map { "\n           next: \($0)" } ?? "")
  }

  private static func place(_ finding: Finding) -> String { finding.place.map { " (\($0))" } ?? "" }
}
