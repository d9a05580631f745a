internal import Foundation

/// Creates the plan for processing a clip.
extension ClipRules {
  /// Decides how to process a clip, or why to reject it.
  ///
  /// - Parameters:
  ///   - probe: the properties of the clip.
  ///   - cut: the selected part, in seconds; `nil` for the entire clip.
  ///   - settings: the user's settings for the output.
  ///   - isRally: whether the output is a rally with the app's usual margins before and after play.
  ///   - hidesLead: whether a cut that starts between key frames may be copied from the previous key frame. An edit
  ///     list then hides the part before the start of the cut.
  ///   - fitsLimits: whether the end of a cut may move, so that the length of the output is within the limits.
  ///   - known: the clip's findings, if they are already known.
  public func plan(
    _ probe: ClipProbe, cut: Range<Double>? = nil, settings: ProcessingSettings, isRally: Bool = false,
    hidesLead: Bool = false, fitsLimits: Bool = false, findings known: [Finding]? = nil
  ) -> Verdict {
    let findings = known ?? findings(for: probe, cut: cut, salvaging: settings.salvages)
    func fit(_ range: Range<Double>) -> Range<Double> { fitsLimits ? fitToLimits(range, in: probe) : range }
    var trim = cut.map(fit)
    guard !findings.contains(where: { $0.severity == .error }), let video = probe.mainVideo,
      let duration = trim.map({ $0.upperBound - $0.lowerBound }) ?? probe.shownSeconds
    else { return .rejection(findings) }
    let keyFrame = cut.flatMap { self.keyFrameTime(for: $0, in: video) }
    let lead = hidesLead && keyFrame == nil ? cut.flatMap { leadDuration(of: $0, in: video) } : nil
    var context = PlanContext(
      probe: probe, video: video, duration: duration, isCut: cut != nil,
      startsAtKeyFrame: keyFrame != nil || lead != nil, settings: settings)
    var audioDecisions: [ProcessingPlan.Decision] = []
    let audio = audioTreatment(probe, settings: settings, decisions: &audioDecisions)
    context.audioBitsPerSecond = audio.map { bitsPerSecond($0, probe: probe) } ?? 0
    let treatment = videoTreatment(&context)
    context.decisions += audioDecisions
    var hidden: Double?
    if let cut {
      var why = "you requested only this part"
      if case .copy = treatment, let keyFrame {
        trim = fit(keyFrame..<cut.upperBound)
        let milliseconds = Int(((keyFrame - cut.lowerBound) * 1000).rounded())
        why += "; the copy starts at a key frame \(milliseconds) ms from the requested start"
      } else if case .copy = treatment, let lead {
        hidden = lead
        why += "; the copy starts at a key frame \(decimal(lead)) s earlier, and an edit list hides the extra part"
      }
      let range = trim ?? cut
      context.decisions.insert(
        .init("cut: \(decimal(range.lowerBound)) s to \(decimal(range.upperBound)) s", because: why), at: 0)
    }
    let length = trim.map { $0.upperBound - $0.lowerBound } ?? duration
    var plan = ProcessingPlan(
      trim: trim, video: treatment, audio: audio,
      dropped: droppedParts(probe, keeping: [video.index, audio?.trackIndex]),
      pictures: PictureRules(
        durationSeconds: length + (trim == nil ? startOffset(probe, video) : 0),
        shown: outputSize(treatment, of: video), frameRate: video.averageFrameRate?.value,
        play: isRally ? PictureRules.rangeOfPlay(inRallyOf: length) : nil
      ).makePlans(settings.pictures),
      decisions: context.decisions, durationSeconds: length,
      estimatedByteCount: estimateByteCount(treatment, audio: audio, probe: probe, duration: length))
    if settings.salvages { plan.salvages = true }
    plan.leadSeconds = hidden
    return .plan(plan)
  }

  /// Moves the end of a range so that its length is within the limits. A copied cut can be slightly shorter or longer
  /// than requested, because it starts at a key frame and ends with a complete frame.
  private func fitToLimits(_ range: Range<Double>, in probe: ClipProbe) -> Range<Double> {
    guard let seconds else { return range }
    // The margins are longer than a clip's last frames.
    let (minimum, maximum) = (seconds.lowerBound + 0.02, seconds.upperBound - 0.2)
    let length = range.upperBound - range.lowerBound
    guard minimum <= maximum, length < minimum || length > maximum else { return range }
    let end = range.upperBound + max(minimum - length, 0) - max(length - maximum, 0)
    return range.lowerBound..<min(end, max(range.upperBound, probe.shownSeconds ?? end))
  }

  /// The duration of audio or silence that precedes the video. The output preserves this offset.
  private func startOffset(_ probe: ClipProbe, _ video: VideoTrack) -> Double {
    // Presentation starts at timestamp 0 only in MP4.
    let starts = (probe.videoTracks.map(\.startSeconds) + probe.audioTracks.map(\.startSeconds)).compactMap(\.self)
    let origin = probe.container.contains("mp4") ? 0 : starts.min() ?? 0
    return max((video.startSeconds ?? 0) - origin, 0)
  }

  /// The displayed size of the output.
  private func outputSize(_ treatment: VideoTreatment, of video: VideoTrack) -> PictureSize {
    guard case .transcode(_, let steps, _) = treatment else { return video.shownSize }
    let scaled = steps.compactMap { step -> PictureSize? in
      guard case .scale(let width, let height) = step else { return nil }
      return PictureSize(width: width, height: height)
    }
    let stored = scaled.last ?? video.storedSize.withSquarePixels(sampleAspectRatio: video.sampleAspectRatio)
    return video.orientation.swapsAxes ? stored.transposed : stored
  }

  /// The key frame where a copied cut may start, which must be close to the requested start.
  private func keyFrameTime(for cut: Range<Double>, in video: VideoTrack) -> Double? {
    let frame = 1 / max(video.averageFrameRate?.value ?? 30, 1)
    return video.gop?.keyFrameSeconds?.first { abs($0 - cut.lowerBound) <= max(ClipRules.cutTolerance, frame / 2) }
  }

  /// The interval between the previous key frame and the start of a cut; `nil` if it's unknown or too long for a copy.
  private func leadDuration(of cut: Range<Double>, in video: VideoTrack) -> Double? {
    guard let keys = video.gop?.keyFrameSeconds, let key = keys.last(where: { $0 <= cut.lowerBound }) else {
      return nil
    }
    let lead = cut.lowerBound - key
    return lead <= ClipRules.leadLimit ? lead : nil
  }

  /// The maximum duration, in seconds, that may be copied with a cut but hidden. Phones write a key frame every second.
  /// If key frames are less frequent, the hidden part could double the length of a clip.
  static let leadLimit = 5.0

  /// The maximum time, in seconds, that a copied cut may start early or late. Rally times are estimated by a model, so
  /// a tenth of a second matters less than the quality and time that encoding would cost.
  static let cutTolerance = 0.1

  private func droppedParts(_ probe: ClipProbe, keeping kept: [Int?]) -> [ProcessingPlan.Decision] {
    func trackDecision(_ index: Int, _ name: String, because why: String) -> ProcessingPlan.Decision {
      .init("track \(index) (\(name))", because: why, removing: [.track])
    }
    let carriers = Set(probe.locationCarriers.compactMap(\.trackIndex))
    var parts = probe.locationCarriers.map {
      ProcessingPlan.Decision(
        "\($0.place) (\($0.kind))", because: "this metadata may contain location data", removing: [.location])
    }
    parts += probe.dataTracks.filter { !carriers.contains($0.index) }.map {
      trackDecision(
        $0.index, $0.codecTag ?? $0.codec ?? $0.type,
        because: "players ignore this track, and timed metadata may be private")
    }
    parts += probe.videoTracks.filter { !kept.contains($0.index) }.map {
      trackDecision(
        $0.index, $0.codec,
        because: $0.isAttachedPicture ? "a cover image is not part of the clip" : "bsc shares only one video track")
    }
    parts += probe.audioTracks.filter { !kept.contains($0.index) }.map {
      trackDecision(
        $0.index, $0.codecTag ?? $0.codec,
        because: $0.isDecodable ? "bsc shares only one audio track" : "only some players support this audio format")
    }
    // The capture date is kept, and the muxer's name doesn't identify anyone.
    let keys = probe.metadataKeys.filter { !["creation_time", "encoder"].contains($0) }
    if !keys.isEmpty {
      parts.append(
        .init(
          "container metadata (\(keys.joined(separator: ", ")))",
          because: "this metadata may identify the device or its owner; bsc keeps the capture date",
          removing: RemovedData.classify(metadataKeys: keys)))
    }
    return parts
  }

  private func estimateByteCount(
    _ treatment: VideoTreatment, audio: AudioTreatment?, probe: ClipProbe, duration: Double
  ) -> Int64? {
    switch treatment {
    case .copy:
      guard let whole = probe.shownSeconds, whole > 0 else { return probe.byteCount }
      return Int64(Double(probe.byteCount) * min(duration / whole, 1))
    case .transcode(_, let steps, let encoding):
      var pixels = 1920.0 * 1080
      for case .scale(let width, let height) in steps { pixels = Double(width * height) }
      // About 0.09 bits per pixel and frame at CRF 21, measured in gyms and on beaches. Every six CRF steps halve the
      // rate.
      let rate = probe.mainVideo?.averageFrameRate?.value ?? 30
      let bits = pixels * rate * 0.09 * exp2((21 - encoding.constantRateFactor) / 6)
      let capped = min(bits, Double(encoding.maximumBitsPerSecond))
      let audioBits = audio.map { bitsPerSecond($0, probe: probe) } ?? 0
      let bytes = Int64((capped + Double(audioBits)) * duration / 8)
      return encoding.sizeCap.map { min(bytes, $0.byteCount) } ?? bytes
    }
  }
}

/// The input for decisions about the video, and the decisions made so far.
struct PlanContext {
  let probe: ClipProbe
  let video: VideoTrack
  /// The output duration in seconds.
  let duration: Double
  let isCut: Bool
  /// Whether the cut starts at a position where the video can be copied.
  let startsAtKeyFrame: Bool
  let settings: ProcessingSettings
  var audioBitsPerSecond: Int64 = 0
  var decisions: [ProcessingPlan.Decision] = []

  mutating func addDecision(_ what: String, because why: String) {
    decisions.append(ProcessingPlan.Decision(what, because: why))
  }
}
