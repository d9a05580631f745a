/// Decides which clips are accepted and how they are processed. It is pure: it takes properties and returns findings or
/// a plan, in which every decision has a reason.
public struct ClipRules: Sendable {
  /// The longest time, in seconds, that an edit list may hide in a copied track. Rounding to ticks can hide this much.
  /// Anything more is hidden content, and copying it would put audio and video out of sync.
  static let hiddenSecondsLimit = 0.02

  /// The lowest number of bits per pixel and frame at which a smaller file looks acceptable. It overrides the rule that
  /// the output is never larger than the source.
  static let bitsPerPixelFloor = 0.03

  /// The allowed length of a clip, in seconds; `nil` for any length.
  public var seconds: ClosedRange<Double>?
  /// The allowed average frame rate, in frames per second.
  public var frameRates: ClosedRange<Double>

  /// - Parameter settings: the user's limits.
  public init(_ settings: RuleSettings = RuleSettings()) {
    seconds = settings.range("clip.duration") ?? RallyLimits.seconds
    frameRates = settings.range("clip.frame-rate") ?? MuxStandard.today.frameRates
  }

  /// The same rules without a limit on the length.
  public var ofAnyLength: ClipRules {
    var rules = self
    rules.seconds = nil
    return rules
  }

  /// The result of `plan`.
  public enum Verdict: Equatable, Sendable {
    /// The clip is accepted and will be processed by this plan.
    case plan(ProcessingPlan)
    /// The clip is rejected: at least one finding is an error.
    case rejection([Finding])
  }

  // MARK: Findings

  /// Finds the problems of a clip, independent of how it will be processed.
  /// - Parameters:
  ///   - probe: the properties of the clip.
  ///   - cut: the part of the clip that is the rally, in seconds.
  ///   - salvaging: whether the intact part of a truncated file is acceptable.
  public func findings(for probe: ClipProbe, cut: Range<Double>? = nil, salvaging: Bool = false) -> [Finding] {
    func truncated(_ message: String) -> Finding {
      Finding(
        breaking: "clip.truncated", message, severity: salvaging ? .warning : .error,
        next: "copy it from the camera again, or keep the intact part with --salvage")
    }
    var findings = trackFindings(probe) + durationFindings(probe, cut: cut)
    let missingBytes = probe.missingByteCount ?? 0
    if missingBytes > 0 {
      findings.append(truncated("the file is truncated: \(ByteCount.text(missingBytes)) missing"))
    } else if let message = missingEnd(of: probe) {
      findings.append(truncated(message))
    }
    var damage: [String] = []
    if let count = probe.unreadableByteCount, count > 0 { damage.append("\(ByteCount.text(count)) unreadable") }
    if let count = probe.incompletePacketCount, count > 0 { damage.append("\(count.counting("incomplete packet"))") }
    if !damage.isEmpty { findings.append(truncated("media data is missing: " + damage.joined(separator: ", "))) }
    guard missingBytes == 0 else { return findings }
    return findings
      + probe.anomalies.map {
        Finding(breaking: "container.structure", $0, next: "rewrite the file: bsc compress CLIP")
      }
  }

  /// Compares the last packet's end with the duration in the headers.
  private func missingEnd(of probe: ClipProbe) -> String? {
    guard let missing = probe.missingSeconds, let length = probe.durationSeconds,
      // The tolerance is one frame and 1 % of the length, because writers round, and some count the last frame twice.
      missing > 1.5 / max(probe.mainVideo?.averageFrameRate?.value ?? 10, 1) + min(0.01 * (length + missing), 0.5)
    else { return nil }
    return "the file ends at \(decimal(length)) s, but its headers claim \(decimal(length + missing)) s"
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
    func warning(_ rule: String, _ message: String) -> Finding {
      Finding(rule: rule, severity: .warning, message: message, place: track)
    }
    var findings: [Finding] = []
    if probe.isEncrypted == true {
      let message = "the file is encrypted and cannot be played without a key"
      findings.append(Finding(breaking: "clip.video", message, next: "export it without copy protection"))
    }
    if !probe.hasDecodableVideo {
      let codec = video.codec == "none" ? video.codecTag : video.codec
      findings.append(
        Finding(
          breaking: "clip.video", "no decoder is available for the video codec\(codec.map { " (\($0))" } ?? "")",
          place: track, next: "export the clip as H.264 or HEVC, or install a newer FFmpeg"))
    }
    if probe.videoTracks.count(where: { !$0.isAttachedPicture }) > 1 {
      findings.append(warning("clip.one-video", "the file has several video tracks; track \(video.index) is used"))
    }
    if video.isInterlaced {
      findings.append(warning("clip.interlaced", "the video is interlaced; it will be deinterlaced"))
    }
    if video.color.dolbyVisionProfile == 5 {
      let message = "Dolby Vision profile 5 has no base layer that other decoders can display"
      findings.append(Finding(breaking: "clip.color", message, place: track))
    }
    if let rate = video.averageFrameRate?.value, !frameRates.contains(rate) {
      let message = "the frame rate is \(decimal(rate)) frames per second; players expect \(Self.text(frameRates))"
      findings.append(warning("clip.frame-rate", message))
    }
    return findings
  }

  private func durationFindings(_ probe: ClipProbe, cut: Range<Double>?) -> [Finding] {
    guard probe.mainVideo != nil else { return [] }
    guard let duration = cut.map({ $0.upperBound - $0.lowerBound }) ?? probe.shownSeconds else {
      return [
        Finding(
          breaking: "clip.duration", "the duration is unknown: no packet has a timestamp",
          next: "remux the file: ffmpeg -i IN -c copy OUT.mp4")
      ]
    }
    guard let limits = seconds, !RallyLimits.allows(seconds: duration, in: limits) else { return [] }
    return [
      Finding(
        breaking: "clip.duration",
        "the \(cut == nil ? "clip" : "rally") lasts \(decimal(duration)) s; a highlight must last \(Self.text(limits)) s",
        next: duration < limits.lowerBound
          ? "choose a longer rally" : "choose a rally in it: --metadata FILE --rally N")
    ]
  }

  /// `3 to 60`.
  static func text(_ range: ClosedRange<Double>) -> String {
    "\(decimal(range.lowerBound)) to \(decimal(range.upperBound))"
  }
}
