import ClipModel
import DurableFiles
import Foundation

/// Finds and reads the rally metadata of a clip, and chooses the rally.
enum RallySidecar {
  /// The chosen rally, or findings that include an error. If there is no metadata, both can be empty.
  struct Result: Sendable {
    /// The path of the metadata; `nil` when there is none.
    var path: String?
    var rally: SharedRally?
    /// How its times are interpreted; `nil` if unknown.
    var mode: MetadataMode?
    /// Findings about the chosen rally and the metadata as a whole. If no rally was chosen, findings about all rallies.
    var findings: [Finding]
    /// Findings about rallies that were not chosen.
    var others: [Finding] = []
    /// Whether all rallies of a match were checked instead of only a chosen one.
    var isOfAllRallies = false
    /// Whether a rally was chosen.
    var isChosen = false
    /// Why the checks that follow the choice of a rally were skipped; `nil` if they were not skipped.
    var skippedReason: String?
  }

  /// Reads the metadata of a clip and checks it against the clip's properties. Blocks briefly.
  /// - Parameters:
  ///   - seconds: the duration of the clip; `nil` if unknown, in which case no rally is chosen.
  ///   - frameRate: frames per second, if known.
  ///   - lengths: the valid duration of a rally in seconds.
  ///   - checksAllRallies: checks all rallies of a match if none is selected.
  static func choose(
    _ request: MetadataRequest, clipPath: String, seconds: Double?, frameRate: Double?,
    names: SidecarNames = SidecarNames(), lengths: ClosedRange<Double> = RallyLimits.seconds,
    checksAllRallies: Bool = false
  ) throws -> Result {
    guard let path = try locate(request, clipPath: clipPath, names: names) else {
      return Result(findings: request.isOptional ? [] : [missing(clipPath)])
    }
    let bytes = try DurableFile.read(path, limit: RallyMetadata.byteLimit)
    let (metadata, read) = parse(bytes, path: path)
    var result = Result(path: path, findings: read)
    guard let metadata, let seconds else {
      result.skippedReason = "the duration of the file is unknown"
      return result
    }
    let rules = RallyRules(metadata: metadata, fileSeconds: seconds, frameRate: frameRate, lengths: lengths)
    if checksAllRallies, request.rallyIndex == nil, rules.isMatch(mode: request.mode) {
      (result.mode, result.isOfAllRallies) = (.source, true)
      // Compares the times of valid rallies only, and of none if the metadata as a whole is invalid.
      let invalid = Set(read.filter { $0.severity == .error }.map(\.rallyPosition))
      if invalid.contains(nil) {
        result.skippedReason = "the metadata is invalid as a whole"
      } else {
        result.findings += rules.matchFindings().filter { !invalid.contains($0.rallyPosition) }
      }
      return result
    }
    let choice = rules.choose(index: request.rallyIndex, mode: request.mode)
    result.isChosen = choice.position != nil
    func isOfAnother(_ finding: Finding) -> Bool {
      finding.rallyPosition.map { choice.position != nil && $0 != choice.position } ?? false
    }
    result.findings = read.filter { !isOfAnother($0) }
    result.others = read.filter(isOfAnother)
    if choice.mode == .source { result.others += rules.sourceFindings().filter(isOfAnother) }
    // The times of an invalid rally are not compared.
    if result.findings.contains(where: { $0.severity == .error }) {
      result.skippedReason = "the metadata of the rally is invalid"
      return result
    }
    (result.rally, result.mode) = (choice.rally, choice.mode)
    result.findings += choice.findings
    if choice.position == nil {
      result.skippedReason = "the rally is not specified"
    } else if choice.mode == nil {
      result.skippedReason = "the file is neither the rally nor its match"
    }
    return result
  }

  /// Parses metadata, and adds a next step to its errors.
  static func parse(_ bytes: Data, path: String) -> (metadata: RallyMetadata?, findings: [Finding]) {
    let name = (path as NSString).lastPathComponent
    var (metadata, findings) = RallyMetadata.read(bytes: [UInt8](bytes), fileName: name)
    for index in findings.indices where findings[index].severity == .error && findings[index].next == nil {
      findings[index].next = "export \(name) from the app again, or use another file: --metadata FILE"
    }
    return (metadata, findings)
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
