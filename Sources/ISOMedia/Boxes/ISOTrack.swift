public import ClipModel

/// A track (`trak`).
public struct ISOTrack: Equatable, Sendable {
  /// The `trak` box.
  public var box: Box
  /// The track ID in `tkhd`, which other tracks and fragments use as a reference.
  public var trackID: UInt32 = 0
  /// The duration in `tkhd`, in movie timescale ticks; `nil` if unknown.
  public var headerDuration: UInt64?
  /// Whether the track is enabled for playback.
  public var isEnabled = false
  /// The display matrix as stored in the file: nine fixed-point numbers, in 16.16 format except for the last column,
  /// which is in 2.30 format. Empty if the track has no matrix.
  public var displayMatrix: [Int32] = []
  /// The display size before the matrix is applied; `nil` for audio tracks.
  public var displaySize: PictureSize?
  /// The language code, such as `eng`; `nil` if undetermined.
  public var language: String?
  /// The handler type, such as `vide`, `soun`, `meta`, `text` or `tmcd`.
  public var handlerType: FourCC?
  /// The handler name, such as `Core Media Video`. Some cameras store their own name in this field.
  public var handlerName = ""
  /// The track's sample descriptions. Most tracks have exactly one.
  public var sampleEntries: [SampleEntry] = []
  /// The media timescale, in ticks per second.
  public var timescale: UInt32 = 0
  /// The total duration of all samples, including those in fragments.
  public var mediaDurationTicks: Int64 = 0
  /// The edit list; empty if the track plays all of its media.
  public var edits: [EditListEntry] = []
  /// The presentation duration after applying the edit list, including empty edits; `nil` if the file doesn't specify
  /// it.
  public var presentationSeconds: Double?
  /// The number of samples, including those in fragments.
  public var sampleCount = 0
  /// The number of sync samples, at which decoding can start.
  public var syncSampleCount = 0
  /// The number of samples with a duration of 0, excluding the last sample and samples in fragments.
  public var stalledSampleCount = 0
  /// Whether sample durations vary by more than a rounding error. Only meaningful for video, because the last audio
  /// packets are often shorter.
  public var hasVariableFrameRate = false
  /// The end offset of the last sample in the file; 0 if there are no samples. If it exceeds the file size, bytes are
  /// missing.
  public var byteEnd: Int64 = 0
  /// The sample tables; `nil` if the track has no `stbl` box.
  public var table: SampleTable?

  /// The average number of samples per second; `nil` if the file doesn't specify it.
  public var averageFrameRate: Double? {
    guard timescale > 0, mediaDurationTicks > 0, sampleCount > 0 else { return nil }
    return Double(sampleCount) * Double(timescale) / Double(mediaDurationTicks)
  }

  /// Whether the edit list has at most one leading empty edit and one media edit at normal speed.
  public var hasSimpleEdits: Bool {
    let media = edits.drop { $0.mediaTime == nil }
    return media.count <= 1 && edits.count - media.count <= 1 && media.allSatisfy { $0.rate == 1 }
  }

  /// Returns the duration in seconds of the media that the edit list hides; 0 if the list hides nothing, or `nil` if
  /// the track has no timescale.
  public func hiddenSeconds(movieTimescale: UInt32) -> Double? {
    guard timescale > 0 else { return nil }
    let mediaEdits = edits.filter { $0.mediaTime != nil }
    guard
      let shown = ISOTrack.presentationDuration(
        edits: mediaEdits, mediaTicks: mediaDurationTicks, timescale: timescale, movieTimescale: movieTimescale)
    else { return nil }
    return max(0, Double(mediaDurationTicks) / Double(timescale) - shown)
  }

  /// Returns the duration in seconds of the media after applying an edit list. As in fragmented files, an edit with a
  /// duration of 0 lasts until the end of the media. If all edits are empty, they only delay the media.
  /// - Parameter lastTicks: the end of the last frame, after which edits at normal speed show nothing; `nil` if
  ///   unknown.
  static func presentationDuration(
    edits: [EditListEntry], mediaTicks: Int64, timescale: UInt32, movieTimescale: UInt32, lastTicks: Int64? = nil
  ) -> Double? {
    guard timescale > 0 else { return nil }
    guard !edits.isEmpty, movieTimescale > 0 else { return Double(mediaTicks) / Double(timescale) }
    func remainingSeconds(of ticks: Int64, from start: Int64) -> Double {
      Double(max(0, ticks.addingSaturated(-start))) / Double(timescale)
    }
    let delay = edits.contains { $0.mediaTime != nil } ? 0 : remainingSeconds(of: mediaTicks, from: 0)
    return edits.reduce(delay) { sum, edit in
      let length = Double(edit.segmentDuration) / Double(movieTimescale)
      guard let start = edit.mediaTime else { return sum + length }
      if edit.segmentDuration == 0 { return sum + remainingSeconds(of: mediaTicks, from: start) }
      let most = lastTicks.map { remainingSeconds(of: $0, from: start) } ?? .infinity
      // Edit durations are rounded to movie timescale ticks, so this allows a small difference.
      return sum + (edit.rate == 1 && length > most + 0.05 ? most : length)
    }
  }
}

/// An entry of an edit list (`elst`).
public struct EditListEntry: Equatable, Sendable {
  /// The edit's duration in movie timescale ticks.
  public var segmentDuration: UInt64
  /// The media time at which the edit starts, in ticks; `nil` for an empty edit, which shows nothing.
  public var mediaTime: Int64?
  /// The playback rate: 1 is normal speed, 0 freezes the frame.
  public var rate: Double

  /// Reads an edit list; returns `nil` if the list is truncated.
  static func readEditList(_ cursor: ByteCursor) -> [EditListEntry]? {
    var cursor = cursor
    guard let is64Bit = cursor.fullBoxHeader()?.is64Bit, let count = cursor.u32(),
      Int(count) <= cursor.remaining / (is64Bit ? 20 : 12)
    else { return nil }
    return (0..<count).compactMap { _ in
      guard let duration = cursor.unsigned(is64Bit: is64Bit), let time = cursor.unsigned(is64Bit: is64Bit),
        let rate = cursor.u32()
      else { return nil }
      // An empty edit has a media time of -1. The rate is a 16.16 fixed-point number.
      let signedTime = is64Bit ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time))
      return EditListEntry(
        segmentDuration: duration, mediaTime: signedTime < 0 ? nil : signedTime,
        rate: Double(Int32(bitPattern: rate)) / 65536)
    }
  }
}
