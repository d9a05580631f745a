/// How the times in rally metadata relate to the file.
public enum MetadataMode: String, Codable, Sendable, CaseIterable {
  /// The mode is determined from the durations.
  case auto
  /// The file is the source video that contains the rally.
  case source
  /// The file is the rally.
  case clip
}

/// The rally to share, or the reasons why no rally can be selected.
public struct RallyChoice: Equatable, Sendable {
  /// The rally to share; `nil` if it is invalid.
  public var rally: SharedRally?
  /// The rally's index in `segments`, even if a finding is an error; `nil` if no rally was selected.
  public var position: Int?
  /// How the times are interpreted: `source` or `clip`, never `auto`; `nil` if unknown.
  public var mode: MetadataMode?
  /// The findings for the selected rally. For the findings for all rallies, use `rallyRangeFindings`.
  public var findings: [Finding]
}

/// Checks rally metadata against a file and selects the rally to share.
public struct RallyRules: Sendable {
  /// The maximum difference, in seconds, between the durations of a clip and its rally. Passthrough exports start at
  /// key frames, so they may be longer.
  public static let clipTolerance = 0.5
  /// If the durations differ by more than this many seconds, the clip belongs to a different rally.
  static let clipLimit = 5.0

  /// The metadata, which must not have any errors.
  public var metadata: RallyMetadata
  /// The file's presentation duration in seconds.
  public var fileSeconds: Double
  /// The frame rate of the file's main video; `nil` if unknown.
  public var frameRate: Double?
  /// The allowed rally duration in seconds.
  public var lengths: ClosedRange<Double>

  public init(
    metadata: RallyMetadata, fileSeconds: Double, frameRate: Double? = nil,
    lengths: ClosedRange<Double> = RallyLimits.seconds
  ) {
    self.metadata = metadata
    self.fileSeconds = fileSeconds
    self.frameRate = frameRate
    self.lengths = lengths
  }

  /// The maximum time, in seconds, that a rally may extend past the end of the file: two frames, but at least 0.1 s.
  var endTolerance: Double {
    guard let frameRate, frameRate.isFinite, frameRate > 0 else { return 0.1 }
    return max(0.1, 2 / frameRate)
  }

  /// Checks that every rally is within the file, assuming that the file is the source video.
  public func rallyRangeFindings() -> [Finding] {
    metadata.segments.indices.compactMap(sourceRangeFinding)
  }

  /// Whether the file is a match video from which a rally must be selected, instead of a single rally.
  /// - Parameter mode: how the times relate to the file, as specified by the user.
  public func isMatchVideo(mode: MetadataMode = .auto) -> Bool {
    guard metadata.segments.count > 1, metadata.sourceRallyIndex == nil, mode != .clip else { return false }
    let isOneOfThem = metadata.segments.contains { abs(fileSeconds - $0.seconds) <= Self.clipTolerance }
    return mode == .source || !isOneOfThem || metadata.segments.allSatisfy(isInsideFile)
  }

  /// Checks the duration and the position of every rally, assuming that the file is the source video.
  public func allRallyFindings() -> [Finding] {
    metadata.segments.indices.flatMap { index in
      lengthFindings(metadata.segments[index], at: "rallySegments[\(index)]")
        + (sourceRangeFinding(index).map { [$0] } ?? [])
    }
  }

  private func sourceRangeFinding(_ index: Int) -> Finding? {
    rangeFinding(metadata.segments[index], index: index, facts: FindingReason.sourceMode.facts())
  }

  /// Returns the finding for a rally that extends past the end of the file.
  /// - Returns: `nil` if the rally is within the file.
  func rangeFinding(_ segment: RallySegment, index: Int, next: String? = nil, facts: [String: String]? = nil)
    -> Finding?
  {
    guard !isInsideFile(segment) else { return nil }
    return RallyCheck.range.makeFinding(
      .error, "the rally ends at \(clock(segment.endTime)), but the video ends at \(clock(fileSeconds))",
      at: "rallySegments[\(index)].endTime", next: next, facts: facts)
  }

  /// Selects the rally and performs all checks that depend on the selection.
  ///
  /// Findings from `RallyMetadata.read` are not repeated. The metadata must not have any errors.
  /// - Parameters:
  ///   - index: the zero-based index, as in the app; `nil` if the user didn't specify one.
  ///   - mode: how the rally's times relate to the file. `.auto` determines the mode from the durations.
  ///   - lengthModes: the modes in which the findings contain a length outside the limits. In the other modes,
  ///     `clip.duration` reports the length. Such a rally is not selected in any mode.
  public func chooseRally(
    index: Int? = nil, mode: MetadataMode = .auto, lengthModes: Set<MetadataMode> = [.source, .clip]
  ) -> RallyChoice {
    let position: Int
    switch segmentIndex(for: index) {
    case .failure(let rejection): return RallyChoice(findings: [rejection.finding])
    case .success(let found): position = found
    }
    let segment = metadata.segments[position]
    let path = "rallySegments[\(position)]"
    guard let mode = resolveMode(mode, for: segment) else {
      return RallyChoice(position: position, findings: [mismatchFinding(segment, at: path)])
    }
    let length = lengthFindings(segment, at: path)
    var choice = RallyChoice(position: position, mode: mode, findings: lengthModes.contains(mode) ? length : [])
    choice.findings +=
      mode == .clip ? clipLengthFindings(segment, at: path) : sourceRangeFinding(position).map { [$0] } ?? []
    guard length.isEmpty, !choice.findings.contains(where: { $0.severity == .error }) else { return choice }
    choice.rally = SharedRally(
      videoID: metadata.videoID, index: metadata.sourceRallyIndex ?? position, confidence: segment.confidence,
      quality: segment.quality, detectionCount: segment.detectionCount,
      cut: mode == .clip ? nil : segment.startTime..<min(segment.endTime, fileSeconds))
    return choice
  }

  private struct SelectionError: Error { var finding: Finding }

  /// Returns the selected rally's index in `segments`.
  private func segmentIndex(for index: Int?) -> Result<Int, SelectionError> {
    func rejectSelection(_ message: String, _ reason: FindingReason) -> Result<Int, SelectionError> {
      let finding = RallyCheck.index.makeFinding(.error, message, at: "rallySegments", facts: reason.facts())
      return .failure(SelectionError(finding: finding))
    }
    let count = metadata.segments.count
    if let original = metadata.sourceRallyIndex, count == 1 {
      guard let index, index != original else { return .success(0) }
      return rejectSelection("the clip is rally \(original), not rally \(index)", .otherRally)
    }
    guard let index else {
      return count == 1
        ? .success(0)
        : rejectSelection("the metadata contains \(count) rallies: \(list)", .notChosen)
    }
    guard metadata.segments.indices.contains(index) else {
      let range = count == 1 ? "0 is the only rally" : "rallies are numbered 0 to \(count - 1): \(list)"
      return rejectSelection("rally \(index) does not exist; \(range)", .noSuchRally)
    }
    return .success(index)
  }

  private func resolveMode(_ mode: MetadataMode, for segment: RallySegment) -> MetadataMode? {
    guard mode == .auto else { return mode }
    if metadata.sourceRallyIndex != nil { return .clip }
    if abs(fileSeconds - segment.seconds) <= Self.clipTolerance { return .clip }
    return isInsideFile(segment) ? .source : nil
  }

  private func isInsideFile(_ segment: RallySegment) -> Bool {
    segment.startTime < fileSeconds && segment.endTime <= fileSeconds + endTolerance
  }
}
