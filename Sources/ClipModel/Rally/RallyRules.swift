/// How the times in rally metadata relate to a file.
public enum MetadataMode: String, Codable, Sendable, CaseIterable {
  /// Determined from the durations.
  case auto
  /// The file is the source video that contains the rally.
  case source
  /// The file is the rally.
  case clip
}

/// The rally that a file is shared as, or why none can be chosen.
public struct RallyChoice: Equatable, Sendable {
  /// `nil` if a finding is an error.
  public var rally: SharedRally?
  /// The index in `segments`, even if a finding is an error; `nil` if no rally was chosen.
  public var position: Int?
  /// How the times were interpreted: `source` or `clip`, never `auto`; `nil` if that is unknown.
  public var mode: MetadataMode?
  /// The findings for the chosen rally. `sourceFindings` has those for all rallies.
  public var findings: [Finding]
}

/// Checks rally metadata against a file, and chooses the rally.
public struct RallyRules: Sendable {
  /// How much longer than its rally, in seconds, a clip may be. Passthrough exports start at key frames.
  public static let clipTolerance = 0.5
  /// If the difference is larger than this, in seconds, the clip belongs to a different rally.
  static let clipLimit = 5.0

  /// The metadata, which must have been read without an error.
  public var metadata: RallyMetadata
  /// The duration of the file's presentation in seconds.
  public var fileSeconds: Double
  /// The frame rate of its main video; `nil` if unknown.
  public var frameRate: Double?
  /// The allowed length of a rally in seconds.
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

  /// How far a rally may extend past the end of the file: two frames, but at least 0.1 s.
  var endTolerance: Double {
    guard let frameRate, frameRate.isFinite, frameRate > 0 else { return 0.1 }
    return max(0.1, 2 / frameRate)
  }

  /// Checks every rally, assuming that the file is their source.
  public func sourceFindings() -> [Finding] {
    metadata.segments.indices.compactMap(sourceFinding)
  }

  /// Whether the file is a match with several rallies from which one must be chosen, instead of a single rally.
  /// - Parameter mode: how the user says that the times relate to the file.
  public func isMatch(mode: MetadataMode = .auto) -> Bool {
    guard metadata.segments.count > 1, metadata.sourceRallyIndex == nil, mode != .clip else { return false }
    let isOneOfThem = metadata.segments.contains { abs(fileSeconds - $0.seconds) <= Self.clipTolerance }
    return mode == .source || !isOneOfThem || metadata.segments.allSatisfy(isInside)
  }

  /// Checks the length and the position of each rally, assuming that the file is their source.
  public func matchFindings() -> [Finding] {
    metadata.segments.indices.flatMap { index in
      lengthFindings(metadata.segments[index], at: "rallySegments[\(index)]")
        + (sourceFinding(index).map { [$0] } ?? [])
    }
  }

  private func sourceFinding(_ index: Int) -> Finding? {
    rangeFinding(
      metadata.segments[index], index: index, next: "use the metadata of this video, or --metadata-mode clip")
  }

  /// - Returns: `nil` if the rally is inside the file.
  func rangeFinding(_ segment: RallySegment, index: Int, next: String) -> Finding? {
    guard !isInside(segment) else { return nil }
    return RallyCheck.range.finding(
      .error, "the rally ends at \(clock(segment.endTime)), but the video ends at \(clock(fileSeconds))",
      at: "rallySegments[\(index)].endTime", next: next)
  }

  /// Chooses the rally and performs all checks that depend on the choice.
  ///
  /// The findings of `RallyMetadata.read` are not repeated. The metadata must have been read without an error.
  /// - Parameters:
  ///   - index: the zero-based index as in the app; `nil` if the user did not specify one.
  ///   - mode: how the rally's times relate to the file; `.auto` determines it.
  public func choose(index: Int? = nil, mode: MetadataMode = .auto) -> RallyChoice {
    let position: Int
    switch self.position(of: index) {
    case .failure(let refusal): return RallyChoice(findings: [refusal.finding])
    case .success(let found): position = found
    }
    let segment = metadata.segments[position]
    let path = "rallySegments[\(position)]"
    guard let mode = resolve(mode, for: segment) else {
      return RallyChoice(position: position, findings: [mismatchFinding(segment, at: path)])
    }
    var choice = RallyChoice(position: position, mode: mode, findings: lengthFindings(segment, at: path))
    choice.findings +=
      mode == .clip ? clipFindings(segment, at: path) : sourceFinding(position).map { [$0] } ?? []
    guard !choice.findings.contains(where: { $0.severity == .error }) else { return choice }
    choice.rally = SharedRally(
      videoID: metadata.videoID, index: metadata.sourceRallyIndex ?? position, confidence: segment.confidence,
      quality: segment.quality, detectionCount: segment.detectionCount,
      cut: mode == .clip ? nil : segment.startTime..<min(segment.endTime, fileSeconds))
    return choice
  }

  private struct Refusal: Error { var finding: Finding }

  /// The index of the selected rally in `segments`.
  private func position(of index: Int?) -> Result<Int, Refusal> {
    func refuse(_ message: String, next: String) -> Result<Int, Refusal> {
      .failure(Refusal(finding: RallyCheck.index.finding(.error, message, at: "rallySegments", next: next)))
    }
    let count = metadata.segments.count
    if let original = metadata.sourceRallyIndex, count == 1 {
      guard let index, index != original else { return .success(0) }
      return refuse("the clip is rally \(original), not rally \(index)", next: "omit --rally")
    }
    guard let index else {
      return count == 1
        ? .success(0) : refuse("the metadata has \(count) rallies: \(list)", next: "choose one with --rally N")
    }
    guard metadata.segments.indices.contains(index) else {
      let range = count == 1 ? "0 is the only rally" : "the rallies are 0 to \(count - 1): \(list)"
      return refuse("rally \(index) does not exist; \(range)", next: "choose one with --rally N; the first rally is 0")
    }
    return .success(index)
  }

  private func resolve(_ mode: MetadataMode, for segment: RallySegment) -> MetadataMode? {
    guard mode == .auto else { return mode }
    if metadata.sourceRallyIndex != nil { return .clip }
    if abs(fileSeconds - segment.seconds) <= Self.clipTolerance { return .clip }
    return isInside(segment) ? .source : nil
  }

  private func isInside(_ segment: RallySegment) -> Bool {
    segment.startTime < fileSeconds && segment.endTime <= fileSeconds + endTolerance
  }
}
