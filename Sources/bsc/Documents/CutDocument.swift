import ClipModel
import ShareEngine

/// A rally of a cut, as JSON.
struct CutDocument: Encodable {
  enum Status: String, Encodable {
    case made
    /// An earlier run made it, also with `--dry-run`.
    case present
    /// `--dry-run`.
    case planned
    /// The rules say no; without `rally`, to the match or its metadata.
    case refused
    case failed
  }

  var schema = "bsc.cut/1"
  var status: Status
  var match: String
  /// Zero-based, as in the app.
  var rally: Int?
  /// Of the clip in the match, seconds.
  var start: Double?
  var end: Double?
  /// Seconds from the key frame before it that are in the clip and not shown.
  var hiddenLead: Double?
  var output: String?
  var metadata: String?
  /// Of a clip that is there, when its metadata is written anew: `made`, or `planned`.
  var metadataUpdate: Status?
  var byteCount: Int64?
  /// Of the clip, lower-case hexadecimal.
  var sha256: String?
  var decisions: [ProcessingPlan.Decision]?
  var removed: [String]?
  var notes: [String]?
  var findings: [Finding]
  var error: Explanation?

  init(
    match: String, _ target: CutRun.Target, _ status: Status, _ made: CutRun.Made? = nil, isDry: Bool = false
  ) {
    self.status = status
    self.match = match
    rally = target.cut.index
    start = target.plan.trim?.lowerBound
    end = target.plan.trim?.upperBound
    hiddenLead = target.plan.leadSeconds
    output = target.clip
    metadata = target.sidecar
    byteCount = made?.byteCount
    sha256 = made?.sha256
    decisions = target.plan.decisions
    removed = status == .made ? made?.removed : nil
    notes = status == .made || made?.notes.isEmpty == false ? made?.notes : nil
    metadataUpdate = made?.updatesMetadata == true ? isDry ? .planned : .made : nil
    findings = target.findings
  }

  init(match: String, _ target: CutRun.Target, failed error: Explanation) {
    self.init(match: match, target, .failed)
    self.error = error
  }

  /// - Parameter cut: `nil` when the match or its metadata is refused.
  init(match: String, cut: RallyCut? = nil, refused findings: [Finding]) {
    status = .refused
    self.match = match
    rally = cut?.index
    start = cut?.segment?.startTime
    end = cut?.segment?.endTime
    self.findings = findings
  }
}
