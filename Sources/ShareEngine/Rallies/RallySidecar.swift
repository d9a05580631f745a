import ClipModel
import DurableFiles
import Foundation

/// Finds and reads the rally metadata of a clip, and chooses the rally.
enum RallySidecar {
  /// The chosen rally, or findings that include an error. Without metadata, both can be empty.
  struct Answer: Sendable {
    /// The path of the metadata; `nil` when there is none.
    var path: String?
    var rally: SharedRally?
    /// The interpretation of its times; `nil` when it is unknown.
    var mode: MetadataMode?
    /// Findings about the chosen rally and the metadata as a whole. Without a chosen rally, about all rallies.
    var findings: [Finding]
    /// Findings about rallies that were not chosen.
    var others: [Finding] = []
    /// Whether all rallies of a match were checked instead of choosing one.
    var isOfAllRallies = false
    /// Whether a rally was chosen.
    var isChosen = false
    /// Why the checks after the choice of a rally were skipped; `nil` when they were not.
    var skippedReason: String?
  }

  /// Reads the metadata of a clip and checks it against the facts about the clip. Blocks briefly.
  /// - Parameters:
  ///   - seconds: the duration of the clip; `nil` if unknown. Then no rally is chosen.
  ///   - frameRate: frames per second, if known.
  ///   - lengths: the valid duration of a rally in seconds.
  ///   - checksAllRallies: checks all rallies of a match if none is selected.
  static func choose(
    _ request: MetadataRequest, clipPath: String, seconds: Double?, frameRate: Double?,
    names: SidecarNames = SidecarNames(), lengths: ClosedRange<Double> = RallyLimits.seconds,
    checksAllRallies: Bool = false
  ) throws -> Answer {
    guard let path = try locate(request, clipPath: clipPath, names: names) else {
      return Answer(findings: request.isOptional ? [] : [missing(clipPath)])
    }
    let name = (path as NSString).lastPathComponent
    let bytes = try DurableFile.read(path, limit: RallyMetadata.byteLimit)
    let (metadata, findings) = RallyMetadata.read(bytes: [UInt8](bytes), fileName: name)
    let read = findings.map { withNextStep($0, fileName: name) }
    guard let metadata, let seconds else {
      return Answer(path: path, findings: read, skippedReason: "the duration of the file is unknown")
    }
    let rules = RallyRules(metadata: metadata, fileSeconds: seconds, frameRate: frameRate, lengths: lengths)
    if checksAllRallies, request.rallyIndex == nil, rules.isMatch(mode: request.mode) {
      // An error in the metadata as a whole makes all measurements meaningless; an error in a rally, only its own.
      let errors = read.filter { $0.severity == .error }
      guard errors.allSatisfy({ $0.rallyPosition != nil }) else {
        return Answer(
          path: path, mode: .source, findings: read, isOfAllRallies: true,
          skippedReason: "the metadata is invalid as a whole")
      }
      let invalid = Set(errors.compactMap(\.rallyPosition))
      let measured = rules.matchFindings().filter { $0.rallyPosition.map { !invalid.contains($0) } ?? true }
      return Answer(path: path, mode: .source, findings: read + measured, isOfAllRallies: true)
    }
    let choice = rules.choose(index: request.rallyIndex, mode: request.mode)
    func isOfAnother(_ finding: Finding) -> Bool {
      finding.rallyPosition.map { choice.position != nil && $0 != choice.position } ?? false
    }
    let own = read.filter { !isOfAnother($0) }
    var others = read.filter(isOfAnother)
    if choice.mode == .source { others += rules.sourceFindings().filter(isOfAnother) }
    // An invalid rally is not measured.
    guard !own.contains(where: { $0.severity == .error }) else {
      return Answer(
        path: path, findings: own, others: others, isChosen: choice.position != nil,
        skippedReason: "the metadata of the rally is invalid")
    }
    let skippedReason =
      choice.position == nil
      ? "the rally is not specified" : choice.mode == nil ? "the file is neither the rally nor its match" : nil
    return Answer(
      path: path, rally: choice.rally, mode: choice.mode, findings: own + choice.findings, others: others,
      isChosen: choice.position != nil, skippedReason: skippedReason)
  }

  /// Adds the next step that fixes any error in the metadata file.
  static func withNextStep(_ finding: Finding, fileName: String) -> Finding {
    guard finding.severity == .error, finding.next == nil else { return finding }
    var finding = finding
    finding.next = "export \(fileName) from the app again, or use another file: --metadata FILE"
    return finding
  }

  static func locate(_ request: MetadataRequest, clipPath: String, names: SidecarNames) throws -> String? {
    if let path = request.path { return path }
    let folder = (clipPath as NSString).deletingLastPathComponent
    return try names.name(forClip: (clipPath as NSString).lastPathComponent, in: folder).map { "\(folder)/\($0)" }
  }

  private static func missing(_ clipPath: String) -> Finding {
    let stem = ((clipPath as NSString).lastPathComponent as NSString).deletingPathExtension
    return Finding(
      rule: "rally.metadata", severity: .error,
      message: "there is no rally metadata, so it is unknown whether this is a rally",
      next:
        "export \(stem).json from the app next to the clip, or use --metadata FILE (or --allow-no-metadata on the local backend)"
    )
  }
}
