import ClipModel

/// A finding, or a rule that could not be checked, as a SARIF result.
struct SARIFResult: Encodable {
  var ruleId: String
  /// The index in the driver's list of rules; `nil` if the rule isn't in the catalog.
  var ruleIndex: Int?
  var kind: String
  var level: String
  var message: SARIFMessage
  var locations: [SARIFLocation]
  var partialFingerprints: [String: String]
  var properties: Properties?

  struct Properties: Encodable {
    /// The location as a JSON path or a track, because videos have no lines.
    var place: String?
    /// The advice for the finding.
    var next: String?
    /// How deeply the file was inspected.
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
    // The standard allows only this level for open results.
    level = "none"
    message = SARIFMessage(text: "unknown: \(check.unknownReason ?? "")")
    locations = [location]
    partialFingerprints = Self.fingerprints(fingerprint)
    properties = Properties(depth: check.depth)
  }

  /// Returns the fingerprint under two keys. GitHub uses only the second key, and would otherwise compute that value
  /// from the file's lines.
  private static func fingerprints(_ fingerprint: String) -> [String: String] {
    ["fileRulePlace/v1": fingerprint, "primaryLocationLineHash": fingerprint]
  }
}
