import ClipModel
import DurableFiles
import Foundation
import LibAV
import Privacy

/// One source on its way to a verified output, on one thread: encoded, looked at, and encoded again when it came out
/// bigger or harder to stream than it may.
struct ProcessingRun {
  let source: OpenedClip
  /// Of the source, where a demuxer is open already.
  var opened: InputContainer?
  let plan: ProcessingPlan
  /// Of the output; nobody else sees it yet.
  let path: String
  let interruption: Interruption
  /// Drawn of the output.
  var pictures: [PictureRequest] = []
  /// What decoding shows of a transcoded clip is collected for a verdict.
  var examines = false
  /// Threads of each codec.
  let coreCount: Int
  /// Fraction done, 0 to 1.
  let progress: (Double) -> Void

  struct Result: Sendable {
    var probe: ClipProbe
    /// Where private metadata or a position of the source is left; `nil` when the audit finds none.
    var leftoverPlace: String?
    var notes: [String]
    /// Where the good part of a damaged source ends, seconds of the output.
    var salvagedSeconds: Double?
    var hasSound = true
    /// How much longer than its cut a copied picture is shown.
    var overrunSeconds = 0.0
    /// Pictures whose times had passed.
    var droppedCount = 0
    /// What decoding showed; `nil` for copied pictures, and where nothing was collected.
    var decoding: DecodingCheck.Result?
  }

  /// Encodings of one clip; each has a tighter cap, and what does not fit then never will.
  private static let tryLimit = 5

  private var name: String { source.name }
  private var probe: ClipProbe { source.probe }

  func write() throws -> (result: Result, pictures: FinishedPictures) {
    var encoding = plan.video.encoding
    let tap = tap
    var result = try encode(encoding, tap: tap)
    var reasons: [String] = []
    while reasons.count + 1 < Self.tryLimit, let planned = encoding, let next = tighter(planned, for: result.probe) {
      encoding = next.encoding
      reasons.append(next.why)
      result = try encode(next.encoding)
    }
    if !reasons.isEmpty {
      let times = reasons.count == 1 ? "twice" : "\(reasons.count + 1) times"
      result.notes.append("encoded \(times), because \(reasons.joined(separator: ", then "))")
    }
    try judgeSize(&result)
    result.notes += noticeableDrops
    try OutputCheck(
      source: name, plan: plan, probe: probe, salvagedSeconds: result.salvagedSeconds, hasSound: result.hasSound,
      overrunSeconds: result.overrunSeconds, droppedCount: result.droppedCount
    ).verify(result.probe)
    if let place = result.leftoverPlace {
      throw ClipMediaError.leftover(name: name, place: place)
    }
    let drawn = try draw(tap, into: &result)
    return (result, drawn)
  }

  /// Pictures are drawn of the first encoding's frames: those of another one would be the same.
  private var tap: PictureTap? {
    guard !pictures.isEmpty, plan.video.encoding != nil else { return nil }
    let orientation = probe.videoTracks.first { $0.index == plan.video.trackIndex }?.orientation
    return PictureTap(
      PictureSet(pictures, geometry: FrameGeometry(orientation: orientation ?? .upright), name: name))
  }

  private func encode(_ encoding: VideoEncoding?, tap: PictureTap? = nil) throws -> Result {
    // Of a copy nothing is decoded here.
    let examiner =
      encoding == nil ? nil : DecodingExaminer(isWhole: examines, durationSeconds: plan.durationSeconds)
    let pipeline = try ClipPipeline(
      source: source, opened: opened, destination: path, plan: plan, encoding: encoding,
      captureDate: probe.captureDate,
      videoStartSeconds: probe.videoTracks.first { $0.index == plan.video.trackIndex }?.startSeconds,
      isLengthExact: probe.mainVideo?.shownFrameCount != nil, tap: tap, examiner: examiner, coreCount: coreCount,
      interruption: interruption, progress: progress)
    try pipeline.run()
    let isCopy = plan.video.encoding == nil
    let (output, audit) = try Prober.probeOutput(
      path: path, interruption: interruption, known: isCopy ? probe.mainVideo : nil, origin: source.positions)
    return Result(
      probe: output, leftoverPlace: audit.leftoverPlace,
      notes: pipeline.notes + (examiner?.notes ?? []),
      salvagedSeconds: pipeline.salvagedSeconds, hasSound: pipeline.hasSound, overrunSeconds: pipeline.overrunSeconds,
      droppedCount: pipeline.droppedCount,
      decoding: examines
        ? try examiner?.result(of: SourceBytes(source.file, interruption: interruption)) : nil)
  }

  /// What to encode with when an output is not as it may be, and why; `nil` when it is, or when trying would not help.
  private func tighter(
    _ encoding: VideoEncoding, for output: ClipProbe
  ) -> (encoding: VideoEncoding, why: String)? {
    var next = encoding
    if let excess = StandardRate(output.mainVideo).excess {
      next.maximumBitsPerSecond = Int64(Double(encoding.maximumBitsPerSecond) * 0.8 / excess.ratio)
      next.bufferBits = next.maximumBitsPerSecond / 2
      return (next, excess.why)
    }
    guard let cap = encoding.sizeCap, output.byteCount > cap.byteCount else { return nil }
    let why = "it was bigger than \(cap.isPromise ? ByteCount.text(cap.byteCount) : "the source")"
    if encoding.maximumBitsPerSecond > cap.bitsPerSecond {
      guard cap.isPromise || cap.bitsPerSecond >= cap.floorBitsPerSecond else { return nil }
      next.maximumBitsPerSecond = max(cap.bitsPerSecond, 50_000)
    } else {
      // A promise is kept: as much less as it is too much now, and a little more.
      guard cap.isPromise else { return nil }
      let ratio = Double(cap.byteCount) / Double(output.byteCount)
      next.maximumBitsPerSecond = Int64(Double(encoding.maximumBitsPerSecond) * ratio * 0.95)
    }
    next.bufferBits = next.maximumBitsPerSecond
    return (next, why)
  }

  /// What the plan leaves out and a viewer would miss.
  private var noticeableDrops: [String] {
    var notes: [String] = []
    if plan.audio == nil, probe.mainAudio == nil, let audio = probe.audioTracks.first {
      let codec = audio.codec == "none" ? audio.codecTag ?? "unknown codec" : audio.codec
      notes.append("no sound: nothing here can decode track \(audio.index) (\(codec))")
    }
    let others =
      probe.audioTracks.filter { $0.isDecodable && plan.audio != nil && $0.index != plan.audio?.trackIndex }.map(
        \.index)
      + probe.videoTracks.filter { !$0.isAttachedPicture && $0.index != plan.video.trackIndex }.map(\.index)
      + probe.dataTracks.filter { $0.type == "subtitle" }.map(\.index)
    if !others.isEmpty {
      let names = others.sorted().map(String.init).joined(separator: ", ")
      notes.append("left out: track\(others.count == 1 ? "" : "s") \(names); one picture and one sound are kept")
    }
    return notes
  }

  private func judgeSize(_ result: inout Result) throws {
    let extra = result.probe.byteCount - probe.byteCount
    if let cap = plan.video.encoding?.sizeCap, cap.isPromise, result.probe.byteCount > cap.byteCount {
      throw ClipMediaError.tooBig(name: name, byteCount: result.probe.byteCount, limit: cap.byteCount)
    }
    guard extra > 0, plan.trim == nil else { return }
    switch plan.video {
    case .copy:
      result.notes.append("bigger than the source by \(ByteCount.text(extra)): index and sound are larger in MP4")
    case .transcode(_, _, let encoding):
      let looksBad = encoding.sizeCap.map { $0.bitsPerSecond < $0.floorBitsPerSecond } ?? false
      result.notes.append(
        "bigger than the source by \(ByteCount.text(extra))"
          + (looksBad ? ": at the source's size the picture would suffer" : ""))
    }
  }

  /// The pictures, from the frames that passed by, or from the output where none did.
  private func draw(_ tap: PictureTap?, into result: inout Result) throws -> FinishedPictures {
    guard !pictures.isEmpty else { return FinishedPictures() }
    do {
      // The good part of a damaged source is shorter than what was planned.
      if let seconds = result.salvagedSeconds {
        let orders = pictures.map { PictureRequest($0.plan.shortened(to: seconds), path: $0.path) }
        return try PictureRendering.finished(orders, of: path, interruption: interruption)
      }
      return try tap?.finish() ?? PictureRendering.finished(pictures, of: path, interruption: interruption)
    } catch let error as any ExplainedError where error.explanation.category != .inputOutput {
      // A clip without a picture is worth more than none.
      if interruption.isInterrupted { throw error }
      result.notes.append("no picture: \(error.explanation.why)")
      return FinishedPictures()
    }
  }
}

/// Bits per second of a finished track against what Mux takes without converting it.
struct StandardRate {
  private let average: Double
  private let highest: Double

  init(_ video: VideoTrack?) {
    average = Double(video?.bitsPerSecond ?? 0) / Double(MuxStandard.today.averageBitsPerSecond)
    highest = Double(video?.gop?.highestBitsPerSecond ?? 0) / Double(MuxStandard.today.gopBitsPerSecond)
  }

  /// How many times as much as allowed, and which limit it is; `nil` inside both.
  var excess: (ratio: Double, why: String)? {
    let ratio = max(average, highest)
    guard ratio > 1 else { return nil }
    return (ratio, average >= highest ? "it had more than 8 Mbit/s" : "a passage had more than 16 Mbit/s")
  }
}
