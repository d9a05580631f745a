/// Decides how to process the video.
extension ClipRules {
  func videoTreatment(_ context: inout PlanContext) -> VideoTreatment {
    let (video, settings) = (context.video, context.settings)
    let reasons = reasonsToTranscode(context)
    guard !reasons.isEmpty else {
      context.addDecision(
        "video: copy \(video.codec) \(video.storedSize) without re-encoding",
        because: "all players support this format, and copying is lossless")
      return .copy(trackIndex: video.index)
    }
    let keepsHDR = settings.keepsHDR && video.color.dynamicRange != .sdr
    let codec: VideoEncoding.Codec = keepsHDR ? .hevcHDR : settings.codec == .hevc ? .hevc : .h264
    var encoding = VideoEncoding(
      codec: codec, constantRateFactor: settings.constantRateFactor, effort: settings.effort,
      usesHardware: settings.usesHardware && !keepsHDR)
    var steps: [PictureStep] = []
    if video.isInterlaced {
      steps.append(.deinterlace)
      context.addDecision(
        "frames: turn each field into a full frame, which doubles the frame rate",
        because: "the video is interlaced, and players expect progressive video")
    }
    if video.color.dynamicRange != .sdr, !keepsHDR {
      steps.append(.toneMap(from: video.color.dynamicRange))
      context.addDecision(
        "color: tone map \(video.color.dynamicRange.rawValue.uppercased()) to BT.709 SDR",
        because: "HDR video looks washed out in SDR players")
    }
    let square = video.storedSize.withSquarePixels(sampleAspectRatio: video.sampleAspectRatio)
    var target = square.fitted(longSide: settings.longSide, shortSide: settings.shortSide)
    encoding.frameRateDivisor = frameRateDivisor(&context)
    if let limit = settings.maximumByteCount {
      target = sizeForFileLimit(target, square: square, limit: limit, encoding: &encoding, context: &context)
    } else if !context.isCut {
      encoding.sizeCap = sizeCap(context.probe.byteCount, size: target, context: context)
    }
    steps.append(.scale(width: target.width, height: target.height))
    let name = codec == .h264 ? "H.264" : codec == .hevc ? "HEVC" : "HEVC Main 10 with HDR"
    context.addDecision(
      "video: \(video.codec) \(video.storedSize) to \(name) \(target)", because: reasons.joined(separator: "; "))
    return .transcode(trackIndex: video.index, steps: steps, encoding: encoding)
  }

  private func reasonsToTranscode(_ context: PlanContext) -> [String] {
    let (video, settings) = (context.video, context.settings)
    var reasons = codecReasons(video, settings: settings)
    let size = video.storedSize.withSquarePixels(sampleAspectRatio: video.sampleAspectRatio)
    if size.longSide > settings.longSide || size.shortSide > settings.shortSide {
      reasons.append("\(size) exceeds the maximum size of \(settings.longSide)x\(settings.shortSide)")
    }
    if !video.hasSquarePixels { reasons.append("the pixels are not square") }
    if video.width % 2 != 0 || video.height % 2 != 0 { reasons.append("the width or height is an odd number") }
    if video.isInterlaced { reasons.append("the video is interlaced") }
    if let bits = video.bitsPerSecond, bits > MuxStandard.today.averageBitsPerSecond {
      reasons.append("the bit rate of \(decimal(Double(bits) / 1e6)) Mbit/s exceeds the limit of 8 Mbit/s")
    }
    if let gop = video.gop { reasons += gopReasons(gop, codec: video.codec) }
    if let rate = video.averageFrameRate?.value, rate > MuxStandard.today.frameRates.upperBound {
      reasons.append("the frame rate of \(decimal(rate)) exceeds the limit of 120 frames per second")
    }
    if video.hasSimpleEdits == false { reasons.append("the edit list is too complex") }
    if let hidden = video.hiddenSeconds, hidden > ClipRules.hiddenSecondsLimit {
      reasons.append("the edit list hides \(decimal(hidden)) s of video, which a copy would include")
    }
    if context.probe.container == "avi" { reasons.append("AVI has no presentation timestamps") }
    if context.isCut { reasons += cutReasons(context) }
    if let limit = settings.maximumByteCount {
      // A copy's index may be larger than the source's index.
      let most = context.isCut ? 0 : limit - limit / 50
      if context.probe.byteCount > most {
        reasons.append(
          "the file size of \(ByteCount.text(context.probe.byteCount)) exceeds the limit of \(ByteCount.text(limit))")
      }
    }
    if settings.salvages { reasons.append("damage can be detected only by decoding") }
    return reasons
  }

  /// A part may have a higher bit rate than the entire clip, so it's copied only if no group of pictures exceeds the
  /// limit.
  private func cutReasons(_ context: PlanContext) -> [String] {
    guard context.startsAtKeyFrame else { return ["the cut must be frame-accurate"] }
    let highest = context.video.gop?.highestBitsPerSecond ?? .max
    return highest <= MuxStandard.today.averageBitsPerSecond ? [] : ["the bit rate of the cut may exceed 8 Mbit/s"]
  }

  private func codecReasons(_ video: VideoTrack, settings: ProcessingSettings) -> [String] {
    var reasons: [String] = []
    switch (settings.codec, video.codec) {
    case (.h264, "h264"), (.hevc, "hevc"), (.keep, "h264"), (.keep, "hevc"): break
    case (.hevc, "h264"): reasons.append("you requested HEVC")
    // To preserve HDR, copied video may remain HEVC.
    case (_, "hevc") where settings.keepsHDR && video.color.dynamicRange != .sdr: break
    default: reasons.append("not all players support \(video.codec)")
    }
    if let format = video.pixelFormat {
      if reasons.isEmpty, MuxStandard.today.pixelFormats[video.codec]?.contains(format) != true {
        reasons.append("not all players support the pixel format \(format)")
      }
    } else {
      reasons.append("the pixel format is unknown")
    }
    if video.color.dynamicRange != .sdr, !(settings.keepsHDR && video.codec == "hevc") {
      reasons.append("the video is HDR")
    }
    return reasons
  }

  private func gopReasons(_ gop: GOPProperties, codec: String) -> [String] {
    var reasons: [String] = []
    if let longest = MuxStandard.today.keyFrameSeconds[codec], gop.longestSeconds > longest {
      reasons.append("the key frames are up to \(decimal(gop.longestSeconds)) s apart")
    }
    if gop.isClosed == false { reasons.append("players cannot start playback at some key frames (open GOPs)") }
    if let bits = gop.highestBitsPerSecond, bits > MuxStandard.today.gopBitsPerSecond {
      reasons.append("the bit rate peaks at \(decimal(Double(bits) / 1e6)) Mbit/s, above the limit of 16 Mbit/s")
    }
    return reasons
  }

  private func frameRateDivisor(_ context: inout PlanContext) -> Int {
    guard let rate = context.video.averageFrameRate?.value, rate > MuxStandard.today.frameRates.upperBound else {
      return 1
    }
    let divisor = Int((rate / MuxStandard.today.frameRates.upperBound).rounded(.up))
    context.addDecision(
      "frames: keep 1 of every \(divisor)",
      because: "the frame rate of \(decimal(rate)) exceeds the limit of 120 frames per second")
    return divisor
  }

  /// The frame rate of the output video.
  private func outputFrameRate(_ context: PlanContext) -> Double {
    let rate = min(context.video.averageFrameRate?.value ?? 30, MuxStandard.today.frameRates.upperBound)
    return context.video.isInterlaced ? rate * 2 : rate
  }

  /// The video bit rate for a file of the given size, with 3 % headroom for the container and rate control.
  private func videoBitsPerSecond(in byteCount: Int64, context: PlanContext) -> Double {
    guard context.duration > 0 else { return 0 }
    return max((Double(byteCount) * 8 / context.duration - Double(context.audioBitsPerSecond)) * 0.97, 0)
  }

  private func minimumBitsPerSecond(_ size: PictureSize, context: PlanContext) -> Double {
    Double(size.width * size.height) * outputFrameRate(context) * ClipRules.bitsPerPixelFloor
  }

  /// Limits the output size. Below the bit rate floor, quality takes precedence over size.
  private func sizeCap(_ byteCount: Int64, size: PictureSize, context: PlanContext) -> VideoEncoding.SizeCap? {
    guard context.duration > 0 else { return nil }
    return VideoEncoding.SizeCap(
      byteCount: byteCount, bitsPerSecond: Int64(videoBitsPerSecond(in: byteCount, context: context)),
      floorBitsPerSecond: Int64(minimumBitsPerSecond(size, context: context)))
  }

  /// Chooses the largest standard resolution that looks good at the requested file size, and sets a cap that enforces
  /// this size.
  private func sizeForFileLimit(
    _ target: PictureSize, square: PictureSize, limit: Int64, encoding: inout VideoEncoding,
    context: inout PlanContext
  ) -> PictureSize {
    let budget = videoBitsPerSecond(in: limit, context: context)
    let sides = [1080, 720, 540, 360, 240].filter { $0 < target.shortSide }
    let smaller = sides.map { square.fitted(longSide: $0 * 16 / 9, shortSide: $0) }
    let chosen =
      ([target] + smaller).first { minimumBitsPerSecond($0, context: context) <= budget } ?? smaller.last ?? target
    let smallest = min(context.probe.byteCount, limit)
    encoding.sizeCap = sizeCap(context.isCut ? limit : smallest, size: chosen, context: context)
    encoding.sizeCap?.isPromise = true
    let bits = Int64(budget)
    if bits < encoding.maximumBitsPerSecond {
      encoding.maximumBitsPerSecond = max(bits, VideoEncoding.minimumBitsPerSecond)
      encoding.bufferBits = encoding.maximumBitsPerSecond
    }
    if chosen != target {
      let warning = minimumBitsPerSecond(chosen, context: context) > budget ? "; the quality will still be low" : ""
      context.addDecision(
        "size: reduced from \(target) to \(chosen)",
        because: "a file size of \(ByteCount.text(limit)) allows \(Int(budget / 1000)) kbit/s for the video" + warning)
    }
    return chosen
  }
}
