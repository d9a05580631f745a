/// Decides which clips are accepted and how they are processed. This type is pure: it accepts properties and returns
/// findings, or a plan with a reason for each decision.
public struct ClipRules: Sendable {
  /// The maximum duration, in seconds, that an edit list may hide in a copied track. Rounding to ticks can hide this
  /// much. Anything longer is hidden content, and copying it would put audio and video out of sync.
  static let hiddenSecondsLimit = 0.02

  /// The minimum bits per pixel and frame at which a smaller file still looks acceptable. This floor takes precedence
  /// over the rule that the output is never larger than the source.
  static let bitsPerPixelFloor = 0.03

  /// The allowed clip duration in seconds; `nil` for any duration.
  public var seconds: ClosedRange<Double>?
  /// The allowed average frame rates, in frames per second.
  public var frameRates: ClosedRange<Double>

  /// Creates the rules.
  /// - Parameter settings: the user's rule settings, which include limits.
  public init(_ settings: RuleSettings = RuleSettings()) {
    seconds = settings.allowedRange("clip.duration") ?? RallyLimits.seconds
    frameRates = settings.allowedRange("clip.frame-rate") ?? MuxStandard.today.frameRates
  }

  /// The same rules without limits on the duration.
  public var ofAnyLength: ClipRules {
    var rules = self
    rules.seconds = nil
    return rules
  }

  /// The result of `plan`.
  public enum Verdict: Equatable, Sendable {
    /// The clip is accepted, and this plan describes how to process it.
    case plan(ProcessingPlan)
    /// The clip is rejected because at least one finding is an error.
    case rejection([Finding])
  }

  // MARK: Findings

  /// Finds a clip's problems, regardless of how it will be processed.
  /// - Parameters:
  ///   - probe: the properties of the clip.
  ///   - cut: the part of the clip that contains the rally, in seconds.
  ///   - salvaging: whether to accept the intact part of a truncated file.
  public func findings(for probe: ClipProbe, cut: Range<Double>? = nil, salvaging: Bool = false) -> [Finding] {
    func truncationFinding(_ message: String) -> Finding {
      Finding(
        breaking: "clip.truncated", message, severity: salvaging ? .warning : .error,
        facts: FindingReason.damage.facts())
    }
    var findings = trackFindings(probe) + durationFindings(for: probe, cut: cut)
    let missingBytes = probe.missingByteCount ?? 0
    if missingBytes > 0 {
      findings.append(truncationFinding("the file is truncated: \(ByteCount.text(missingBytes)) of data is missing"))
    } else if let message = missingEndMessage(of: probe) {
      findings.append(truncationFinding(message))
    }
    var damage: [String] = []
    if let count = probe.unreadableByteCount, count > 0 { damage.append("\(ByteCount.text(count)) unreadable") }
    if let count = probe.incompletePacketCount, count > 0 { damage.append("\(count.withNoun("incomplete packet"))") }
    if !damage.isEmpty {
      findings.append(truncationFinding("media data is damaged: " + damage.joined(separator: ", ")))
    }
    guard missingBytes == 0 else { return findings }
    return findings
      + probe.anomalies.map { Finding(breaking: "container.structure", $0, facts: FindingReason.anomaly.facts()) }
  }

  /// Compares the end of the last packet with the duration in the headers.
  private func missingEndMessage(of probe: ClipProbe) -> String? {
    guard let missing = probe.missingSeconds, let length = probe.durationSeconds,
      // The tolerance is one frame plus 1 % of the duration because writers round, and some count the last frame twice.
      missing > 1.5 / max(probe.mainVideo?.averageFrameRate?.value ?? 10, 1) + min(0.01 * (length + missing), 0.5)
    else { return nil }
    return "the file ends at \(decimal(length)) s, but its headers specify \(decimal(length + missing)) s"
  }

  private func trackFindings(_ probe: ClipProbe) -> [Finding] {
    guard let video = probe.mainVideo else {
      return [
        Finding(
          breaking: "clip.video",
          probe.videoTracks.contains(where: \.isAttachedPicture)
            ? "the file has audio and a cover image, but no video track" : "the file has no video track")
      ]
    }
    let track = "track \(video.index)"
    func trackWarning(_ rule: String, _ message: String) -> Finding {
      Finding(rule: rule, severity: .warning, message: message, place: track)
    }
    var findings: [Finding] = []
    if probe.isEncrypted == true {
      let message = "the file is encrypted and cannot be played without a key"
      findings.append(Finding(breaking: "clip.video", message, next: "export the clip without copy protection"))
    }
    if !probe.hasDecodableVideo {
      let codec = video.codec == "none" ? video.codecTag : video.codec
      findings.append(
        Finding(
          breaking: "clip.video", "no decoder is available for the video codec\(codec.map { " (\($0))" } ?? "")",
          place: track, next: "export the clip as H.264 or HEVC, or install a newer FFmpeg"))
    }
    if probe.videoTracks.count(where: { !$0.isAttachedPicture }) > 1 {
      findings.append(
        trackWarning("clip.one-video", "the file has several video tracks; bsc uses track \(video.index)"))
    }
    if video.isInterlaced {
      findings.append(trackWarning("clip.interlaced", "the video is interlaced; bsc will deinterlace it"))
    }
    if video.color.dolbyVisionProfile == 5 {
      let message = "the video uses Dolby Vision profile 5, which most players display in the wrong colors"
      findings.append(Finding(breaking: "clip.color", message, place: track))
    }
    if let rate = video.averageFrameRate?.value, !frameRates.contains(rate) {
      let message =
        "the frame rate is \(decimal(rate)) frames per second; players expect \(Self.formatRange(frameRates))"
      findings.append(trackWarning("clip.frame-rate", message))
    }
    return findings
  }

  /// Finds a problem with the length of a clip or of a part of it. `findings` contains the same problem.
  package func durationFindings(for probe: ClipProbe, cut: Range<Double>?) -> [Finding] {
    guard probe.mainVideo != nil else { return [] }
    guard let duration = cut.map({ $0.upperBound - $0.lowerBound }) ?? probe.shownSeconds else {
      return [
        Finding(
          breaking: "clip.duration", "the duration is unknown: no packet has a timestamp",
          next: "remux the file: ffmpeg -i IN -c copy OUT.mp4")
      ]
    }
    guard let limits = seconds, !RallyLimits.allows(seconds: duration, in: limits) else { return [] }
    let isShort = duration < limits.lowerBound
    return [
      Finding(
        breaking: "clip.duration",
        "the \(cut == nil ? "clip" : "rally") lasts \(decimal(duration)) s; "
          + "a highlight must last \(Self.formatRange(limits)) s",
        next: isShort ? "choose a longer rally" : nil, facts: isShort ? [:] : FindingReason.tooLong.facts())
    ]
  }

  /// Formats a range as `3 to 60`.
  static func formatRange(_ range: ClosedRange<Double>) -> String {
    "\(decimal(range.lowerBound)) to \(decimal(range.upperBound))"
  }
}
