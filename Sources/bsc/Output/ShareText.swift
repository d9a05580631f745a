import ClipModel
import Foundation
import ShareEngine

/// Shares for people and as JSON.
enum ShareText {
  static func write(_ result: ShareResult, asJSON: Bool) {
    let document = ShareDocument(result)
    if asJSON, let document { Console.writeJSON(document) }
    if let findings = document?.findings {
      Console.writeError(FindingText.rejection(of: result.inputs[0], findings))
    } else if let document, !asJSON {
      Console.write(document.text(isReachable: result.isReachable))
    } else if result.jobs[0].stage == .cancelled {
      Console.writeError("\(result.inputs[0]): cancelled\n")
    }
  }

  /// The clips of one highlight, in an error.
  static func subject(_ files: [String]) -> String { files.count == 1 ? files[0] : "the clips together" }

  static func sharedBefore(_ files: [String]) -> String {
    files.count == 1
      ? "\(files[0]) was shared before; --force shares it once more"
      : "these clips were shared together before; --force shares them once more"
  }

  /// How long the highlights take at the backend's pace.
  static func pace(_ allowance: ShareAllowance, count: Int) -> String {
    "the backend takes \(allowance.maxCount) highlights in \(BatchText.time(Double(allowance.windowSeconds))), "
      + "\(allowance.remaining) now: \(count) take about \(BatchText.time(allowance.secondsToShare(count))) "
      + "(--pace off sends them at once, which the backend notes)"
  }

  /// What an earlier share of the same clips means for this one.
  static func note(on earlier: EarlierShare, _ files: [String]) -> String {
    let subject = subject(files)
    return switch earlier {
    case .same: sharedBefore(files)
    case .unfinished(let job):
      "\(subject) goes on after \"\(job.stage.name)\" (job \(job.id.uuidString.lowercased().prefix(8)))"
    case .different(let refusal):
      "\(subject): \(refusal.explanation.why); where that is still there, nothing is sent without --force"
    case .exported(let id):
      "\(subject) was exported from highlight \(id.uuidString.lowercased().prefix(8)): where that is still there, nothing is sent"
    }
  }
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
