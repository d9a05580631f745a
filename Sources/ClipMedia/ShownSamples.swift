import ClipModel
import ISOMedia

/// Which samples of a picture track its edit list shows. For tracks with at most one media edit (`hasSimpleEdits`).
struct ShownSamples {
  /// From the first that is shown to the last one, in decoding order.
  private(set) var range: Range<Int>
  /// Those that are shown, without pictures in front of the first key frame, which cannot be decoded. Samples with the
  /// time of another one count once: they hold no picture of their own.
  private(set) var pictureCount: Int

  init(_ samples: [MediaSample], of track: ISOTrack, movieTimescale: UInt32) {
    let firstKeyTicks = samples.first.flatMap { $0.isSync ? $0.presentationTicks : nil } ?? .min
    guard let edit = track.mediaEdit, let begin = edit.mediaTime, movieTimescale > 0 else {
      range = samples.indices
      pictureCount = Set(samples.lazy.map(\.presentationTicks).filter { $0 >= firstKeyTicks }).count
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
  }
}

extension ISOTrack {
  /// The edit that shows media; its start is 0 without one.
  var mediaEdit: EditListEntry? { edits.first { $0.mediaTime != nil } }
}
