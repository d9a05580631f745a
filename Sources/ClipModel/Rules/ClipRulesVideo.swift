/// The decisions about the picture.
extension ClipRules {
  func videoTreatment(_ context: inout PlanContext) -> VideoTreatment {
    let (video, settings) = (context.video, context.settings)
    let reasons = reasonsToTranscode(context)
    guard !reasons.isEmpty else {
      context.decide(
        "video: copy \(video.codec) \(video.storedSize) without re-encoding",
        because: "it already is what players take, and copying loses nothing")
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
        "frames: both fields become whole pictures, twice as many a second",
        because: "the picture is interlaced, and players show progressive ones")
    }
    if video.color.dynamicRange != .sdr, !keepsHDR {
      steps.append(.toneMap(from: video.color.dynamicRange))
      context.decide(
        "colour: \(video.color.dynamicRange.rawValue.uppercased()) to BT.709 SDR by tone mapping",
        because: "SDR players would show HDR washed out")
    }
    let square = video.storedSize.squared(sampleAspectRatio: video.sampleAspectRatio)
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
    let size = video.storedSize.squared(sampleAspectRatio: video.sampleAspectRatio)
    if size.longSide > settings.longSide || size.shortSide > settings.shortSide {
      reasons.append("\(size) is larger than \(settings.longSide)x\(settings.shortSide)")
    }
    if !video.hasSquarePixels { reasons.append("its pixels are not square") }
    if video.width % 2 != 0 || video.height % 2 != 0 { reasons.append("its sides are odd") }
    if video.isInterlaced { reasons.append("it is interlaced") }
    if let bits = video.bitsPerSecond, bits > MuxStandard.today.averageBitsPerSecond {
      reasons.append("\(decimal(Double(bits) / 1e6)) Mbit/s is above the 8 Mbit/s of a standard input")
    }
    if let gop = video.gop { reasons += gopReasons(gop, codec: video.codec) }
    if let rate = video.averageFrameRate?.value, rate > MuxStandard.today.frameRates.upperBound {
      reasons.append("\(decimal(rate)) frames per second is above 120")
    }
    if video.hasSimpleEdits == false { reasons.append("its edit list is not simple") }
    if let hidden = video.hiddenSeconds, hidden > ClipRules.hiddenSecondsLimit {
      reasons.append("its edit list hides \(decimal(hidden)) s, which a copy would take along")
    }
    if context.probe.container == "avi" { reasons.append("AVI keeps no presentation times") }
    if context.isCut { reasons += cutReasons(context) }
    if let limit = settings.maximumByteCount {
      // A copy's index may be larger than the source's.
      let most = context.isCut ? 0 : limit - limit / 50
      if context.probe.byteCount > most {
        reasons.append("it has \(ByteCount.text(context.probe.byteCount)), and \(ByteCount.text(limit)) are allowed")
      }
    }
    if settings.salvages { reasons.append("damage is only found by decoding") }
    return reasons
  }

  /// A part can be busier than the whole: it may be copied when none of its groups is too much.
  private func cutReasons(_ context: PlanContext) -> [String] {
    guard context.startsAtKeyFrame else { return ["the cut must hit the exact frame"] }
    let highest = context.video.gop?.highestBitsPerSecond ?? .max
    return highest <= MuxStandard.today.averageBitsPerSecond ? [] : ["the part may have more than 8 Mbit/s"]
  }

  private func codecReasons(_ video: VideoTrack, settings: ProcessingSettings) -> [String] {
    var reasons: [String] = []
    switch (settings.codec, video.codec) {
    case (.h264, "h264"), (.hevc, "hevc"), (.keep, "h264"), (.keep, "hevc"): break
    case (.hevc, "h264"): reasons.append("HEVC was asked for")
    // What is copied as it is may stay HEVC when its HDR is to stay.
    case (_, "hevc") where settings.keepsHDR && video.color.dynamicRange != .sdr: break
    default: reasons.append("\(video.codec) is not played everywhere")
    }
    if let format = video.pixelFormat {
      if reasons.isEmpty, MuxStandard.today.pixelFormats[video.codec]?.contains(format) != true {
        reasons.append("\(format) is not played everywhere")
      }
    } else {
      reasons.append("the pixel format is unknown")
    }
    if video.color.dynamicRange != .sdr, !(settings.keepsHDR && video.codec == "hevc") { reasons.append("it is HDR") }
    return reasons
  }

  private func gopReasons(_ gop: GOPFacts, codec: String) -> [String] {
    var reasons: [String] = []
    if let longest = MuxStandard.today.keyFrameSeconds[codec], gop.longestSeconds > longest {
      reasons.append("its key frames are up to \(decimal(gop.longestSeconds)) s apart")
    }
    if gop.isClosed == false { reasons.append("players cannot begin at all of its key frames (open GOPs)") }
    if let bits = gop.highestBitsPerSecond, bits > MuxStandard.today.gopBitsPerSecond {
      reasons.append("it has passages of \(decimal(Double(bits) / 1e6)) Mbit/s, and 16 are standard")
    }
    return reasons
  }

  private func frameRateDivisor(_ context: inout PlanContext) -> Int {
    guard let rate = context.video.averageFrameRate?.value, rate > MuxStandard.today.frameRates.upperBound else {
      return 1
    }
    let divisor = Int((rate / MuxStandard.today.frameRates.upperBound).rounded(.up))
    context.decide("frames: every \(divisor). one is kept", because: "\(decimal(rate)) frames per second is above 120")
    return divisor
  }

  /// Frames a second that come out.
  private func outputRate(_ context: PlanContext) -> Double {
    let rate = min(context.video.averageFrameRate?.value ?? 30, MuxStandard.today.frameRates.upperBound)
    return context.video.isInterlaced ? rate * 2 : rate
  }

  /// Bits per second for the picture in a file of so many bytes: containers and rate control need some slack, 3 %.
  private func videoBitsPerSecond(in byteCount: Int64, context: PlanContext) -> Double {
    guard context.duration > 0 else { return 0 }
    return max((Double(byteCount) * 8 / context.duration - Double(context.audioBitsPerSecond)) * 0.97, 0)
  }

  private func floorBitsPerSecond(_ size: PictureSize, context: PlanContext) -> Double {
    Double(size.width * size.height) * outputRate(context) * ClipRules.bitsPerPixelFloor
  }

  /// The output may not be bigger than so many bytes; below the floor, quality is worth more than bytes.
  private func sizeCap(
    _ byteCount: Int64, size: PictureSize, context: PlanContext
  ) -> VideoEncoding.SizeCap? {
    guard context.duration > 0 else { return nil }
    return VideoEncoding.SizeCap(
      byteCount: byteCount, bitsPerSecond: Int64(videoBitsPerSecond(in: byteCount, context: context)),
      floorBitsPerSecond: Int64(floorBitsPerSecond(size, context: context)))
  }

  /// For a promised size: the largest usual picture that can look good in it, and a cap that keeps the promise.
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
      let looks = floorBitsPerSecond(chosen, context: context) > budget ? "; even that will not look good" : ""
      context.decide(
        "size: \(chosen) instead of \(target)",
        because: "\(ByteCount.text(limit)) leave \(Int(budget / 1000)) kbit/s for the picture" + looks)
    }
    return chosen
  }
}
