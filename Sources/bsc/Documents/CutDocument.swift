import ClipModel
import ShareEngine

/// The result of cutting one rally, as JSON.
struct CutDocument: Encodable {
  enum Status: String, Encodable {
    case made
    /// The clip was cut by an earlier run; also used with `--dry-run`.
    case present
    /// The clip would be cut; only with `--dry-run`.
    case planned
    /// The rules rejected the rally or, if `rally` is absent, the match or its metadata.
    case refused
    case failed
  }

  var schema = "bsc.cut/1"
  var status: Status
  var match: String
  /// The zero-based rally number, as in the app.
  var rally: Int?
  /// The position of the clip in the match, in seconds.
  var start: Double?
  var end: Double?
  /// The time in seconds from the key frame to the start of the clip. The file contains this part, but players don't
  /// show it.
  var hiddenLead: Double?
  var output: String?
  var metadata: String?
  /// Is `made` or `planned` if the metadata of an existing clip was or would be updated.
  var metadataUpdate: Status?
  var byteCount: Int64?
  /// The clip's SHA-256 in lowercase hexadecimal digits.
  var sha256: String?
  var decisions: [ProcessingPlan.Decision]?
  var removed: [String]?
  var notes: [String]?
  var findings: [Finding]
  var error: Explanation?
}

extension CutDocument {
  init(_ status: Status, match: String, _ target: CutRun.Target) {
    self.init(
      status: status, match: match, rally: target.cut.index, start: target.plan.trim?.lowerBound,
      end: target.plan.trim?.upperBound, hiddenLead: target.plan.leadSeconds, output: target.clip,
      metadata: target.sidecar, decisions: target.plan.decisions, findings: target.findings)
  }
}
