import ClipModel
import Foundation

/// What every output must be, checked by probing it again before it gets its name.
struct OutputCheck {
  /// The source's name, for messages.
  var source: String
  var plan: ProcessingPlan
  /// The source as it was probed.
  var probe: ClipProbe
  /// Where the good part of a damaged source ends.
  var salvagedSeconds: Double?
  /// The part that was wanted has sound.
  var hasSound = true
  /// How much longer than its cut a copied picture is shown.
  var overrunSeconds = 0.0
  /// Pictures that the run left out and that its notes name: their times had passed.
  var droppedCount = 0

  func verify(_ output: ClipProbe) throws(ClipMediaError) {
    func fail(_ why: String) -> ClipMediaError { .verification(name: source, why: why) }
    guard let video = output.mainVideo, output.videoTracks.count == 1 else {
      throw fail("it has no single video track")
    }
    if let carrier = output.locationCarriers.first { throw fail("location is left in \(carrier.place)") }
    guard output.dataTracks.isEmpty else { throw fail("a data track is left") }
    guard output.audioTracks.count == (plan.audio == nil || !hasSound ? 0 : 1) else {
      throw fail("its sound is missing")
    }
    guard output.isFastStart != false else { throw fail("its index is not in front") }
    let keys = output.metadataKeys.filter { !OutputCheck.harmlessKeys.contains($0) }
    guard keys.isEmpty else { throw fail("metadata is left: \(keys.joined(separator: ", "))") }
    switch plan.video {
    case .copy:
      guard video.codec == probe.mainVideo?.codec else { throw fail("its video is \(video.codec)") }
    case .transcode(_, let steps, let encoding):
      if let why = fault(of: video, steps: steps, encoding: encoding) { throw fail(why) }
    }
    try verifyLength(output, video: video)
    try verifyCount(video)
  }

  /// Every picture that the source shows is there, or the plan or a note says why it is not.
  private func verifyCount(_ video: VideoTrack) throws(ClipMediaError) {
    guard plan.trim == nil, salvagedSeconds == nil, let main = probe.mainVideo, let shown = main.shownFrameCount,
      let written = video.frameCount
    else { return }
    var expected = shown
    // The picture that is on screen where an edit begins or ends counts by a tick.
    var tolerance: Int64 = (main.hiddenSeconds ?? 0) > 0 ? 1 : 0
    if case .transcode(_, let steps, let encoding) = plan.video {
      if steps.contains(.deinterlace) {
        // Fields of one picture may come in packets of their own.
        (expected, tolerance) = (shown, shown)
      }
      let divisor = Int64(max(encoding.frameRateDivisor, 1))
      expected = (expected + divisor - 1) / divisor
    }
    guard written < expected - Int64(droppedCount) - tolerance else { return }
    throw .damaged(
      name: source, seconds: video.durationSeconds ?? 0, why: "\(written) of \(expected) pictures could be read")
  }

  /// What is not as Mux's standard input, and the plan, want it.
  private func fault(of video: VideoTrack, steps: [PictureStep], encoding: VideoEncoding) -> String? {
    let wanted: (codec: String, profile: String, pixelFormat: String) =
      switch encoding.codec {
      case .h264: ("h264", "High", "yuv420p")
      case .hevc: ("hevc", "Main", "yuv420p")
      case .hevcHDR: ("hevc", "Main 10", "yuv420p10le")
      }
    guard video.codec == wanted.codec else { return "its video is \(video.codec)" }
    guard video.profile == wanted.profile, video.pixelFormat == wanted.pixelFormat else {
      return "its video is \(video.profile ?? "of no profile"), \(video.pixelFormat ?? "of no pixel format")"
    }
    for case .scale(let width, let height) in steps {
      let size = PictureSize(width: width, height: height)
      guard video.storedSize == size else { return "it is \(video.storedSize) instead of \(size)" }
    }
    if encoding.codec != .hevcHDR, video.color.transfer != "bt709" || video.color.range != "tv" {
      return "its colour is not tagged as BT.709"
    }
    guard video.hasSquarePixels else { return "its pixels are not square" }
    if video.hasSimpleEdits == false { return "its edit list is not simple" }
    if video.gop?.isClosed == false { return "one of its groups of pictures is open" }
    if let excess = StandardRate(video).excess { return excess.why }
    return nil
  }

  /// The output is as long as planned, or the source ended early.
  private func verifyLength(_ output: ClipProbe, video: VideoTrack) throws(ClipMediaError) {
    guard let seconds = video.durationSeconds ?? output.durationSeconds else {
      throw .verification(name: source, why: "its length is unknown")
    }
    let frame = max(1 / max(video.averageFrameRate?.value ?? 30, 1), 0.05)
    // A copy ends with whole packets: those that the last pictures need are shown after them.
    var isCopiedCut = false
    if case .copy = plan.video { isCopiedCut = plan.trim != nil }
    let tolerance = isCopiedCut ? 6 * frame + overrunSeconds : frame
    // A source without edit list may begin late; the output's edit list counts that as part of its length.
    let lead = max(sourceLead - (plan.trim?.lowerBound ?? 0), 0)
    guard (video.startSeconds ?? 0) <= lead + 2 * frame else {
      throw .damaged(
        name: source, seconds: 0, why: "no picture before \(decimal(video.startSeconds ?? 0)) s can be decoded")
    }
    let expected = salvagedSeconds ?? plan.durationSeconds
    guard !(expected - tolerance...expected + lead + tolerance).contains(seconds) else { return }
    throw .damaged(
      name: source, seconds: min(seconds, plan.durationSeconds),
      why: "\(decimal(seconds)) s of \(decimal(plan.durationSeconds)) s could be read")
  }

  /// How much later than the rest the source's picture begins, seconds.
  private var sourceLead: Double {
    let start = probe.mainVideo?.startSeconds ?? 0
    guard probe.isFastStart == nil else { return max(start, 0) }
    let others = (probe.videoTracks.map(\.startSeconds) + probe.audioTracks.map(\.startSeconds)).compactMap { $0 }
    return max(start - (others.min() ?? start), 0)
  }

  /// Capture date and what the muxer writes about itself.
  private static let harmlessKeys: Set = ["creation_time", "encoder"]
}
