package import ClipModel
import DurableFiles
import Foundation

/// The rallies to cut from a match, and the options for the clips.
package struct MatchCutOptions: Sendable {
  package enum RallyChoice: Sendable, Equatable {
    case all
    case numbers(RallyIndexSelection)
    /// The rallies that the user saved in the app. If the path is `nil`, the metadata's folder is searched.
    case saved(selectionsPath: String?)
  }

  package enum TrimChoice: Sendable, Equatable {
    /// Ignores the app's trims and uses the detected times.
    case none
    /// Uses the trims from the app. If the path is `nil`, the metadata's folder is searched.
    case applied(path: String?)
  }

  package var rallies = RallyChoice.all
  package var trims = TrimChoice.none
  package var settings = ProcessingSettings()
  /// Whether to re-encode clips that don't start at a key frame, so that no clip contains hidden frames.
  package var reencodes = false

  package init() {}

  /// The paths of the app's files that the user specified.
  var files: [String] {
    var files: [String] = []
    if case .saved(let path?) = rallies { files.append(path) }
    if case .applied(let path?) = trims { files.append(path) }
    return files
  }
}

/// A plan for cutting a match. It contains the checked metadata and a plan for each rally. Planning writes no files.
package struct MatchPlan: Sendable {
  /// A rally and its processing plan. If there is no plan, at least one finding is an error.
  package struct Clip: Sendable {
    package var cut: RallyCut
    package var plan: ProcessingPlan?
    package var findings: [Finding]
  }

  /// The clips, sorted by rally number. Empty if the metadata is rejected.
  package var clips: [Clip] = []
  /// The findings about the metadata and the entire match. If any finding is an error, no clips are cut.
  package var findings: [Finding]
  /// The match's metadata, or `nil` if it is invalid.
  package var metadata: RallyMetadata?
  /// The path of the file with the saved rallies, if saved rallies were requested.
  package var selectionsPath: String?
  /// The content of the metadata file.
  var document: Data

  package var isRefused: Bool { findings.contains { $0.severity == .error } }

  /// Returns the path of a match's metadata file.
  /// - Parameter named: the path that the user specified, or `nil` to search the match's folder.
  static func metadataPath(ofMatch path: String, named: String?) throws -> String {
    if let found = try RallySidecar.locateMetadata(MetadataRequest(path: named), clipPath: path, names: SidecarNames())
    {
      return found
    }
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    throw ShareEngineError(
      .noRallies, ["file": (path as NSString).lastPathComponent, "sidecar": "\(stem).json"])
  }

  /// Reads the metadata files and creates the plan. Blocks briefly.
  /// - Throws: `DurableFileError` if a file cannot be read, or `ShareEngineError` if a file with saved rallies or trims
  ///   is missing or invalid.
  static func make(
    matchPath: String, probe: ClipProbe, metadataPath: String, options: MatchCutOptions, rules settings: RuleSettings
  ) throws -> MatchPlan {
    let bytes = try DurableFile.read(metadataPath, limit: RallyMetadata.byteLimit)
    let (metadata, read) = RallySidecar.parseMetadata(bytes, path: metadataPath)
    // An error in one rally does not affect other rallies, as long as the metadata can be parsed.
    let ofRallies = metadata == nil ? [] : read.filter { $0.severity == .error && $0.rallyPosition != nil }
    var plan = MatchPlan(findings: read.filter { !ofRallies.contains($0) }, metadata: metadata, document: bytes)
    if let metadata, let clip = findSingleRallyProblem(metadata, probe, (metadataPath as NSString).lastPathComponent) {
      plan.findings.append(clip)
    }
    plan.findings = plan.findings.compactMap(settings.stricter.gradedFinding)
    // Report findings about the match only once. The match can have any length.
    let facts = try ClipFacts(
      path: matchPath, probe: probe, request: MetadataRequest(), purpose: .file(ofRally: false))
    plan.findings += try SharePlan.decide(
      facts, request: ShareRequest(settings: options.settings), purpose: .file(ofRally: false), settings: settings
    ).findings
    guard let metadata, !plan.isRefused, let seconds = probe.shownSeconds else { return plan }
    let files = AppRallyFiles(metadataPath: metadataPath, videoID: metadata.videoID)
    let trims: [Int: RallyTrim] =
      switch options.trims {
      case .none: [:]
      case .applied(let path): try files.readTrims(at: path)
      }
    let numbers: RallyIndexSelection
    switch options.rallies {
    case .all: numbers = RallyIndexSelection(metadata.segments.indices)
    case .numbers(let selected): numbers = selected
    case .saved(let named):
      plan.selectionsPath = try named ?? files.selectionsPath()
      numbers = try files.readSavedRallies(at: plan.selectionsPath)
    }
    let rules = RallyRules(
      metadata: metadata, fileSeconds: seconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
    plan.clips = try numbers.indexes.map { index in
      let errors = ofRallies.filter { $0.rallyPosition == index }
      var cut = errors.isEmpty ? rules.planCut(index, trim: trims[index]) : RallyCut(index: index, findings: errors)
      if !errors.isEmpty { cut.segment = metadata.segments[index] }
      return try plan.planClip(
        cut, of: probe, name: facts.name, options: options, settings: settings)
    }
    return plan
  }

  /// Returns a finding if the file contains a single rally instead of a match.
  private static func findSingleRallyProblem(_ metadata: RallyMetadata, _ probe: ClipProbe, _ name: String) -> Finding?
  {
    let message: String
    if metadata.sourceRallyIndex != nil {
      message = "\(name) describes a clip that was cut from a match, not the match"
    } else {
      guard let seconds = probe.shownSeconds, metadata.segments.allSatisfy({ $0.startTime >= seconds }),
        let index = metadata.segments.firstIndex(where: { abs($0.seconds - seconds) <= RallyRules.clipTolerance })
      else { return nil }
      message =
        "the file appears to be rally \(index) itself: it is as long as the rally, "
        + "and according to the metadata, the rally starts after the file ends"
    }
    return Finding(
      rule: "rally.metadata", severity: .error, message: message, facts: FindingReason.singleRally.facts())
  }

  /// Plans one rally with the same decisions as for a share. Findings about the match are not repeated.
  private func planClip(
    _ cut: RallyCut, of probe: ClipProbe, name: String, options: MatchCutOptions, settings: RuleSettings
  ) throws -> Clip {
    guard cut.range != nil else {
      return Clip(cut: cut, findings: cut.findings.compactMap(settings.stricter.gradedFinding))
    }
    let decided = try SharePlan.decide(
      ClipFacts(cut, of: probe, name: name), request: ShareRequest(settings: options.settings),
      purpose: .cut(hidesLead: !options.reencodes), settings: settings)
    return Clip(cut: cut, plan: decided.plan, findings: decided.findings.filter { !findings.contains($0) })
  }
}
