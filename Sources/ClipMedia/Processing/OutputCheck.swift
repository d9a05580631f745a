import ClipModel
import Foundation

/// The requirements of every output, checked on a new probe of it before the file gets its name.
struct OutputCheck {
  /// The source's name, for messages.
  var source: String
  var plan: ProcessingPlan
  /// The source's properties.
  var probe: ClipProbe
  /// The pipeline's report.
  var report: PipelineReport

  func verify(_ output: ClipProbe) throws(ClipMediaError) {
    func fail(_ why: String) -> ClipMediaError { .verification(name: source, why: why) }
    guard let video = output.mainVideo, output.videoTracks.count == 1 else {
      throw fail("it does not have exactly one video track")
    }
    if let carrier = output.locationCarriers.first { throw fail("location data remains in \(carrier.place)") }
    guard output.dataTracks.isEmpty else { throw fail("a data track remains") }
    guard output.audioTracks.count == (plan.audio == nil || !report.hasAudio ? 0 : 1) else {
      throw fail("its audio is missing")
    }
    guard output.isFastStart != false else { throw fail("its index is not at the start of the file") }
    let keys = output.metadataKeys.filter { !OutputCheck.harmlessKeys.contains($0) }
    guard keys.isEmpty else { throw fail("metadata remains: \(keys.joined(separator: ", "))") }
    switch plan.video {
    case .copy:
      guard video.codec == probe.mainVideo?.codec else { throw fail("its video codec is \(video.codec)") }
    case .transcode(_, let steps, let encoding):
      if let why = fault(of: video, steps: steps, encoding: encoding) { throw fail(why) }
    }
    try verifyLength(output, video: video)
    try verifyCount(video)
  }

  /// Every frame that the source shows must be in the output, unless the plan or the report explains why not.
  private func verifyCount(_ video: VideoTrack) throws(ClipMediaError) {
    guard plan.trim == nil, report.salvagedSeconds == nil, let main = probe.mainVideo, let shown = main.shownFrameCount,
      let written = video.frameCount
    else { return }
    var expected = shown
    // Whether the frame at the boundary of an edit is counted may depend on a single tick.
    var tolerance: Int64 = (main.hiddenSeconds ?? 0) > 0 ? 1 : 0
    if case .transcode(_, let steps, let encoding) = plan.video {
      if steps.contains(.deinterlace) {
        // The fields of one frame may be in separate packets.
        (expected, tolerance) = (shown, shown)
      }
      let divisor = Int64(max(encoding.frameRateDivisor, 1))
      expected = (expected + divisor - 1) / divisor
    }
    guard written < expected - Int64(report.droppedCount) - tolerance else { return }
    throw .damaged(
      name: source, seconds: video.durationSeconds ?? 0, why: "only \(written) of \(expected) frames could be read")
  }

  /// How the video differs from the plan and from Mux's standard input.
  private func fault(of video: VideoTrack, steps: [PictureStep], encoding: VideoEncoding) -> String? {
    let (codec, profile, pixelFormat) =
      switch encoding.codec {
      case .h264: ("h264", "High", "yuv420p")
      case .hevc: ("hevc", "Main", "yuv420p")
      case .hevcHDR: ("hevc", "Main 10", "yuv420p10le")
      }
    guard video.codec == codec else { return "its video codec is \(video.codec)" }
    guard video.profile == profile, video.pixelFormat == pixelFormat else {
      return "its video has \(video.profile ?? "no profile"), \(video.pixelFormat ?? "no pixel format")"
    }
    for case .scale(let width, let height) in steps {
      let size = PictureSize(width: width, height: height)
      guard video.storedSize == size else { return "its size is \(video.storedSize) instead of \(size)" }
    }
    if encoding.codec != .hevcHDR, video.color.transfer != "bt709" || video.color.range != "tv" {
      return "its color is not tagged as BT.709"
    }
    guard video.hasSquarePixels else { return "its pixels are not square" }
    if video.hasSimpleEdits == false { return "its edit list is too complex" }
    if video.gop?.isClosed == false { return "one of its groups of pictures is open" }
    return BitRateCheck(video).excess?.why
  }

  /// The output must be as long as planned; otherwise the source ended early.
  private func verifyLength(_ output: ClipProbe, video: VideoTrack) throws(ClipMediaError) {
    guard let seconds = video.durationSeconds ?? output.durationSeconds else {
      throw .verification(name: source, why: "its duration is unknown")
    }
    let frame = max(1 / max(video.averageFrameRate?.value ?? 30, 1), 0.05)
    // A copied cut ends with the packets that its last frames need.
    var isCopiedCut = false
    if case .copy = plan.video { isCopiedCut = plan.trim != nil }
    let tolerance = isCopiedCut ? 6 * frame + report.overrunSeconds : frame
    // A source without an edit list may start late, which the output's edit list counts as part of its length.
    let lead = max(sourceLead - (plan.trim?.lowerBound ?? 0), 0)
    guard (video.startSeconds ?? 0) <= lead + 2 * frame else {
      throw .damaged(
        name: source, seconds: 0, why: "no frame before \(decimal(video.startSeconds ?? 0)) s can be decoded")
    }
    let expected = report.salvagedSeconds ?? plan.durationSeconds
    guard !(expected - tolerance...expected + lead + tolerance).contains(seconds) else { return }
    throw .damaged(
      name: source, seconds: min(seconds, plan.durationSeconds),
      why: "only \(decimal(seconds)) s of \(decimal(plan.durationSeconds)) s could be read")
  }

  /// How much later than the other tracks the source's video starts, in seconds.
  private var sourceLead: Double {
    let start = probe.mainVideo?.startSeconds ?? 0
    guard probe.isFastStart == nil else { return max(start, 0) }
    let others = (probe.videoTracks.map(\.startSeconds) + probe.audioTracks.map(\.startSeconds)).compactMap { $0 }
    return max(start - (others.min() ?? start), 0)
  }

  /// The capture date, and the metadata of the muxer.
  private static let harmlessKeys: Set = ["creation_time", "encoder"]
}
