public import ClipModel

/// A track (`trak`).
public struct ISOTrack: Equatable, Sendable {
  /// The `trak` box.
  public var box: Box
  /// The ID in `tkhd`, to which other tracks and fragments refer.
  public var trackID: UInt32 = 0
  /// The duration in `tkhd`, in movie timescale ticks; `nil` if unknown.
  public var headerDuration: UInt64?
  /// Whether the track is enabled for playback.
  public var isEnabled = false
  /// The display matrix as stored in the file: nine 16.16 fixed-point numbers, except the last column, which is 2.30;
  /// empty if there is none.
  public var displayMatrix: [Int32] = []
  /// The displayed size before applying the matrix; `nil` for audio.
  public var displaySize: PictureSize?
  /// The language code, such as `eng`; `nil` if undetermined.
  public var language: String?
  /// The handler type: `vide`, `soun`, `meta`, `text`, `tmcd`…
  public var handlerType: FourCC?
  /// The handler name, such as `Core Media Video`. Some cameras write their own name here.
  public var handlerName = ""
  /// The sample descriptions, usually one.
  public var sampleEntries: [SampleEntry] = []
  /// The number of ticks per second of the media.
  public var timescale: UInt32 = 0
  /// The duration of all samples, including fragments.
  public var mediaDurationTicks: Int64 = 0
  /// The edit list; empty if the whole media is shown.
  public var edits: [EditListEntry] = []
  /// The presentation duration with edits applied, including empty edits; `nil` if the file does not state it.
  public var presentationSeconds: Double?
  /// The number of samples, including fragments.
  public var sampleCount = 0
  /// The number of samples at which decoding can start.
  public var syncSampleCount = 0
  /// The number of samples without a duration, except the last one. Samples in fragments are not counted.
  public var stalledSampleCount = 0
  /// Whether the durations of samples differ by more than rounding. Only meaningful for video, because the last packets
  /// of audio are often shorter.
  public var hasVariableFrameRate = false
  /// The end of the last sample in the file. It exceeds the file size if bytes are missing. 0 if there are no samples.
  public var byteEnd: Int64 = 0
  /// The sample tables; `nil` if there is no `stbl`.
  public var table: SampleTable?

  /// The average number of samples per second; `nil` if the file does not state it.
  public var averageFrameRate: Double? {
    guard timescale > 0, mediaDurationTicks > 0, sampleCount > 0 else { return nil }
    return Double(sampleCount) * Double(timescale) / Double(mediaDurationTicks)
  }

  /// Whether the edit list has at most one leading empty edit and one media edit at normal speed.
  public var hasSimpleEdits: Bool {
    let media = edits.drop { $0.mediaTime == nil }
    return media.count <= 1 && edits.count - media.count <= 1 && media.allSatisfy { $0.rate == 1 }
  }

  /// The duration of the media that the edit list hides, in seconds; 0 if there are no edits.
  public func hiddenSeconds(movieTimescale: UInt32) -> Double? {
    guard timescale > 0 else { return nil }
    let mediaEdits = edits.filter { $0.mediaTime != nil }
    guard
      let shown = ISOTrack.presentation(
        edits: mediaEdits, mediaTicks: mediaDurationTicks, timescale: timescale, movieTimescale: movieTimescale)
    else { return nil }
    return max(0, Double(mediaDurationTicks) / Double(timescale) - shown)
  }

  /// Applies edits to the media. An edit of length 0 lasts until the end of the media, as in fragmented files. If all
  /// edits are empty, they only delay the media.
  /// - Parameter lastTicks: the end of the last frame, after which edits at normal speed show nothing; `nil` if
  ///   unknown.
  static func presentation(
    edits: [EditListEntry], mediaTicks: Int64, timescale: UInt32, movieTimescale: UInt32, lastTicks: Int64? = nil
  ) -> Double? {
    guard timescale > 0 else { return nil }
    guard !edits.isEmpty, movieTimescale > 0 else { return Double(mediaTicks) / Double(timescale) }
    func rest(of ticks: Int64, from start: Int64) -> Double {
      Double(max(0, ticks.addingSaturated(-start))) / Double(timescale)
    }
    let delay = edits.contains { $0.mediaTime != nil } ? 0 : rest(of: mediaTicks, from: 0)
    return edits.reduce(delay) { sum, edit in
      let length = Double(edit.segmentDuration) / Double(movieTimescale)
      guard let start = edit.mediaTime else { return sum + length }
      if edit.segmentDuration == 0 { return sum + rest(of: mediaTicks, from: start) }
      let most = lastTicks.map { rest(of: $0, from: start) } ?? .infinity
      // Edit durations are rounded to movie timescale ticks.
      return sum + (edit.rate == 1 && length > most + 0.05 ? most : length)
    }
  }
}

/// An entry of an edit list (`elst`).
public struct EditListEntry: Equatable, Sendable {
  /// The duration in movie timescale ticks.
  public var segmentDuration: UInt64
  /// The first displayed tick of the media; `nil` for an empty edit, which shows nothing.
  public var mediaTime: Int64?
  /// The playback rate: 1 is normal speed, 0 freezes the frame.
  public var rate: Double

  /// Reads an edit list; `nil` if it is truncated.
  static func list(_ cursor: ByteCursor) -> [EditListEntry]? {
    var cursor = cursor
    guard let is64Bit = cursor.header()?.is64Bit, let count = cursor.u32(),
      Int(count) <= cursor.remaining / (is64Bit ? 20 : 12)
    else { return nil }
    return (0..<count).compactMap { _ in
      guard let duration = cursor.unsigned(is64Bit: is64Bit), let time = cursor.unsigned(is64Bit: is64Bit),
        let rate = cursor.u32()
      else { return nil }
      // The media time of an empty edit is -1. The rate is in 16.16 fixed point.
      let signedTime = is64Bit ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time))
      return EditListEntry(
        segmentDuration: duration, mediaTime: signedTime < 0 ? nil : signedTime,
        rate: Double(Int32(bitPattern: rate)) / 65536)
    }
  }
}
