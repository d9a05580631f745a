import ClipModel
import Foundation

/// Checks that an output file meets all requirements, before the file is renamed to its final name.
struct OutputCheck {
  /// The source's name, used in error messages.
  var source: String
  var plan: ProcessingPlan
  /// The source's properties.
  var probe: ClipProbe
  /// The pipeline's report.
  var report: PipelineReport

  func verify(_ output: ClipProbe) throws(ClipMediaError) {
    func fail(_ why: String) -> ClipMediaError { .verification(name: source, why: why) }
    guard let video = output.mainVideo, output.videoTracks.count == 1 else {
      throw fail("it must have exactly one video track")
    }
    if let carrier = output.locationCarriers.first {
      throw .leftover(name: source, place: "\(carrier.place)")
    }
    guard output.dataTracks.isEmpty else { throw fail("it still contains a data track") }
    guard output.audioTracks.count == (plan.audio == nil || !report.hasAudio ? 0 : 1) else {
      throw fail("its audio is missing")
    }
    if plan.placesIndexAtEnd == true {
      guard output.isFastStart == false else { throw fail("its index is not at the end of the file") }
    } else {
      guard output.isFastStart != false else { throw fail("its index is not at the start of the file") }
    }
    let keys = output.metadataKeys.filter { !OutputCheck.harmlessKeys.contains($0) }
    guard keys.isEmpty else { throw fail("it still contains metadata: \(keys.joined(separator: ", "))") }
    switch plan.video {
    case .copy:
      guard video.codec == probe.mainVideo?.codec else { throw fail("its video codec is \(video.codec)") }
    case .transcode(_, let steps, let encoding):
      if let why = difference(of: video, steps: steps, encoding: encoding) { throw fail(why) }
    }
    try verifyDuration(output, video: video)
    try verifyFrameCount(video)
  }

  /// Verifies that the output contains every frame that the source shows, except frames dropped by the plan or listed
  /// in the report.
  private func verifyFrameCount(_ video: VideoTrack) throws(ClipMediaError) {
    guard plan.trim == nil, report.salvagedSeconds == nil, let main = probe.mainVideo, let shown = main.shownFrameCount,
      let written = video.frameCount
    else { return }
    var expected = shown
    // A difference of one tick may determine whether the frame at an edit boundary is counted.
    var tolerance: Int64 = (main.hiddenSeconds ?? 0) > 0 ? 1 : 0
    if case .transcode(_, let steps, let encoding) = plan.video {
      if steps.contains(.deinterlace) {
        // The two fields of a frame may be in separate packets.
        (expected, tolerance) = (shown, shown)
      }
      let divisor = Int64(max(encoding.frameRateDivisor, 1))
      expected = (expected + divisor - 1) / divisor
    }
    guard written < expected - Int64(report.droppedCount) - tolerance else { return }
    throw .damaged(
      name: source, seconds: video.durationSeconds ?? 0, why: "only \(written) of \(expected) frames could be read")
  }

  /// Returns the first difference between the video and the plan or Mux's standard input, or `nil` if there is none.
  private func difference(of video: VideoTrack, steps: [PictureStep], encoding: VideoEncoding) -> String? {
    let (codec, profile, pixelFormat) =
      switch encoding.codec {
      case .h264: ("h264", "High", "yuv420p")
      case .hevc: ("hevc", "Main", "yuv420p")
      case .hevcHDR: ("hevc", "Main 10", "yuv420p10le")
      }
    guard video.codec == codec else { return "its video codec is \(video.codec)" }
    guard video.profile == profile, video.pixelFormat == pixelFormat else {
      return "its video profile is \(video.profile ?? "unknown") with pixel format \(video.pixelFormat ?? "unknown")"
    }
    for case .scale(let width, let height) in steps {
      let size = PictureSize(width: width, height: height)
      guard video.storedSize == size else { return "its frame size is \(video.storedSize) instead of \(size)" }
    }
    if encoding.codec != .hevcHDR, video.color.transfer != "bt709" || video.color.range != "tv" {
      return "its colors are not tagged as BT.709"
    }
    guard video.hasSquarePixels else { return "its pixels are not square" }
    if video.hasSimpleEdits == false { return "its edit list is too complex" }
    if video.gop?.isClosed == false { return "it contains an open group of pictures" }
    return BitRateExcess(video)?.why
  }

  /// Verifies that the output is as long as planned. If it is shorter, the source ended early.
  private func verifyDuration(_ output: ClipProbe, video: VideoTrack) throws(ClipMediaError) {
    guard let seconds = video.durationSeconds ?? output.durationSeconds else {
      throw .verification(name: source, why: "its duration is unknown")
    }
    let frame = max(1 / max(video.averageFrameRate?.value ?? 30, 1), 0.05)
    // A copied cut includes the packets that its last frames depend on.
    var isCopiedCut = false
    if case .copy = plan.video { isCopiedCut = plan.trim != nil }
    let tolerance = isCopiedCut ? 6 * frame + report.overrunSeconds : frame
    // A source without an edit list may start late. The output's edit list includes that delay in the duration.
    let lead = max(sourceLead - (plan.trim?.lowerBound ?? 0), 0)
    guard (video.startSeconds ?? 0) <= lead + 2 * frame else {
      throw .damaged(
        name: source, seconds: 0, why: "no frame before \(decimal(video.startSeconds ?? 0)) s can be decoded")
    }
    let expected = report.salvagedSeconds ?? plan.durationSeconds
    // libav shortens the last packet by the delay if the edit list has one. The number of frames is verified separately.
    guard !(expected - lead - tolerance...expected + lead + tolerance).contains(seconds) else { return }
    throw .damaged(
      name: source, seconds: min(seconds, plan.durationSeconds),
      why: "only \(decimal(seconds)) s of \(decimal(plan.durationSeconds)) s could be read")
  }

  /// The delay between the start of the source's other tracks and the start of its video, in seconds.
  private var sourceLead: Double {
    let start = probe.mainVideo?.startSeconds ?? 0
    guard probe.isFastStart == nil else { return max(start, 0) }
    let others = (probe.videoTracks.map(\.startSeconds) + probe.audioTracks.map(\.startSeconds)).compactMap { $0 }
    return max(start - (others.min() ?? start), 0)
  }

  /// The metadata keys that are allowed in an output: the capture date and the muxer's name.
  private static let harmlessKeys: Set = ["creation_time", "encoder"]
}
