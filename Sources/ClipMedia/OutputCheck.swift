import ClipModel
import Foundation

/// What every output must be, checked by probing it again before it gets its name.
struct OutputCheck {
  var source: SourceFile
  var plan: ProcessingPlan
  /// The source as it was probed.
  var probe: ClipProbe

  func verify(_ output: ClipProbe) throws(ClipMediaError) {
    func fail(_ why: String) -> ClipMediaError { .verification(name: source.name, why: why) }
    guard let video = output.mainVideo, output.videoTracks.count == 1 else {
      throw fail("it has no single video track")
    }
    guard video.codec == "h264" else { throw fail("its video is \(video.codec)") }
    if let carrier = output.locationCarriers.first { throw fail("location is left in \(carrier.place)") }
    guard output.dataTracks.isEmpty else { throw fail("a data track is left") }
    guard output.audioTracks.count == (plan.audio == nil ? 0 : 1) else { throw fail("its sound is missing") }
    guard output.isFastStart != false else { throw fail("its index is not in front") }
    let keys = output.metadataKeys.filter { !OutputCheck.harmlessKeys.contains($0) }
    guard keys.isEmpty else { throw fail("metadata is left: \(keys.joined(separator: ", "))") }
    if case .transcode(_, let steps, _) = plan.video {
      for case .scale(let width, let height) in steps {
        let size = PictureSize(width: width, height: height)
        guard video.storedSize == size else { throw fail("it is \(video.storedSize) instead of \(size)") }
      }
    }
    try verifyLength(output, video: video)
  }

  /// The output is as long as planned, or the source ended early.
  private func verifyLength(_ output: ClipProbe, video: VideoTrack) throws(ClipMediaError) {
    guard let seconds = video.durationSeconds ?? output.durationSeconds else {
      throw .verification(name: source.name, why: "its length is unknown")
    }
    // One frame; where the source's container only tells the length of the whole file, sound may outlast the picture.
    let frame = max(1 / max(video.averageFrameRate?.value ?? 30, 1), 0.05)
    let isLengthExact = probe.isFastStart != nil
    let tolerance = isLengthExact ? frame : max(frame, 0.5)
    // A source without edit list may begin late; the output's edit list counts that as part of its length.
    let lead = plan.trim == nil ? sourceLead : 0
    guard (video.startSeconds ?? 0) <= lead + 2 * frame else {
      throw .verification(
        name: source.name,
        why: "its picture begins at \(secondsText(video.startSeconds ?? 0)) s: the beginning is missing")
    }
    guard !(plan.durationSeconds - tolerance...plan.durationSeconds + lead + tolerance).contains(seconds) else {
      return
    }
    throw .damaged(
      name: source.name, seconds: min(seconds, plan.durationSeconds),
      why: "\(secondsText(seconds)) s of \(secondsText(plan.durationSeconds)) s could be read")
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
