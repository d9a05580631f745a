/// What bsc accepts and what it makes of it. Pure: facts in, findings or a plan out, every decision with its reason.
public struct ClipRules: Sendable {
  /// Mux's standard input, the 1080p column (reference: Mux, "minimize processing time").
  enum StandardInput {
    static let averageBitsPerSecond: Int64 = 8_000_000
    static let keyFrameSeconds = 20.0
    static let frameRates = 5.0...120.0
    static let audioChannelCounts: Set<Int> = [1, 2, 6]
  }

  /// An edit list may cut off this much, in seconds, as rounding to its ticks does; more is content somebody hid.
  static let hiddenSecondsLimit = 0.04

  /// Bits per pixel and frame below which a smaller file would look bad: the floor under "never bigger than the source".
  static let bitsPerPixelFloor = 0.03

  public init() {}

  /// What `plan` answers.
  public enum Verdict: Equatable, Sendable {
    case plan(ProcessingPlan)
    /// At least one finding is an error.
    case rejection([Finding])
  }

  // MARK: Findings

  /// What is wrong with a clip, whatever will be done with it. `cut` is the rally's place in it, seconds.
  public func findings(for probe: ClipProbe, cut: Range<Double>? = nil) -> [Finding] {
    var findings: [Finding] = []
    findings += trackFindings(probe)
    findings += durationFindings(probe, cut: cut)
    if let missing = probe.missingByteCount, missing > 0 {
      findings.append(
        Finding(
          rule: "clip.truncated", severity: .error,
          message: "the file is cut off: \(ByteCount.text(missing)) of its video and sound are missing",
          next: "copy it again from the camera"))
    }
    for anomaly in probe.anomalies where (probe.missingByteCount ?? 0) == 0 {
      findings.append(Finding(rule: "clip.container", severity: .warning, message: anomaly))
    }
    return findings
  }

  private func trackFindings(_ probe: ClipProbe) -> [Finding] {
    guard let video = probe.mainVideo else {
      let hasPicture = probe.videoTracks.contains(where: \.isAttachedPicture)
      return [
        Finding(
          rule: "clip.video", severity: .error,
          message: hasPicture
            ? "the file holds sound and a cover picture, but no video" : "the file has no video track",
          next: "choose the file that the camera wrote")
      ]
    }
    var findings: [Finding] = []
    if probe.videoTracks.filter({ !$0.isAttachedPicture }).count > 1 {
      findings.append(
        Finding(
          rule: "clip.video", severity: .warning,
          message: "the file has several video tracks; track \(video.index) is taken", place: "track \(video.index)"))
    }
    if let order = video.fieldOrder, order != "progressive" {
      findings.append(
        Finding(
          rule: "clip.interlaced", severity: .error,
          message: "the picture is interlaced, and bsc cannot deinterlace", place: "track \(video.index)",
          next: "deinterlace it first: ffmpeg -i IN -vf bwdif OUT.mp4"))
    }
    if video.color.dolbyVisionProfile == 5 {
      findings.append(
        Finding(
          rule: "clip.color", severity: .error,
          message: "Dolby Vision profile 5 has no base layer that other decoders can show",
          place: "track \(video.index)", next: "export the clip as HDR10, HLG or SDR"))
    }
    if let rate = video.averageFrameRate?.value, !StandardInput.frameRates.contains(rate) {
      findings.append(
        Finding(
          rule: "clip.frame-rate", severity: .warning,
          message: "\(decimal(rate)) frames per second; players expect 5 to 120", place: "track \(video.index)"))
    }
    return findings
  }

  private func durationFindings(_ probe: ClipProbe, cut: Range<Double>?) -> [Finding] {
    guard probe.mainVideo != nil else { return [] }
    guard let duration = cut.map({ $0.upperBound - $0.lowerBound }) ?? videoSeconds(probe) else {
      return [
        Finding(
          rule: "clip.duration", severity: .error, message: "the file does not tell how long it is",
          next: "copy it into a fresh file: ffmpeg -i IN -c copy OUT.mp4")
      ]
    }
    guard !RallyLimits.allows(seconds: duration) else { return [] }
    let limits = RallyLimits.seconds
    let isShort = duration < limits.lowerBound
    return [
      Finding(
        rule: "clip.duration", severity: .error,
        message:
          "the \(cut == nil ? "clip" : "rally") lasts \(decimal(duration)) s; a shared rally has \(Int(limits.lowerBound)) to \(Int(limits.upperBound)) s",
        next: isShort ? "choose a longer rally" : "name a rally inside it: --metadata FILE --rally N")
    ]
  }

  // MARK: Plan

  /// What will be done with a clip, or why nothing will.
  ///
  /// - Parameter allowingAnyLength: for work that ends in a file and not in a highlight.
  public func plan(
    _ probe: ClipProbe, cut: Range<Double>? = nil, settings: ProcessingSettings, allowingAnyLength: Bool = false
  ) -> Verdict {
    var findings = findings(for: probe, cut: cut)
    if allowingAnyLength { findings.removeAll { $0.rule == "clip.duration" && videoSeconds(probe) != nil } }
    guard !findings.contains(where: { $0.severity == .error }), let video = probe.mainVideo,
      let duration = cut.map({ $0.upperBound - $0.lowerBound }) ?? videoSeconds(probe)
    else { return .rejection(findings) }
    var decisions: [ProcessingPlan.Decision] = []
    if let cut {
      decisions.append(
        .init("cut: \(decimal(cut.lowerBound)) s to \(decimal(cut.upperBound)) s", because: "that is the rally"))
    }
    let treatment = videoTreatment(
      video, probe: probe, isCut: cut != nil, duration: duration, settings: settings, decisions: &decisions)
    let audio = audioTreatment(probe, settings: settings, decisions: &decisions)
    return .plan(
      ProcessingPlan(
        trim: cut, video: treatment, audio: audio, dropped: dropped(probe, keeping: [video.index, audio?.trackIndex]),
        poster: PosterPlan(atSeconds: min(max(settings.posterSeconds, 0), max(duration - 0.1, 0))),
        decisions: decisions, durationSeconds: duration,
        estimatedByteCount: estimate(treatment, audio: audio, probe: probe, duration: duration)))
  }

  private func videoTreatment(
    _ video: VideoTrack, probe: ClipProbe, isCut: Bool, duration: Double, settings: ProcessingSettings,
    decisions: inout [ProcessingPlan.Decision]
  ) -> VideoTreatment {
    let reasons = reasonsToTranscode(video, container: probe.container, isCut: isCut, settings: settings)
    guard !reasons.isEmpty else {
      decisions.append(
        .init(
          "video: copy \(video.codec) \(video.storedSize) without re-encoding",
          because: "it already is what every player takes, and copying loses nothing"))
      return .copy(trackIndex: video.index)
    }
    let square = video.storedSize.squared(sampleAspectRatio: video.sampleAspectRatio)
    let target = square.fitted(longSide: settings.longSide, shortSide: settings.shortSide)
    var steps: [PictureStep] = []
    if video.color.dynamicRange != .sdr {
      steps.append(.toneMap(from: video.color.dynamicRange))
      decisions.append(
        .init(
          "colour: \(video.color.dynamicRange.rawValue.uppercased()) to BT.709 SDR by tone mapping",
          because: "SDR players would show HDR washed out"))
    }
    steps.append(.scale(width: target.width, height: target.height))
    decisions.append(
      .init(
        "video: \(video.codec) \(video.storedSize) to H.264 \(target)", because: reasons.joined(separator: "; ")))
    var encoding = VideoEncoding(constantRateFactor: settings.constantRateFactor)
    if !isCut {
      encoding.sizeCap = sizeCap(target, video: video, probe: probe, duration: duration)
    }
    if let rate = video.averageFrameRate?.value, rate > StandardInput.frameRates.upperBound {
      let divisor = Int((rate / StandardInput.frameRates.upperBound).rounded(.up))
      encoding.frameRateDivisor = divisor
      decisions.append(
        .init("frames: every \(divisor). one is kept", because: "\(decimal(rate)) frames per second is above 120"))
    }
    return .transcode(trackIndex: video.index, steps: steps, encoding: encoding)
  }

  private func reasonsToTranscode(
    _ video: VideoTrack, container: String, isCut: Bool, settings: ProcessingSettings
  ) -> [String] {
    var reasons: [String] = []
    if video.codec != "h264" { reasons.append("\(video.codec) is not played everywhere") }
    if let format = video.pixelFormat, !["yuv420p", "yuvj420p"].contains(format), video.codec == "h264" {
      reasons.append("\(format) is not played everywhere")
    }
    if video.pixelFormat == nil { reasons.append("the pixel format is unknown") }
    if video.color.dynamicRange != .sdr { reasons.append("it is HDR") }
    let size = video.storedSize.squared(sampleAspectRatio: video.sampleAspectRatio)
    if size.longSide > settings.longSide || size.shortSide > settings.shortSide {
      reasons.append("\(size) is larger than \(settings.longSide)x\(settings.shortSide)")
    }
    if !video.hasSquarePixels { reasons.append("its pixels are not square") }
    if video.width % 2 != 0 || video.height % 2 != 0 { reasons.append("its sides are odd") }
    if let bits = video.bitsPerSecond, bits > StandardInput.averageBitsPerSecond {
      reasons.append("\(decimal(Double(bits) / 1e6)) Mbit/s is above the 8 Mbit/s of a standard input")
    }
    if let gop = video.gop, gop.longestSeconds > StandardInput.keyFrameSeconds {
      reasons.append("its key frames are up to \(decimal(gop.longestSeconds)) s apart")
    }
    if let rate = video.averageFrameRate?.value, rate > StandardInput.frameRates.upperBound {
      reasons.append("\(decimal(rate)) frames per second is above 120")
    }
    if video.hasSimpleEdits == false { reasons.append("its edit list is not simple") }
    if let hidden = video.hiddenSeconds, hidden > ClipRules.hiddenSecondsLimit {
      reasons.append("its edit list hides \(decimal(hidden)) s, which a copy would take along")
    }
    if container == "avi" { reasons.append("AVI keeps no presentation times") }
    if isCut { reasons.append("the cut must hit the exact frame") }
    return reasons
  }

  /// The output may not be bigger than the source; below the floor, quality is worth more than bytes.
  private func sizeCap(
    _ size: PictureSize, video: VideoTrack, probe: ClipProbe, duration: Double
  ) -> VideoEncoding.SizeCap? {
    guard duration > 0 else { return nil }
    let audioBits = probe.mainAudio?.bitsPerSecond ?? 128_000
    let room = Double(probe.byteCount) * 8 / duration - Double(audioBits)
    let rate = min(video.averageFrameRate?.value ?? 30, StandardInput.frameRates.upperBound)
    let floor = Double(size.width * size.height) * rate * ClipRules.bitsPerPixelFloor
    // Containers and rate control need some slack: 3 %.
    return VideoEncoding.SizeCap(
      sourceByteCount: probe.byteCount, bitsPerSecond: Int64(max(room * 0.97, 0)), floorBitsPerSecond: Int64(floor))
  }

  private func audioTreatment(
    _ probe: ClipProbe, settings: ProcessingSettings, decisions: inout [ProcessingPlan.Decision]
  ) -> AudioTreatment? {
    guard let audio = probe.mainAudio else { return nil }
    if settings.mute {
      decisions.append(.init("audio: none", because: "--mute"))
      return nil
    }
    let hasSimpleEdits = audio.hasSimpleEdits ?? true
    if audio.codec == "aac", hasSimpleEdits, StandardInput.audioChannelCounts.contains(audio.channelCount) {
      decisions.append(.init("audio: copy AAC", because: "it is played everywhere, and copying loses nothing"))
      return .copy(trackIndex: audio.index)
    }
    let channels =
      StandardInput.audioChannelCounts.contains(audio.channelCount)
      ? audio.channelCount : min(2, max(1, audio.channelCount))
    // AAC's usual rates; above 48 kHz nothing is heard, and Mux wants at most 48 kHz.
    let rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
    let rate = rates.first { $0 >= audio.sampleRate } ?? 48000
    decisions.append(
      .init(
        "audio: \(audio.codec) to AAC, \(channels) channel\(channels == 1 ? "" : "s"), \(rate) Hz",
        because: !hasSimpleEdits
          ? "its edit list is not simple"
          : audio.codec == "aac"
            ? "\(audio.channelCount) channels are not played everywhere"
            : "\(audio.codec) is not played everywhere"))
    return .encode(
      trackIndex: audio.index, channelCount: channels, sampleRate: rate,
      bitsPerSecond: Int64(channels) * 64_000 + 32_000)
  }

  private func dropped(_ probe: ClipProbe, keeping kept: [Int?]) -> [ProcessingPlan.DroppedPart] {
    let kept = Set(kept.compactMap { $0 })
    var parts: [ProcessingPlan.DroppedPart] = probe.locationCarriers.map {
      .init("\($0.place) (\($0.kind))", because: "it can tell where the clip was filmed")
    }
    let carriers = Set(probe.locationCarriers.compactMap(\.trackIndex))
    for track in probe.dataTracks where !carriers.contains(track.index) {
      parts.append(
        .init(
          "track \(track.index) (\(track.codecTag ?? track.codec ?? track.type))",
          because: "no player shows it, and timed metadata may be private"))
    }
    for track in probe.videoTracks where !kept.contains(track.index) {
      parts.append(
        .init(
          "track \(track.index) (\(track.codec))",
          because: track.isAttachedPicture ? "a cover picture is not part of the clip" : "one video track is shared"))
    }
    for track in probe.audioTracks where !kept.contains(track.index) {
      parts.append(.init("track \(track.index) (\(track.codec))", because: "one audio track is shared"))
    }
    // The capture date stays, and the muxer's name says nothing about anybody.
    let keys = probe.metadataKeys.filter { !["creation_time", "encoder"].contains($0) }
    if !keys.isEmpty {
      parts.append(
        .init(
          "container metadata (\(keys.joined(separator: ", ")))",
          because: "it may name the device or its owner; the capture date stays"))
    }
    return parts
  }

  private func estimate(
    _ treatment: VideoTreatment, audio: AudioTreatment?, probe: ClipProbe, duration: Double
  ) -> Int64? {
    switch treatment {
    case .copy: return probe.byteCount
    case .transcode(_, let steps, let encoding):
      var pixels = 1920.0 * 1080
      for case .scale(let width, let height) in steps { pixels = Double(width * height) }
      // About 0.09 bits per pixel and frame at CRF 21 on gym and beach scenes; six CRF steps halve it.
      let rate = probe.mainVideo?.averageFrameRate?.value ?? 30
      let bits = pixels * rate * 0.09 * pow2((21 - encoding.constantRateFactor) / 6)
      let capped = min(bits, Double(encoding.maximumBitsPerSecond))
      let bytes = Int64((capped + (audio == nil ? 0 : 128_000)) * duration / 8)
      return encoding.sizeCap.map { min(bytes, $0.sourceByteCount) } ?? bytes
    }
  }

  private func videoSeconds(_ probe: ClipProbe) -> Double? {
    probe.mainVideo?.durationSeconds ?? probe.durationSeconds
  }
}
