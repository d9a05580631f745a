/// How the times of rally metadata relate to a given file.
public enum MetadataMode: String, Codable, Sendable, CaseIterable {
  /// Found out from the durations.
  case auto
  /// The file is the original video: the rally is cut out of it.
  case source
  /// The file is the rally.
  case clip
}

/// Which rally a file is shared as, or why it cannot be.
public struct RallyChoice: Equatable, Sendable {
  /// `nil` when a finding is an error.
  public var rally: SharedRally?
  /// Where it stands in `segments`, also when a finding is an error; `nil` when none was chosen.
  public var position: Int?
  /// How the times were taken: `source` or `clip`, never `auto`; `nil` when that could not be told.
  public var mode: MetadataMode?
  /// Of the chosen rally: what is wrong with others is `sourceFindings`.
  public var findings: [Finding]
}

/// The checks of rally metadata against a file, and the choice of the rally.
public struct RallyRules: Sendable {
  /// Passthrough exports cut at key frames, so that a clip can be a little longer than its rally, in seconds.
  public static let clipTolerance = 0.5
  /// A clip that differs more than this from its rally is another clip, in seconds.
  public static let clipLimit = 5.0

  /// What is judged; read without an error.
  public var metadata: RallyMetadata
  /// Duration of the file's presentation in seconds.
  public var fileSeconds: Double
  /// Frames per second of its main video; `nil` when unknown.
  public var frameRate: Double?
  /// How long a rally may be, in seconds.
  public var lengths: ClosedRange<Double>

  /// - Parameters:
  ///   - metadata: what is judged; read without an error.
  ///   - fileSeconds: duration of the file's presentation.
  ///   - frameRate: of its main video, frames per second; `nil` when unknown.
  ///   - lengths: how long a rally may be, in seconds.
  public init(
    metadata: RallyMetadata, fileSeconds: Double, frameRate: Double? = nil,
    lengths: ClosedRange<Double> = RallyLimits.seconds
  ) {
    self.metadata = metadata
    self.fileSeconds = fileSeconds
    self.frameRate = frameRate
    self.lengths = lengths
  }

  /// How far a rally may reach behind the end of the file: two frames, at least 0.1 s.
  public var endTolerance: Double {
    guard let frameRate, frameRate.isFinite, frameRate > 0 else { return 0.1 }
    return max(0.1, 2 / frameRate)
  }

  /// Every rally against the file as their source.
  public func sourceFindings() -> [Finding] {
    metadata.segments.indices.compactMap(sourceFinding)
  }

  /// The file is a match of several rallies, and no rally by itself that one of them has to be chosen for.
  /// - Parameter mode: what somebody says of it.
  public func isMatch(mode: MetadataMode = .auto) -> Bool {
    guard metadata.segments.count > 1, metadata.sourceRallyIndex == nil, mode != .clip else { return false }
    let isOneOfThem = metadata.segments.contains { abs(fileSeconds - $0.seconds) <= Self.clipTolerance }
    return mode == .source || !isOneOfThem || metadata.segments.allSatisfy(isInside)
  }

  /// What is wrong with the length and the place of each rally, the file being their source.
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

  /// `nil` when the rally lies in the file.
  func rangeFinding(_ segment: RallySegment, index: Int, next: String) -> Finding? {
    guard !isInside(segment) else { return nil }
    return RallyCheck.range.finding(
      .error, "the rally ends at \(clock(segment.endTime)), the video at \(clock(fileSeconds))",
      at: "rallySegments[\(index)].endTime", next: next)
  }

  /// Chooses the rally and checks everything that depends on the choice.
  ///
  /// The findings of `RallyMetadata.read` are not repeated; metadata with an error among them must not get here.
  /// - Parameters:
  ///   - index: Zero-based, as in the app; `nil` when the user named none.
  ///   - mode: how the rally's times relate to the file; `.auto` finds it out.
  public func choose(index: Int? = nil, mode: MetadataMode = .auto) -> RallyChoice {
    switch position(of: index) {
    case .failure(let refusal): return RallyChoice(findings: [refusal.finding])
    case .success(let position):
      let segment = metadata.segments[position]
      let place = "rallySegments[\(position)]"
      guard let mode = resolve(mode, for: segment) else {
        return RallyChoice(position: position, findings: [neither(segment, at: place)])
      }
      let findings =
        lengthFindings(segment, at: place)
        + (mode == .clip ? clipFindings(segment, at: place) : sourceFinding(position).map { [$0] } ?? [])
      guard !findings.contains(where: { $0.severity == .error }) else {
        return RallyChoice(position: position, mode: mode, findings: findings)
      }
      let rally = SharedRally(
        videoID: metadata.videoID, index: metadata.sourceRallyIndex ?? position, confidence: segment.confidence,
        quality: segment.quality, detectionCount: segment.detectionCount,
        cut: mode == .clip ? nil : segment.startTime..<min(segment.endTime, fileSeconds))
      return RallyChoice(rally: rally, position: position, mode: mode, findings: findings)
    }
  }

  private struct Refusal: Error { var finding: Finding }

  /// Where the wanted rally stands in `segments`.
  private func position(of index: Int?) -> Result<Int, Refusal> {
    let count = metadata.segments.count
    if let original = metadata.sourceRallyIndex, count == 1 {
      guard let index, index != original else { return .success(0) }
      return refuse(.index, "the clip is rally \(original), not \(index)", next: "leave --rally out")
    }
    guard let index else {
      if count == 1 { return .success(0) }
      return refuse(.index, "there are \(count) rallies: \(list)", next: "say --rally N")
    }
    guard metadata.segments.indices.contains(index) else {
      let range = count == 1 ? "there is only rally 0" : "there are rallies 0 to \(count - 1): \(list)"
      return refuse(.index, "there is no rally \(index); \(range)", next: "say --rally N, counted from 0")
    }
    return .success(index)
  }

  private func refuse(_ check: RallyCheck, _ message: String, next: String) -> Result<Int, Refusal> {
    .failure(Refusal(finding: check.finding(.error, message, at: "rallySegments", next: next)))
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
