import ClipModel

/// A finding, or a rule of which nobody knows.
struct SARIFResult: Encodable {
  var ruleId: String
  /// In the driver's rules; absent for a rule that is not in the catalogue.
  var ruleIndex: Int?
  var kind: String
  var level: String
  var message: SARIFMessage
  var locations: [SARIFLocation]
  var partialFingerprints: [String: String]
  var properties: Properties?

  struct Properties: Encodable {
    /// A JSON path or a track: films have no lines.
    var place: String?
    /// What helps.
    var next: String?
    /// How far somebody looked.
    var depth: InspectionDepth?
  }

  init(_ finding: Finding, index: Int?, at location: SARIFLocation, fingerprint: String) {
    ruleId = finding.rule
    ruleIndex = index
    kind = "fail"
    level = finding.severity.sarifLevel
    message = SARIFMessage(verbatim: finding.message)
    locations = [location]
    partialFingerprints = Self.fingerprints(fingerprint)
    if finding.place != nil || finding.next != nil {
      properties = Properties(place: finding.place, next: finding.next)
    }
  }

  init(unknown check: RuleCheck, index: Int?, at location: SARIFLocation, fingerprint: String) {
    ruleId = check.rule
    ruleIndex = index
    kind = "open"
    // The only level that the standard allows here.
    level = "none"
    message = SARIFMessage(text: "unknown: \(check.unknownReason ?? "")")
    locations = [location]
    partialFingerprints = Self.fingerprints(fingerprint)
    properties = Properties(depth: check.depth)
  }

  /// GitHub compares the second alone, and would otherwise make it of the film's bytes, read as lines of text.
  private static func fingerprints(_ fingerprint: String) -> [String: String] {
    ["fileRulePlace/v1": fingerprint, "primaryLocationLineHash": fingerprint]
  }
}
