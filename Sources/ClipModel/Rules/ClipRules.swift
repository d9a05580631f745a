/// What bsc accepts and what it makes of it. Pure: facts in, findings or a plan out, every decision with its reason.
public struct ClipRules: Sendable {
  /// An edit list may cut off this much, in seconds, as rounding to its ticks does; more is hidden content, and a
  /// copy would move the picture against the sound by it.
  static let hiddenSecondsLimit = 0.02

  /// Bits per pixel and frame below which a smaller file would look bad: the floor under "never bigger than the source".
  static let bitsPerPixelFloor = 0.03

  /// How long a clip may be; `nil` for any length.
  public var seconds: ClosedRange<Double>?
  /// Frames per second that a clip may have, on average.
  public var frameRates: ClosedRange<Double>

  /// - Parameter settings: the user's own bounds.
  public init(_ settings: RuleSettings = RuleSettings()) {
    seconds = settings.range("clip.duration") ?? RallyLimits.seconds
    frameRates = settings.range("clip.frame-rate") ?? MuxStandard.today.frameRates
  }

  /// The same rules for a file of any length.
  public var ofAnyLength: ClipRules {
    var rules = self
    rules.seconds = nil
    return rules
  }

  /// What `plan` answers.
  public enum Verdict: Equatable, Sendable {
    /// The clip is accepted, and this is what will be made of it.
    case plan(ProcessingPlan)
    /// At least one finding is an error.
    case rejection([Finding])
  }

  // MARK: Findings

  /// What is wrong with a clip, whatever will be done with it.
  /// - Parameters:
  ///   - probe: the clip's facts.
  ///   - cut: the rally's place in it, seconds.
  ///   - salvaging: the good part of a file that is cut off is enough.
  public func findings(for probe: ClipProbe, cut: Range<Double>? = nil, salvaging: Bool = false) -> [Finding] {
    var findings: [Finding] = []
    findings += trackFindings(probe)
    findings += durationFindings(probe, cut: cut)
    if let missing = probe.missingByteCount, missing > 0 {
      findings.append(truncated("the file is cut off: \(ByteCount.text(missing)) of it are missing", salvaging))
    }
    if let finding = missingEnd(of: probe, salvaging: salvaging) { findings.append(finding) }
    let holes = [
      probe.unreadableByteCount.flatMap { $0 > 0 ? "\(ByteCount.text($0)) inside the file cannot be read" : nil },
      probe.incompletePacketCount.flatMap {
        $0 > 0 ? "\($0) packet\($0 == 1 ? " is" : "s are") incomplete" : nil
      },
    ].compactMap(\.self)
    if !holes.isEmpty {
      findings.append(truncated("media is missing: " + holes.joined(separator: ", "), salvaging))
    }
    for anomaly in probe.anomalies where (probe.missingByteCount ?? 0) == 0 {
      findings.append(
        Finding(breaking: "container.structure", anomaly, next: "write it anew: bsc compress CLIP"))
    }
    return findings
  }

  /// The packets end before the length that the headers claim.
  private func missingEnd(of probe: ClipProbe, salvaging: Bool) -> Finding? {
    guard let missing = probe.missingSeconds, (probe.missingByteCount ?? 0) == 0, let length = probe.durationSeconds,
      // One frame and a hundredth of the length: writers round, and some count the last frame twice.
      missing > 1.5 / max(probe.mainVideo?.averageFrameRate?.value ?? 10, 1) + min(0.01 * (length + missing), 0.5)
    else { return nil }
    return truncated(
      "the file ends at \(decimal(length)) s, and its headers claim \(decimal(length + missing)) s", salvaging)
  }

  private func truncated(_ message: String, _ isSalvaging: Bool) -> Finding {
    Finding(
      breaking: "clip.truncated", message, severity: isSalvaging ? .warning : .error,
      next: "copy it again from the camera, or take the good part with --salvage")
  }

  private func trackFindings(_ probe: ClipProbe) -> [Finding] {
    guard let video = probe.mainVideo else {
      let hasPicture = probe.videoTracks.contains(where: \.isAttachedPicture)
      return [
        Finding(
          breaking: "clip.video",
          hasPicture
            ? "the file holds sound and a cover picture, but no video" : "the file has no video track")
      ]
    }
    var findings: [Finding] = []
    if probe.isEncrypted == true {
      findings.append(
        Finding(
          breaking: "clip.video", "the file is encrypted: nobody can watch it without a key",
          next: "export it without protection"))
    }
    if video.codec == "none" || video.hasDecoder == false {
      let codec = video.codec == "none" ? video.codecTag : video.codec
      findings.append(
        Finding(
          breaking: "clip.video", "no decoder here knows the video codec\(codec.map { " (\($0))" } ?? "")",
          place: "track \(video.index)", next: "export the clip as H.264 or HEVC, or install a newer FFmpeg"))
    }
    if probe.videoTracks.filter({ !$0.isAttachedPicture }).count > 1 {
      findings.append(
        Finding(
          rule: "clip.one-video", severity: .warning,
          message: "the file has several video tracks; track \(video.index) is taken", place: "track \(video.index)"))
    }
    if video.isInterlaced {
      findings.append(
        Finding(
          rule: "clip.interlaced", severity: .warning, message: "the picture is interlaced; it will be deinterlaced",
          place: "track \(video.index)"))
    }
    if video.color.dolbyVisionProfile == 5 {
      findings.append(
        Finding(
          breaking: "clip.color", "Dolby Vision profile 5 has no base layer that other decoders can show",
          place: "track \(video.index)"))
    }
    if let rate = video.averageFrameRate?.value, !frameRates.contains(rate) {
      findings.append(
        Finding(
          rule: "clip.frame-rate", severity: .warning,
          message:
            "\(decimal(rate)) frames per second; players expect \(decimal(frameRates.lowerBound)) to \(decimal(frameRates.upperBound))",
          place: "track \(video.index)"))
    }
    return findings
  }

  private func durationFindings(_ probe: ClipProbe, cut: Range<Double>?) -> [Finding] {
    guard probe.mainVideo != nil else { return [] }
    guard let duration = cut.map({ $0.upperBound - $0.lowerBound }) ?? videoSeconds(probe) else {
      return [
        Finding(
          breaking: "clip.duration", "the length is unknown: no packet has a time",
          next: "copy it into a fresh file: ffmpeg -i IN -c copy OUT.mp4")
      ]
    }
    guard let limits = seconds, !RallyLimits.allows(seconds: duration, in: limits) else { return [] }
    let isShort = duration < limits.lowerBound
    return [
      Finding(
        breaking: "clip.duration",
        "the \(cut == nil ? "clip" : "rally") lasts \(decimal(duration)) s; a shared rally has \(decimal(limits.lowerBound)) to \(decimal(limits.upperBound)) s",
        next: isShort ? "choose a longer rally" : "name a rally inside it: --metadata FILE --rally N")
    ]
  }
}
