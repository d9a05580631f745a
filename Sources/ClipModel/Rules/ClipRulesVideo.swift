/// The decisions about the video.
extension ClipRules {
  func videoTreatment(_ context: inout PlanContext) -> VideoTreatment {
    let (video, settings) = (context.video, context.settings)
    let reasons = reasonsToTranscode(context)
    guard !reasons.isEmpty else {
      context.decide(
        "video: copy \(video.codec) \(video.storedSize) without re-encoding",
        because: "all players support it, and copying is lossless")
      return .copy(trackIndex: video.index)
    }
    let keepsHDR = settings.keepsHDR && video.color.dynamicRange != .sdr
    let codec: VideoEncoding.Codec = keepsHDR ? .hevcHDR : settings.codec == .hevc ? .hevc : .h264
    var encoding = VideoEncoding(
      codec: codec, constantRateFactor: settings.constantRateFactor, usesHardware: settings.usesHardware && !keepsHDR)
    var steps: [PictureStep] = []
    if video.isInterlaced {
      steps.append(.deinterlace)
      context.decide(
        "frames: both fields become full frames, doubling the frame rate",
        because: "the video is interlaced, and players expect progressive video")
    }
    if video.color.dynamicRange != .sdr, !keepsHDR {
      steps.append(.toneMap(from: video.color.dynamicRange))
      context.decide(
        "color: \(video.color.dynamicRange.rawValue.uppercased()) to BT.709 SDR by tone mapping",
        because: "HDR looks washed out in SDR players")
    }
    let square = video.storedSize.withSquarePixels(sampleAspectRatio: video.sampleAspectRatio)
    var target = square.fitted(longSide: settings.longSide, shortSide: settings.shortSide)
    encoding.frameRateDivisor = frameRateDivisor(&context)
    if let limit = settings.maximumByteCount {
      target = smallerSize(target, square: square, limit: limit, encoding: &encoding, context: &context)
    } else if !context.isCut {
      encoding.sizeCap = sizeCap(context.probe.byteCount, size: target, context: context)
    }
    steps.append(.scale(width: target.width, height: target.height))
    let name = codec == .h264 ? "H.264" : codec == .hevc ? "HEVC" : "HEVC Main 10 with its HDR"
    context.decide(
      "video: \(video.codec) \(video.storedSize) to \(name) \(target)", because: reasons.joined(separator: "; "))
    return .transcode(trackIndex: video.index, steps: steps, encoding: encoding)
  }

  private func reasonsToTranscode(_ context: PlanContext) -> [String] {
    let (video, settings) = (context.video, context.settings)
    var reasons = codecReasons(video, settings: settings)
    let size = video.storedSize.withSquarePixels(sampleAspectRatio: video.sampleAspectRatio)
    if size.longSide > settings.longSide || size.shortSide > settings.shortSide {
      reasons.append("\(size) is larger than \(settings.longSide)x\(settings.shortSide)")
    }
    if !video.hasSquarePixels { reasons.append("the pixels are not square") }
    if video.width % 2 != 0 || video.height % 2 != 0 { reasons.append("the width or height is odd") }
    if video.isInterlaced { reasons.append("the video is interlaced") }
    if let bits = video.bitsPerSecond, bits > MuxStandard.today.averageBitsPerSecond {
      reasons.append("the bit rate of \(decimal(Double(bits) / 1e6)) Mbit/s is above the limit of 8 Mbit/s")
    }
    if let gop = video.gop { reasons += gopReasons(gop, codec: video.codec) }
    if let rate = video.averageFrameRate?.value, rate > MuxStandard.today.frameRates.upperBound {
      reasons.append("the frame rate of \(decimal(rate)) is above the limit of 120 frames per second")
    }
    if video.hasSimpleEdits == false { reasons.append("the edit list is too complex") }
    if let hidden = video.hiddenSeconds, hidden > ClipRules.hiddenSecondsLimit {
      reasons.append("the edit list hides \(decimal(hidden)) s, which a copy would include")
    }
    if context.probe.container == "avi" { reasons.append("AVI has no presentation timestamps") }
    if context.isCut { reasons += cutReasons(context) }
    if let limit = settings.maximumByteCount {
      // The index of a copy may be larger than the source's index.
      let most = context.isCut ? 0 : limit - limit / 50
      if context.probe.byteCount > most {
        reasons.append("\(ByteCount.text(context.probe.byteCount)) is above the limit of \(ByteCount.text(limit))")
      }
    }
    if settings.salvages { reasons.append("damage is only detected by decoding") }
    return reasons
  }

  /// A part may have a higher bit rate than the whole, so it is copied only if no group of pictures exceeds the limit.
  private func cutReasons(_ context: PlanContext) -> [String] {
    guard context.startsAtKeyFrame else { return ["the cut must be frame-accurate"] }
    let highest = context.video.gop?.highestBitsPerSecond ?? .max
    return highest <= MuxStandard.today.averageBitsPerSecond ? [] : ["the cut may exceed 8 Mbit/s"]
  }

  private func codecReasons(_ video: VideoTrack, settings: ProcessingSettings) -> [String] {
    var reasons: [String] = []
    switch (settings.codec, video.codec) {
    case (.h264, "h264"), (.hevc, "hevc"), (.keep, "h264"), (.keep, "hevc"): break
    case (.hevc, "h264"): reasons.append("HEVC was requested")
    // Copied video may stay HEVC to keep its HDR.
    case (_, "hevc") where settings.keepsHDR && video.color.dynamicRange != .sdr: break
    default: reasons.append("\(video.codec) is not supported by all players")
    }
    if let format = video.pixelFormat {
      if reasons.isEmpty, MuxStandard.today.pixelFormats[video.codec]?.contains(format) != true {
        reasons.append("\(format) is not supported by all players")
      }
    } else {
      reasons.append("the pixel format is unknown")
    }
    if video.color.dynamicRange != .sdr, !(settings.keepsHDR && video.codec == "hevc") {
      reasons.append("the video is HDR")
    }
    return reasons
  }

  private func gopReasons(_ gop: GOPFacts, codec: String) -> [String] {
    var reasons: [String] = []
    if let longest = MuxStandard.today.keyFrameSeconds[codec], gop.longestSeconds > longest {
      reasons.append("the key frames are up to \(decimal(gop.longestSeconds)) s apart")
    }
    if gop.isClosed == false { reasons.append("players cannot start at some of the key frames (open GOPs)") }
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
    context.decide(
      "frames: keep 1 of \(divisor)",
      because: "the frame rate of \(decimal(rate)) is above the limit of 120 frames per second")
    return divisor
  }

  /// The frame rate of the output.
  private func outputRate(_ context: PlanContext) -> Double {
    let rate = min(context.video.averageFrameRate?.value ?? 30, MuxStandard.today.frameRates.upperBound)
    return context.video.isInterlaced ? rate * 2 : rate
  }

  /// The video bit rate for a file of a given size. Containers and rate control need 3 % of headroom.
  private func videoBitsPerSecond(in byteCount: Int64, context: PlanContext) -> Double {
    guard context.duration > 0 else { return 0 }
    return max((Double(byteCount) * 8 / context.duration - Double(context.audioBitsPerSecond)) * 0.97, 0)
  }

  private func floorBitsPerSecond(_ size: PictureSize, context: PlanContext) -> Double {
    Double(size.width * size.height) * outputRate(context) * ClipRules.bitsPerPixelFloor
  }

  /// Limits the size of the output. Below the floor, quality is more important than size.
  private func sizeCap(_ byteCount: Int64, size: PictureSize, context: PlanContext) -> VideoEncoding.SizeCap? {
    guard context.duration > 0 else { return nil }
    return VideoEncoding.SizeCap(
      byteCount: byteCount, bitsPerSecond: Int64(videoBitsPerSecond(in: byteCount, context: context)),
      floorBitsPerSecond: Int64(floorBitsPerSecond(size, context: context)))
  }

  /// For a requested file size: the largest usual resolution that looks good in it, and a cap that enforces it.
  private func smallerSize(
    _ target: PictureSize, square: PictureSize, limit: Int64, encoding: inout VideoEncoding,
    context: inout PlanContext
  ) -> PictureSize {
    let budget = videoBitsPerSecond(in: limit, context: context)
    let sides = [1080, 720, 540, 360, 240].filter { $0 < target.shortSide }
    let smaller = sides.map { square.fitted(longSide: $0 * 16 / 9, shortSide: $0) }
    let chosen =
      ([target] + smaller).first { floorBitsPerSecond($0, context: context) <= budget } ?? smaller.last ?? target
    let smallest = min(context.probe.byteCount, limit)
    encoding.sizeCap = sizeCap(context.isCut ? limit : smallest, size: chosen, context: context)
    encoding.sizeCap?.isPromise = true
    let bits = Int64(budget)
    if bits < encoding.maximumBitsPerSecond {
      encoding.maximumBitsPerSecond = max(bits, 50_000)
      encoding.bufferBits = encoding.maximumBitsPerSecond
    }
    if chosen != target {
      let warning = floorBitsPerSecond(chosen, context: context) > budget ? "; the quality will still be low" : ""
      context.decide(
        "size: reduced from \(target) to \(chosen)",
        because: "\(ByteCount.text(limit)) allows \(Int(budget / 1000)) kbit/s for the video" + warning)
    }
    return chosen
  }
}
