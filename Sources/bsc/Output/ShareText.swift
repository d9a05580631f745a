import ClipModel
import Foundation
import Reports
import ShareEngine

/// Formats shares as text.
enum ShareText {
  static func writeResult(_ result: ShareResult, asJSON: Bool) {
    let document = ShareDocument(result)
    if asJSON, let document { Console.writeJSON(document) }
    if let findings = document?.findings {
      Console.writeError(FindingText.formatRejection(of: result.inputs[0], findings))
    } else if let document, !asJSON {
      Console.write(document.formatText(isReachable: result.isReachable))
    } else if result.jobs[0].stage == .cancelled {
      Console.writeError("\(result.inputs[0]): canceled\n")
    }
  }

  /// Returns how an error message refers to the clips of one highlight.
  static func describeClips(_ files: [String]) -> String { files.count == 1 ? files[0] : "the clips together" }

  static func describeAlreadyShared(_ files: [String]) -> String {
    files.count == 1
      ? "\(files[0]) is already shared; to share it again, use --force"
      : "these clips are already shared together; to share them again, use --force"
  }

  /// Describes how long sharing takes under the backend's rate limit.
  static func describePace(_ allowance: ShareAllowance, count: Int) -> String {
    "the backend accepts \(allowance.maxCount) highlights per "
      + "\(BatchText.formatDuration(Double(allowance.windowSeconds))), and \(allowance.remaining) more now; "
      + "sharing all \(count) takes about \(BatchText.formatDuration(allowance.secondsToShare(count))) "
      + "(--pace off ignores this limit, but the backend then flags your account)"
  }

  /// Describes how an earlier share of the same clips affects this share.
  static func describeEarlierShare(on earlier: EarlierShare, _ files: [String]) -> String {
    let subject = describeClips(files)
    return switch earlier {
    case .same: describeAlreadyShared(files)
    case .unfinished(let job):
      "\(subject) resumes after step \"\(job.stage.name)\" (job \(job.id.uuidString.lowercased().prefix(8)))"
    case .different(let refusal):
      "\(subject): \(refusal.explanation.why); if that highlight still exists, nothing is sent unless --force is set"
    case .exported(let id):
      "\(subject) was exported from highlight \(id.uuidString.lowercased().prefix(8)); "
        + "if that highlight still exists, nothing is sent"
    }
  }
}

/// Formats findings as text.
enum FindingText {
  /// - Parameter verb: the requested operation, for example `share`.
  static func formatRejection(of input: String, to verb: String = "share", _ findings: [Finding]) -> StyledText {
    let errors = findings.filter { $0.severity == .error }.map { $0.withAdvice() }
    var text: StyledText = ""
    for (position, finding) in errors.enumerated() {
      text +=
        "\("error:", .bad) cannot \(verb) \(input): \(finding.message)\(describeLocation(finding)) [\(finding.rule)]\n"
      // If consecutive findings have the same advice, it is printed once, after the last of them.
      let following = errors.dropFirst(position + 1).first
      if let next = finding.next, following?.next != next { text += "\("next:", .faint) \(next)\n" }
    }
    return text
  }

  static func formatLine(_ finding: Finding) -> StyledText {
    let label = StyledText(finding.severity.rawValue.padded(9), finding.severity.tone)
    let next: StyledText = finding.withAdvice().next.map { "\n           \("next:", .faint) \($0)" } ?? ""
    return "  \(label)\(finding.message)\(describeLocation(finding)) [\(finding.rule)]\(next)"
  }

  private static func describeLocation(_ finding: Finding) -> String { finding.place.map { " (\($0))" } ?? "" }
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
