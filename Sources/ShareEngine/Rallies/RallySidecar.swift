import ClipModel
import DurableFiles
import Foundation

/// A clip's rally metadata, and the request that selects a rally.
struct RallySidecar: Sendable {
  private let request: MetadataRequest
  /// The path of the metadata file, or `nil` if there is none.
  private let path: String?
  /// The content of the metadata file, or `nil` if it cannot be parsed.
  private let metadata: RallyMetadata?
  /// The findings about the content of the metadata file, or about its absence.
  private let findings: [Finding]

  /// Finds and reads a clip's rally metadata. Blocks briefly.
  init(_ request: MetadataRequest, clipPath: String, names: SidecarNames = SidecarNames()) throws {
    self.request = request
    path = try Self.locateMetadata(request, clipPath: clipPath, names: names)
    if let path {
      let bytes = try DurableFile.read(path, limit: RallyMetadata.byteLimit)
      (metadata, findings) = Self.parseMetadata(bytes, path: path)
    } else {
      metadata = nil
      findings = request.isOptional ? [] : [Self.missingMetadataFinding(clipPath)]
    }
  }

  /// The result of choosing a rally: the chosen rally, or findings that include an error. If there is no metadata, the
  /// result can be empty.
  struct ChoiceResult: Sendable {
    /// The path of the metadata file, or `nil` if there is none.
    var path: String?
    var rally: SharedRally?
    /// How the metadata's times are interpreted, or `nil` if unknown.
    var mode: MetadataMode?
    /// The findings about the chosen rally and the metadata in general. If no rally was chosen, the findings about all
    /// rallies.
    var findings: [Finding]
    /// The findings about rallies that were not chosen.
    var others: [Finding] = []
    /// Whether all rallies of a match were checked, not only a chosen rally.
    var isOfAllRallies = false
    /// Whether a rally was chosen.
    var isChosen = false
    /// The reason for skipping the checks of the chosen rally, or `nil` if the checks were not skipped.
    var skippedReason: String?
  }

  /// Checks the metadata against the clip's properties.
  /// - Parameters:
  ///   - seconds: the clip's duration in seconds, or `nil` if it is unknown. In that case, no rally is chosen.
  ///   - frameRate: the frame rate in frames per second, if known.
  ///   - lengths: the valid range of rally durations, in seconds.
  ///   - lengthModes: the modes in which `rally.length` reports a rally with an invalid length, as in
  ///     `RallyRules.chooseRally`.
  ///   - checksAllRallies: whether to check all rallies of a match if no rally is selected.
  func chooseRally(
    seconds: Double?, frameRate: Double?, lengths: ClosedRange<Double> = RallyLimits.seconds,
    lengthModes: Set<MetadataMode> = [.source, .clip], checksAllRallies: Bool = false
  ) -> ChoiceResult {
    var result = ChoiceResult(path: path, findings: findings)
    guard let metadata, let seconds else {
      result.skippedReason = "the duration of the file is unknown"
      return result
    }
    let rules = RallyRules(metadata: metadata, fileSeconds: seconds, frameRate: frameRate, lengths: lengths)
    if checksAllRallies, request.rallyIndex == nil, rules.isMatchVideo(mode: request.mode) {
      (result.mode, result.isOfAllRallies) = (.source, true)
      // Compare only the times of valid rallies. If the metadata in general is invalid, compare no times.
      let invalid = Set(findings.filter { $0.severity == .error }.map(\.rallyPosition))
      if invalid.contains(nil) {
        result.skippedReason = "the metadata is invalid"
      } else {
        result.findings += rules.allRallyFindings().filter { !invalid.contains($0.rallyPosition) }
      }
      return result
    }
    let choice = rules.chooseRally(index: request.rallyIndex, mode: request.mode, lengthModes: lengthModes)
    result.isChosen = choice.position != nil
    func concernsOtherRally(_ finding: Finding) -> Bool {
      finding.rallyPosition.map { choice.position != nil && $0 != choice.position } ?? false
    }
    result.findings = findings.filter { !concernsOtherRally($0) }
    result.others = findings.filter(concernsOtherRally)
    if choice.mode == .source { result.others += rules.rallyRangeFindings().filter(concernsOtherRally) }
    // Don't compare the times of an invalid rally.
    if result.findings.contains(where: { $0.severity == .error }) {
      result.skippedReason = "the rally's metadata is invalid"
      return result
    }
    (result.rally, result.mode) = (choice.rally, choice.mode)
    result.findings += choice.findings
    if choice.position == nil {
      result.skippedReason = "no rally was specified"
    } else if choice.mode == nil {
      result.skippedReason = "the file is neither the rally nor the match that contains it"
    }
    return result
  }

  /// Parses metadata and adds the file's name to each error, for the advice.
  static func parseMetadata(_ bytes: Data, path: String) -> (metadata: RallyMetadata?, findings: [Finding]) {
    let name = (path as NSString).lastPathComponent
    var (metadata, findings) = RallyMetadata.read(bytes: [UInt8](bytes), fileName: name)
    for index in findings.indices where findings[index].severity == .error && findings[index].next == nil {
      findings[index].facts = FindingReason.invalid.facts(file: name)
    }
    return (metadata, findings)
  }

  static func locateMetadata(_ request: MetadataRequest, clipPath: String, names: SidecarNames) throws -> String? {
    if let path = request.path { return path }
    let folder = (clipPath as NSString).deletingLastPathComponent
    return try names.findSidecar(forClip: (clipPath as NSString).lastPathComponent, in: folder).map {
      "\(folder)/\($0)"
    }
  }

  private static func missingMetadataFinding(_ clipPath: String) -> Finding {
    let stem = ((clipPath as NSString).lastPathComponent as NSString).deletingPathExtension
    return Finding(
      rule: "rally.metadata", severity: .error,
      message: "there is no rally metadata, so bsc cannot check whether this clip is a rally",
      facts: FindingReason.missing.facts(file: "\(stem).json"))
  }
}
