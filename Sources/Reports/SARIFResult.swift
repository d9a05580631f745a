import ClipModel

/// A finding, or a rule that could not be checked.
struct SARIFResult: Encodable {
  var ruleId: String
  /// The index in the driver's rules; absent for a rule that is not in the catalog.
  var ruleIndex: Int?
  var kind: String
  var level: String
  var message: SARIFMessage
  var locations: [SARIFLocation]
  var partialFingerprints: [String: String]
  var properties: Properties?

  struct Properties: Encodable {
    /// A JSON path or a track, because videos have no lines.
    var place: String?
    /// The advice for the finding.
    var next: String?
    /// The extent to which the file was read.
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
    // The only level that the standard allows for open results.
    level = "none"
    message = SARIFMessage(text: "unknown: \(check.unknownReason ?? "")")
    locations = [location]
    partialFingerprints = Self.fingerprints(fingerprint)
    properties = Properties(depth: check.depth)
  }

  /// GitHub uses only the second fingerprint, and would otherwise compute it from the lines of the file.
  private static func fingerprints(_ fingerprint: String) -> [String: String] {
    ["fileRulePlace/v1": fingerprint, "primaryLocationLineHash": fingerprint]
  }
}
