package import ClipModel
import DurableFiles
import Foundation

/// The rallies to cut from a match, and the options.
package struct MatchCutOptions: Sendable {
  package enum Rallies: Sendable, Equatable {
    case all
    case numbers(RallyNumbers)
    /// The rallies that the user saved in the app; `nil` searches for the file next to the metadata.
    case saved(selectionsPath: String?)
  }

  package enum Trims: Sendable, Equatable {
    /// Uses the rallies exactly as detected.
    case none
    /// Uses the trims from the app; `nil` searches for the file next to the metadata.
    case applied(path: String?)
  }

  package var rallies = Rallies.all
  package var trims = Trims.none
  package var settings = ProcessingSettings()
  /// Whether clips that don't start at a key frame are re-encoded, so that no clip contains hidden frames.
  package var reencodes = false

  package init() {}

  /// The app's files that the user specified.
  var files: [String] {
    var files: [String] = []
    if case .saved(let path?) = rallies { files.append(path) }
    if case .applied(let path?) = trims { files.append(path) }
    return files
  }
}

/// The decisions about the clips of a match: the checked metadata, and a plan for each rally. Writes no files.
package struct MatchPlan: Sendable {
  /// A rally with its plan. If there is no plan, one of the findings is an error.
  package struct Clip: Sendable {
    package var cut: RallyCut
    package var plan: ProcessingPlan?
    package var findings: [Finding]
  }

  /// The clips in the order of their rally numbers; empty if the metadata is rejected.
  package var clips: [Clip] = []
  /// Findings about the metadata and about the match as a whole. If one of them is an error, no clip is cut.
  package var findings: [Finding]
  /// The metadata of the match; `nil` when it is invalid.
  package var metadata: RallyMetadata?
  /// The file with the saved rallies, if those were selected.
  package var selectionsPath: String?
  /// The content of the metadata file.
  var document: Data

  package var isRefused: Bool { findings.contains { $0.severity == .error } }

  /// The path of a match's metadata.
  /// - Parameter named: the path specified by the user; otherwise the folder of the match is searched.
  static func metadataPath(ofMatch path: String, named: String?) throws -> String {
    if let found = try RallySidecar.locate(MetadataRequest(path: named), clipPath: path, names: SidecarNames()) {
      return found
    }
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    throw ShareEngineError(
      .noRallies, ["file": (path as NSString).lastPathComponent, "sidecar": "\(stem).json"])
  }

  /// Reads the files. Blocks briefly.
  /// - Throws: `DurableFileError`, `ShareEngineError` if one of the app's other files is missing or invalid.
  static func make(
    matchPath: String, probe: ClipProbe, metadataPath: String, options: MatchCutOptions, rules settings: RuleSettings
  ) throws -> MatchPlan {
    let bytes = try DurableFile.read(metadataPath, limit: RallyMetadata.byteLimit)
    let (metadata, read) = RallySidecar.parse(bytes, path: metadataPath)
    // An error in one rally does not affect the others, as long as the metadata can be parsed.
    let ofRallies = metadata == nil ? [] : read.filter { $0.severity == .error && $0.rallyPosition != nil }
    var plan = MatchPlan(findings: read.filter { !ofRallies.contains($0) }, metadata: metadata, document: bytes)
    if let metadata, let clip = wholeClip(metadata, probe, (metadataPath as NSString).lastPathComponent) {
      plan.findings.append(clip)
    }
    // Findings about the match are reported only once. The length of the match doesn't matter.
    plan.findings += ClipRules(settings.stricter).ofAnyLength.findings(for: probe, salvaging: options.settings.salvages)
    plan.findings = plan.findings.compactMap(settings.stricter.graded)
    guard let metadata, !plan.isRefused, let seconds = probe.shownSeconds else { return plan }
    let files = AppRallyFiles(metadataPath: metadataPath, videoID: metadata.videoID)
    let trims: [Int: RallyTrim] =
      switch options.trims {
      case .none: [:]
      case .applied(let path): try files.trims(at: path)
      }
    let numbers: RallyNumbers
    switch options.rallies {
    case .all: numbers = RallyNumbers(metadata.segments.indices)
    case .numbers(let selected): numbers = selected
    case .saved(let named):
      plan.selectionsPath = try named ?? files.selectionsPath()
      numbers = try files.saved(at: plan.selectionsPath)
    }
    let rules = RallyRules(
      metadata: metadata, fileSeconds: seconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
    plan.clips = try numbers.indexes.map { index in
      let errors = ofRallies.filter { $0.rallyPosition == index }
      var cut = errors.isEmpty ? rules.cut(index, trim: trims[index]) : RallyCut(index: index, findings: errors)
      if !errors.isEmpty { cut.segment = metadata.segments[index] }
      return try plan.clip(
        cut, of: probe, name: (matchPath as NSString).lastPathComponent, options: options, settings: settings)
    }
    return plan
  }

  /// Returns a finding if the file is a single rally instead of a match.
  private static func wholeClip(_ metadata: RallyMetadata, _ probe: ClipProbe, _ name: String) -> Finding? {
    let message: String
    if metadata.sourceRallyIndex != nil {
      message = "\(name) describes a clip that was cut from a match, not a match"
    } else {
      guard let seconds = probe.shownSeconds, metadata.segments.allSatisfy({ $0.startTime >= seconds }),
        let index = metadata.segments.firstIndex(where: { abs($0.seconds - seconds) <= RallyRules.clipTolerance })
      else { return nil }
      message = "the file is as long as rally \(index), which starts after its end: it is already that rally"
    }
    return Finding(
      rule: "rally.metadata", severity: .error, message: message,
      next: "share the clip unchanged (bsc share), or cut the match with its own metadata (--metadata FILE)")
  }

  /// Makes the same decisions for one rally as sharing it would. Findings about the match are not repeated.
  private func clip(
    _ cut: RallyCut, of probe: ClipProbe, name: String, options: MatchCutOptions, settings: RuleSettings
  ) throws -> Clip {
    guard let range = cut.range else {
      return Clip(cut: cut, findings: cut.findings.compactMap(settings.stricter.graded))
    }
    func outcome(_ range: Range<Double>) throws -> SharePlan.Outcome {
      var cut = cut
      cut.range = range
      return try SharePlan.decide(
        ClipFacts(cut, of: probe, name: name), request: ShareRequest(settings: options.settings), settings: settings,
        hidesLead: !options.reencodes)
    }
    var decided = try outcome(range)
    if let plan = decided.plan, let end = Self.shareableEnd(of: plan, range, probe) {
      decided = try outcome(range.lowerBound..<end)
    }
    return Clip(cut: cut, plan: decided.plan, findings: decided.findings.filter { !findings.contains($0) })
  }

  /// The end at which a clip is short enough to be shared; `nil` to keep the original end. A copied clip can be
  /// slightly shorter or longer than its rally, because it starts at a key frame and ends with a whole frame.
  private static func shareableEnd(of plan: ProcessingPlan, _ range: Range<Double>, _ probe: ClipProbe) -> Double? {
    // The margins exceed the duration of a clip's last frames.
    let (minimum, maximum) = (RallyLimits.seconds.lowerBound + 0.02, RallyLimits.seconds.upperBound - 0.2)
    let length = plan.durationSeconds
    let end = range.upperBound + max(minimum - length, 0) - max(length - maximum, 0)
    return end == range.upperBound ? nil : min(end, probe.shownSeconds ?? end)
  }
}
