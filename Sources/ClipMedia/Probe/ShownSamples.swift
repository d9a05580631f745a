import ClipModel
import ISOMedia

/// The samples of a video track that the edit list shows. The track must have at most one media edit
/// (`hasSimpleEdits`).
struct ShownSamples {
  /// The range from the first to the last shown sample, in decoding order.
  private(set) var range: Range<Int>
  /// The number of shown frames, without undecodable frames before the first key frame. Samples with the same
  /// presentation time count once, because repeated samples contain no frame.
  private(set) var frameCount: Int
  /// The range of presentation times from the start of the first to the end of the last shown frame, in seconds. An
  /// initial empty edit delays the range. `nil` if no frame is shown.
  private(set) var seconds: Range<Double>?
  /// The duration of the media that the edit list hides, in seconds.
  private(set) var hiddenSeconds = 0.0

  init(_ samples: [MediaSample], of track: ISOTrack, movieTimescale: UInt32) {
    let firstKeyTicks = samples.first.flatMap { $0.isSync ? $0.presentationTicks : nil } ?? .min
    guard let edit = track.mediaEdit, let start = edit.mediaTime, movieTimescale > 0 else {
      range = samples.indices
      frameCount = Set(samples.lazy.map(\.presentationTicks).filter { $0 >= firstKeyTicks }).count
      setTimes(samples[...], all: samples, from: 0, to: .max, of: track, delay: 0)
      return
    }
    let length = Double(edit.segmentDuration) / Double(movieTimescale) * Double(track.timescale)
    let end = edit.segmentDuration == 0 ? Int64.max : Int64(saturating: Double(start) + length.rounded(.up))
    func isShown(_ sample: MediaSample) -> Bool {
      let ticks = sample.presentationTicks
      return ticks < end && (ticks >= start || ticks.addingSaturated(Int64(sample.durationTicks)) > start)
    }
    range = 0..<0
    if let first = samples.firstIndex(where: isShown), let last = samples.lastIndex(where: isShown) {
      range = first..<last + 1
    }
    let shown = samples[range].lazy.filter { isShown($0) && $0.presentationTicks >= firstKeyTicks }
    frameCount = Set(shown.map(\.presentationTicks)).count
    let delay = track.edits.first.flatMap { $0.mediaTime == nil ? Double($0.segmentDuration) : nil } ?? 0
    setTimes(samples[range], all: samples, from: start, to: end, of: track, delay: delay / Double(movieTimescale))
  }

  private mutating func setTimes(
    _ shown: ArraySlice<MediaSample>, all: [MediaSample], from start: Int64, to end: Int64, of track: ISOTrack,
    delay: Double
  ) {
    guard track.timescale > 0, let own = Self.timeSpan(shown), let whole = Self.timeSpan(all[...]) else { return }
    // If a frame begins before the edit, it is shown from the start of the edit, but the range starts with the next frame.
    let first = shown.lazy.map(\.presentationTicks).filter { $0 >= start }.min() ?? max(own.lowerBound, start)
    let last = max(min(own.upperBound, end), first)
    let scale = Double(track.timescale)
    seconds = delay + Double(first - start) / scale..<delay + Double(last - start) / scale
    hiddenSeconds = max(0, Double(whole.count) - Double(last - max(own.lowerBound, start))) / scale
  }

  /// Returns the time range from the start of the first to the end of the last frame, in ticks.
  private static func timeSpan(_ samples: ArraySlice<MediaSample>) -> Range<Int64>? {
    guard let first = samples.map(\.presentationTicks).min(),
      let last = samples.max(by: { $0.presentationTicks < $1.presentationTicks })
    else { return nil }
    // Durations are intervals between decoding times, so their sum may extend past the end of the last frame.
    let end = max(
      last.presentationTicks.addingSaturated(Int64(last.durationTicks)),
      first.addingSaturated(Array(samples).durationTicks))
    return first..<max(first, end)
  }
}

extension ISOTrack {
  /// The edit that shows the media. If there is no such edit, the media starts at 0.
  var mediaEdit: EditListEntry? { edits.first { $0.mediaTime != nil } }
}
