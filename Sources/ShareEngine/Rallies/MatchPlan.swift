package import ClipModel
import DurableFiles
package import Foundation

/// What is cut out of a match.
package struct MatchCutOptions: Sendable {
  package enum Rallies: Sendable, Equatable {
    case all
    case numbers(RallyNumbers)
    /// Those that somebody saved in the app; `nil` looks for the file beside the metadata.
    case saved(selectionsPath: String?)
  }

  package enum Trims: Sendable, Equatable {
    /// The rallies as they were found.
    case none
    /// As somebody trimmed them in the app; `nil` looks for the file beside the metadata.
    case applied(path: String?)
  }

  package var rallies = Rallies.all
  package var trims = Trims.none
  package var settings = ProcessingSettings()
  /// Nothing that is not shown stays in a clip: what does not begin at a key frame is encoded anew.
  package var reencodes = false

  package init() {}

  /// The app's files that were named.
  package var files: [String] {
    var files: [String] = []
    if case .saved(let path?) = rallies { files.append(path) }
    if case .applied(let path?) = trims { files.append(path) }
    return files
  }
}

/// The decisions about the clips of a match: metadata read and judged, a plan for each rally. Changes nothing.
package struct MatchPlan: Sendable {
  /// A rally with its plan; without one a finding is an error.
  package struct Clip: Sendable {
    package var cut: RallyCut
    package var plan: ProcessingPlan?
    package var findings: [Finding]
  }

  /// In the order of their numbers; empty when the metadata is refused.
  package var clips: [Clip] = []
  /// Of the metadata and the match as a whole; with an error among them nothing is cut.
  package var findings: [Finding]
  /// `nil` when it could not be understood.
  package var metadata: RallyMetadata?
  /// The file that names the saved rallies, where those are wanted.
  package var selectionsPath: String?
  /// The metadata file as it is.
  package var document: Data

  package var isRefused: Bool { findings.contains { $0.severity == .error } }

  /// The metadata that belongs to a match.
  /// - Parameter named: as the user named it; otherwise it is looked for beside the match.
  package static func metadataPath(ofMatch path: String, named: String?) throws -> String {
    if let found = try RallySidecar.locate(MetadataRequest(path: named), clipPath: path, names: SidecarNames()) {
      return found
    }
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    throw ShareEngineError(
      .noRallies, ["file": (path as NSString).lastPathComponent, "sidecar": "\(stem).json"])
  }

  /// Blocks for the time of a small file.
  /// - Throws: `DurableFileError`, `ShareEngineError` for the app's other files.
  package static func make(
    matchPath: String, probe: ClipProbe, metadataPath: String, options: MatchCutOptions, rules settings: RuleSettings
  ) throws -> MatchPlan {
    let bytes = try DurableFile.read(metadataPath, limit: RallyMetadata.byteLimit)
    let name = (metadataPath as NSString).lastPathComponent
    let (metadata, findings) = RallyMetadata.read(bytes: [UInt8](bytes), fileName: name)
    let read = findings.map { RallySidecar.advised($0, fileName: name) }
    // What is wrong with one rally says nothing of the others, as long as all of them can be read.
    let ofRallies = metadata == nil ? [] : read.filter { $0.severity == .error && $0.rallyPosition != nil }
    var plan = MatchPlan(findings: read.filter { !ofRallies.contains($0) }, metadata: metadata, document: bytes)
    if let metadata, let clip = wholeClip(metadata, probe, name) { plan.findings.append(clip) }
    // What is wrong with the match is told once; how long it is, is no matter.
    plan.findings += ClipRules(settings.stricter).ofAnyLength.findings(for: probe, salvaging: options.settings.salvages)
    plan.findings = plan.findings.compactMap(settings.stricter.graded)
    guard let metadata, !plan.isRefused, let seconds = probe.shownSeconds else { return plan }
    let files = AppRallyFiles(metadataPath: metadataPath, videoID: metadata.videoID)
    let trims: [Int: RallyTrim] =
      switch options.trims {
      case .none: [:]
      case .applied(let path): try files.trims(at: path)
      }
    let numbers =
      switch options.rallies {
      case .all: RallyNumbers(metadata.segments.indices)
      case .numbers(let numbers): numbers
      case .saved(let named):
        try plan.saved(files, at: named)
      }
    let rules = RallyRules(
      metadata: metadata, fileSeconds: seconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
    plan.clips = try numbers.indexes.map { index in
      let wrong = ofRallies.filter { $0.rallyPosition == index }
      var cut = wrong.isEmpty ? rules.cut(index, trim: trims[index]) : RallyCut(index: index, findings: wrong)
      if !wrong.isEmpty { cut.segment = metadata.segments[index] }
      return try plan.clip(
        cut, of: probe, name: (matchPath as NSString).lastPathComponent, options: options, settings: settings)
    }
    return plan
  }

  /// What says that the file is a rally by itself, and no match with rallies in it.
  private static func wholeClip(_ metadata: RallyMetadata, _ probe: ClipProbe, _ name: String) -> Finding? {
    let message: String
    if metadata.sourceRallyIndex != nil {
      message = "\(name) is about a clip that was cut already, not a match"
    } else {
      guard let seconds = probe.shownSeconds, metadata.segments.allSatisfy({ $0.startTime >= seconds }),
        let index = metadata.segments.firstIndex(where: { abs($0.seconds - seconds) <= RallyRules.clipTolerance })
      else { return nil }
      message = "the file lasts as long as rally \(index), which begins behind its end: it is that rally already"
    }
    return Finding(
      rule: "rally.metadata", severity: .error, message: message,
      next: "share the clip as it is (bsc share), or cut the match with its own metadata (--metadata FILE)")
  }

  private mutating func saved(_ files: AppRallyFiles, at named: String?) throws -> RallyNumbers {
    let path = try named ?? files.selectionsPath()
    selectionsPath = path
    return try files.saved(at: path)
  }

  /// Decides about one rally as a share of it would. What is wrong with the match is not repeated for each.
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

  /// A cut that begins at a key frame close by is a little shorter or longer, and a copied one shows its last pictures
  /// whole: a rally near 3 or 60 s would become a clip that may not be shared. Its end moves by as much.
  private static func shareableEnd(of plan: ProcessingPlan, _ range: Range<Double>, _ probe: ClipProbe) -> Double? {
    // A tenth of a second is more than the pictures at an end are shown for.
    let (least, most) = (RallyLimits.seconds.lowerBound + 0.02, RallyLimits.seconds.upperBound - 0.2)
    let length = plan.durationSeconds
    let end = range.upperBound + max(least - length, 0) - max(length - most, 0)
    return end == range.upperBound ? nil : min(end, probe.shownSeconds ?? end)
  }
}
