import ClipModel
import Foundation
import ShareEngine

/// What became of a job, for people and as JSON.
struct ShareResult {
  private let job: ShareJob
  private let input: String
  /// Of a job that is done.
  private var document: ShareDocument?
  /// Of one that is left to the backend.
  private let pending: PendingDocument?

  /// What there is to print about a share: its highlight once, else each clip.
  static func all(of jobs: [ShareJob], inputs: [String], link: BackendConnection) async throws -> [ShareResult] {
    var results: [ShareResult] = []
    let clips: [ProcessedClip] = jobs.compactMap { if case .registered(_, let clip) = $0.stage { clip } else { nil } }
    for (job, input) in zip(jobs, inputs) {
      var result = try await ShareResult(job, input: input, link: link)
      if clips.count == jobs.count, jobs.count > 1 {
        result.document?.add(jobs: jobs, clips: clips, inputs: inputs)
        return [result]
      }
      results.append(result)
    }
    return results
  }

  init(_ job: ShareJob, input: String, link: BackendConnection) async throws {
    self.job = job
    self.input = input
    if case .registered(let highlight, let clip) = job.stage {
      document = try await ShareDocument(job: job, highlight: highlight, clip: clip, input: input, link: link)
    } else {
      document = nil
    }
    if case .uploaded(let clip, let receipt) = job.stage {
      pending = PendingDocument(job: job, clip: clip, receipt: receipt, input: input)
    } else {
      pending = nil
    }
  }

  /// Why the clip was refused, if it was.
  var refusal: FailureCategory? {
    switch job.stage {
    case .registered, .uploaded, .cancelled: nil
    case .rejected: .rejected
    case .queued, .probed, .planned, .processed, .uploading: .unexpected
    }
  }

  func write(asJSON: Bool) {
    if let document {
      if asJSON { Console.writeJSON(document) } else { Console.write(document.text) }
    } else if let pending {
      if asJSON { Console.writeJSON(pending) } else { Console.write(pending.text) }
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
  static func rejection(of input: String, to verb: String = "share", _ findings: [Finding]) -> StyledText {
    let errors = findings.filter { $0.severity == .error }
    var text: StyledText = ""
    for (position, finding) in errors.enumerated() {
      text += "\("error:", .bad) cannot \(verb) \(input): \(finding.message)\(place(finding)) [\(finding.rule)]\n"
      // The same advice for several findings is given once, behind the last of them.
      let following = errors.dropFirst(position + 1).first
      if let next = finding.next, following?.next != next { text += "\("next:", .faint) \(next)\n" }
    }
    return text
  }

  static func line(_ finding: Finding) -> StyledText {
    let label = StyledText(finding.severity.rawValue.padded(9), finding.severity.tone)
    let next: StyledText = finding.next.map { "\n           \("next:", .faint) \($0)" } ?? ""
    return "  \(label)\(finding.message)\(place(finding)) [\(finding.rule)]\(next)"
  }

  private static func place(_ finding: Finding) -> String { finding.place.map { " (\($0))" } ?? "" }
}

extension Finding.Severity {
  var tone: StyledText.Tone? {
    switch self {
    case .error: .bad
    case .warning: .doubtful
    case .info: nil
    }
  }
}
