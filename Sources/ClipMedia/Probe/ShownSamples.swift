import ClipModel
import ISOMedia

/// Which samples of a picture track its edit list shows. For tracks with at most one media edit (`hasSimpleEdits`).
struct ShownSamples {
  /// From the first that is shown to the last one, in decoding order.
  private(set) var range: Range<Int>
  /// Those that are shown, without pictures in front of the first key frame, which cannot be decoded. Samples with the
  /// time of another one count once: they hold no picture of their own.
  private(set) var pictureCount: Int
  /// When the first of them begins and the last one ends, seconds of the presentation, an empty edit in front included;
  /// `nil` when nothing is shown.
  private(set) var seconds: Range<Double>?
  /// Media that the edit does not show, seconds.
  private(set) var hiddenSeconds = 0.0

  init(_ samples: [MediaSample], of track: ISOTrack, movieTimescale: UInt32) {
    let firstKeyTicks = samples.first.flatMap { $0.isSync ? $0.presentationTicks : nil } ?? .min
    guard let edit = track.mediaEdit, let begin = edit.mediaTime, movieTimescale > 0 else {
      range = samples.indices
      pictureCount = Set(samples.lazy.map(\.presentationTicks).filter { $0 >= firstKeyTicks }).count
      take(samples[...], all: samples, from: 0, to: .max, of: track, delay: 0)
      return
    }
    let length = Double(edit.segmentDuration) / Double(movieTimescale) * Double(track.timescale)
    let end = edit.segmentDuration == 0 ? Int64.max : Int64(saturating: Double(begin) + length.rounded(.up))
    func isShown(_ sample: MediaSample) -> Bool {
      let start = sample.presentationTicks
      return start < end && (start >= begin || start.addingSaturated(Int64(sample.durationTicks)) > begin)
    }
    range = 0..<0
    if let first = samples.firstIndex(where: isShown), let last = samples.lastIndex(where: isShown) {
      range = first..<last + 1
    }
    let shown = samples[range].lazy.filter { isShown($0) && $0.presentationTicks >= firstKeyTicks }
    pictureCount = Set(shown.map(\.presentationTicks)).count
    let delay = track.edits.first.flatMap { $0.mediaTime == nil ? Double($0.segmentDuration) : nil } ?? 0
    take(samples[range], all: samples, from: begin, to: end, of: track, delay: delay / Double(movieTimescale))
  }

  private mutating func take(
    _ shown: ArraySlice<MediaSample>, all: [MediaSample], from begin: Int64, to end: Int64, of track: ISOTrack,
    delay: Double
  ) {
    guard track.timescale > 0, let own = Self.span(shown), let whole = Self.span(all[...]) else { return }
    // One that lasts into the edit is on screen from its beginning on; the times are those of the pictures after it.
    let first = shown.lazy.map(\.presentationTicks).filter { $0 >= begin }.min() ?? max(own.lowerBound, begin)
    let last = max(min(own.upperBound, end), first)
    let scale = Double(track.timescale)
    seconds = delay + Double(first - begin) / scale..<delay + Double(last - begin) / scale
    hiddenSeconds = max(0, Double(whole.count) - Double(last - max(own.lowerBound, begin))) / scale
  }

  /// From the first picture to the end of the last one, ticks.
  private static func span(_ samples: ArraySlice<MediaSample>) -> Range<Int64>? {
    guard let first = samples.map(\.presentationTicks).min(),
      let last = samples.max(by: { $0.presentationTicks < $1.presentationTicks })
    else { return nil }
    // Durations count from one decoding to the next: all together they may last longer than the last picture's own.
    let end = max(
      last.presentationTicks.addingSaturated(Int64(last.durationTicks)),
      first.addingSaturated(Array(samples).durationTicks))
    return first..<max(first, end)
  }
}

extension ISOTrack {
  /// The edit that shows media; its start is 0 without one.
  var mediaEdit: EditListEntry? { edits.first { $0.mediaTime != nil } }
}
