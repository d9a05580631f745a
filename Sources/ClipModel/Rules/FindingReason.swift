/// Why a clip breaks a rule that has several reasons. The raw values are the fact `reason` of a `Finding`.
package enum FindingReason: String, CaseIterable, Sendable {
  case anomaly, damage, invalid, level, mismatch, missing, unaudited
  case noSuchRally = "no-such-rally"
  case notChosen = "not-chosen"
  case otherRally = "other-rally"
  case singleRally = "single-rally"
  case sourceMode = "source-mode"
  case tooLong = "too-long"
  case trimmedAway = "trimmed-away"

  /// The facts of a finding with this reason.
  /// - Parameter file: the name of the file that the advice mentions.
  package func facts(file: String? = nil) -> [String: String] {
    ["reason": rawValue].merging(file.map { ["file": $0] } ?? [:]) { $1 }
  }
}
