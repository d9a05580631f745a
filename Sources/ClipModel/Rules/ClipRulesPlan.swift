/// The decisions about a clip: from facts to a plan.
extension ClipRules {
  /// What will be done with a clip, or why nothing will.
  ///
  /// - Parameters:
  ///   - probe: the clip's facts.
  ///   - cut: the part that is meant, seconds; `nil` for all of it.
  ///   - settings: the user's choices for the output.
  ///   - isRally: what comes out is a rally, with the app's usual moments before and after play.
  ///   - hidesLead: a cut between key frames may be copied from the one before it, with an edit list that hides what
  ///     comes before its beginning.
  ///   - known: the findings for the same clip, where they were asked for before.
  public func plan(
    _ probe: ClipProbe, cut: Range<Double>? = nil, settings: ProcessingSettings, isRally: Bool = false,
    hidesLead: Bool = false, findings known: [Finding]? = nil
  ) -> Verdict {
    let findings = known ?? findings(for: probe, cut: cut, salvaging: settings.salvages)
    guard !findings.contains(where: { $0.severity == .error }), let video = probe.mainVideo,
      let duration = cut.map({ $0.upperBound - $0.lowerBound }) ?? videoSeconds(probe)
    else { return .rejection(findings) }
    let keyFrame = cut.flatMap { self.keyFrame(for: $0, in: video) }
    let lead = hidesLead && keyFrame == nil ? cut.flatMap { leadSeconds(of: $0, in: video) } : nil
    var context = PlanContext(
      probe: probe, video: video, duration: duration, isCut: cut != nil,
      startsAtKeyFrame: keyFrame != nil || lead != nil, settings: settings)
    var audioDecisions: [ProcessingPlan.Decision] = []
    let audio = audioTreatment(probe, settings: settings, decisions: &audioDecisions)
    context.audioBitsPerSecond = audio.map { bitsPerSecond($0, probe: probe) } ?? 0
    let treatment = videoTreatment(&context)
    context.decisions += audioDecisions
    var trim = cut
    var hidden: Double?
    if let cut {
      var why = "the rest is not wanted"
      if case .copy = treatment, let keyFrame {
        trim = keyFrame..<cut.upperBound
        let milliseconds = Int(((keyFrame - cut.lowerBound) * 1000).rounded())
        why += "; a key frame \(milliseconds) ms from its beginning lets it be copied"
      } else if case .copy = treatment, let lead {
        hidden = lead
        why += "; \(decimal(lead)) s from the key frame before it are copied along and not shown"
      }
      let range = trim ?? cut
      context.decisions.insert(
        .init("cut: \(decimal(range.lowerBound)) s to \(decimal(range.upperBound)) s", because: why), at: 0)
    }
    let length = trim.map { $0.upperBound - $0.lowerBound } ?? duration
    var plan = ProcessingPlan(
      trim: trim, video: treatment, audio: audio, dropped: dropped(probe, keeping: [video.index, audio?.trackIndex]),
      pictures: PictureRules(
        durationSeconds: length + (trim == nil ? startOffset(probe, video) : 0),
        shown: outputSize(treatment, of: video), frameRate: video.averageFrameRate?.value,
        play: isRally ? PictureRules.play(inRallyOf: length) : nil
      ).plans(settings.pictures),
      decisions: context.decisions, durationSeconds: length,
      estimatedByteCount: estimate(treatment, audio: audio, probe: probe, duration: length))
    if settings.salvages { plan.salvages = true }
    plan.leadSeconds = hidden
    return .plan(plan)
  }

  /// How long sound or silence precedes the picture; the output keeps it.
  private func startOffset(_ probe: ClipProbe, _ video: VideoTrack) -> Double {
    // The clock of MP4 begins with the presentation, that of others anywhere.
    let starts = (probe.videoTracks.map(\.startSeconds) + probe.audioTracks.map(\.startSeconds)).compactMap(\.self)
    let origin = probe.container.contains("mp4") ? 0 : starts.min() ?? 0
    return max((video.startSeconds ?? 0) - origin, 0)
  }

  /// Of the output as people see it.
  private func outputSize(_ treatment: VideoTreatment, of video: VideoTrack) -> PictureSize {
    guard case .transcode(_, let steps, _) = treatment else { return video.shownSize }
    let scaled = steps.compactMap { step -> PictureSize? in
      guard case .scale(let width, let height) = step else { return nil }
      return PictureSize(width: width, height: height)
    }
    let stored = scaled.last ?? video.storedSize.squared(sampleAspectRatio: video.sampleAspectRatio)
    return video.orientation.swapsAxes ? stored.turned : stored
  }

  /// The key frame at which a copy of a cut may begin: hardly before or behind the cut.
  private func keyFrame(for cut: Range<Double>, in video: VideoTrack) -> Double? {
    let frame = 1 / max(video.averageFrameRate?.value ?? 30, 1)
    return video.gop?.keyFrameSeconds?.first { abs($0 - cut.lowerBound) <= max(ClipRules.cutTolerance, frame / 2) }
  }

  /// How long before a cut the picture begins from which it can be copied; `nil` where it is unknown or too long.
  private func leadSeconds(of cut: Range<Double>, in video: VideoTrack) -> Double? {
    guard let keys = video.gop?.keyFrameSeconds, let key = keys.last(where: { $0 <= cut.lowerBound }) else {
      return nil
    }
    let lead = cut.lowerBound - key
    return lead <= ClipRules.leadLimit ? lead : nil
  }

  /// Seconds that are copied along with a cut and not shown. Phones have a key frame each second; of sources with few,
  /// clips would be as long again as their rallies.
  static let leadLimit = 5.0

  /// Seconds that a copied cut may begin early or late. A rally's times are estimates of a model; a tenth of a second
  /// of play is nothing, encoding anew is quality and time.
  static let cutTolerance = 0.1

  private func dropped(_ probe: ClipProbe, keeping kept: [Int?]) -> [ProcessingPlan.Decision] {
    let kept = Set(kept.compactMap { $0 })
    var parts: [ProcessingPlan.Decision] = probe.locationCarriers.map {
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
      parts.append(
        .init(
          "track \(track.index) (\(track.codecTag ?? track.codec))",
          because: track.isDecodable ? "one audio track is shared" : "only some players can play this kind of sound"))
    }
    // The capture date stays, and the muxer's name identifies no person.
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
    case .copy:
      guard let whole = videoSeconds(probe), whole > 0 else { return probe.byteCount }
      return Int64(Double(probe.byteCount) * min(duration / whole, 1))
    case .transcode(_, let steps, let encoding):
      var pixels = 1920.0 * 1080
      for case .scale(let width, let height) in steps { pixels = Double(width * height) }
      // About 0.09 bits per pixel and frame at CRF 21 on gym and beach scenes; six CRF steps halve it.
      let rate = probe.mainVideo?.averageFrameRate?.value ?? 30
      let bits = pixels * rate * 0.09 * pow2((21 - encoding.constantRateFactor) / 6)
      let capped = min(bits, Double(encoding.maximumBitsPerSecond))
      let audioBits = audio.map { bitsPerSecond($0, probe: probe) } ?? 0
      let bytes = Int64((capped + Double(audioBits)) * duration / 8)
      return encoding.sizeCap.map { min(bytes, $0.byteCount) } ?? bytes
    }
  }

  func videoSeconds(_ probe: ClipProbe) -> Double? { probe.shownSeconds }
}

/// What the decisions about the picture look at, and the decisions so far.
struct PlanContext {
  let probe: ClipProbe
  let video: VideoTrack
  /// Of the output, seconds.
  let duration: Double
  let isCut: Bool
  /// The cut begins where a copy could.
  let startsAtKeyFrame: Bool
  let settings: ProcessingSettings
  var audioBitsPerSecond: Int64 = 0
  var decisions: [ProcessingPlan.Decision] = []

  mutating func decide(_ what: String, because why: String) {
    decisions.append(ProcessingPlan.Decision(what, because: why))
  }
}
