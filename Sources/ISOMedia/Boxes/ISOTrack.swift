public import ClipModel

/// One track (`trak`).
public struct ISOTrack: Equatable, Sendable {
  /// The `trak` box.
  public var box: Box
  /// From `tkhd`: what other tracks and fragments refer to.
  public var trackID: UInt32 = 0
  /// From `tkhd`, in ticks of the movie; `nil` when unknown.
  public var headerDuration: UInt64?
  /// The flag that a player shows it.
  public var isEnabled = false
  /// How a picture is to be turned and scaled: nine numbers as in the file, 16.16 fixed point, the last column 2.30;
  /// empty when there are none.
  public var displayMatrix: [Int32] = []
  /// Pixels to be shown, before the matrix; a track of sound has none.
  public var displaySize: PictureSize?
  /// `eng`; `nil` when it is undetermined.
  public var language: String?
  /// `vide`, `soun`, `meta`, `text`, `tmcd`…
  public var handlerType: FourCC?
  /// What the writer calls it: `Core Media Video`. Cameras put their names here.
  public var handlerName = ""
  /// How its samples are coded, mostly in one way.
  public var sampleEntries: [SampleEntry] = []
  /// Ticks per second of the media.
  public var timescale: UInt32 = 0
  /// All samples together, fragments included.
  public var mediaDurationTicks: Int64 = 0
  /// Its edit list; empty when all of the media is shown.
  public var edits: [EditListEntry] = []
  /// Length of the presentation with edits applied, empty ones included; `nil` when the file does not tell.
  public var presentationSeconds: Double?
  /// Samples in the file, fragments included.
  public var sampleCount = 0
  /// Samples that decoding can start at.
  public var syncSampleCount = 0
  /// Samples that last no time, the last one left out; those of fragments are not counted.
  public var stalledSampleCount = 0
  /// Sample durations differ by more than rounding; says something of picture tracks only, as the last packets of sound
  /// are often cut.
  public var hasVariableFrameRate = false
  /// The end of the last sample in the file; behind the file's end when bytes are missing. 0 without samples.
  public var byteEnd: Int64 = 0
  /// Where its samples are; `nil` without `stbl`.
  public var table: SampleTable?

  /// Samples per second on average; `nil` when the file does not tell.
  public var averageFrameRate: Double? {
    guard timescale > 0, mediaDurationTicks > 0, sampleCount > 0 else { return nil }
    return Double(sampleCount) * Double(timescale) / Double(mediaDurationTicks)
  }

  /// At most one leading empty edit and one media edit at normal speed.
  public var hasSimpleEdits: Bool {
    let media = edits.drop { $0.mediaTime == nil }
    return media.count <= 1 && edits.count - media.count <= 1 && media.allSatisfy { $0.rate == 1 }
  }

  /// Media that the edits do not show, in seconds; 0 without edits.
  public func hiddenSeconds(movieTimescale: UInt32) -> Double? {
    guard timescale > 0 else { return nil }
    let mediaEdits = edits.filter { $0.mediaTime != nil }
    guard
      let shown = ISOTrack.presentation(
        edits: mediaEdits, mediaTicks: mediaDurationTicks, timescale: timescale, movieTimescale: movieTimescale)
    else { return nil }
    return max(0, Double(mediaDurationTicks) / Double(timescale) - shown)
  }

  /// Edits applied to the media. An edit of length 0 lasts to the end of the media, as in fragmented files; empty edits
  /// alone only delay it.
  /// - Parameter lastTicks: when the last picture's time is over: no edit at normal speed shows more; `nil` when that is
  ///   not known.
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
      // Rounded to ticks of the movie.
      return sum + (edit.rate == 1 && length > most + 0.05 ? most : length)
    }
  }
}

/// One entry of an edit list (`elst`).
public struct EditListEntry: Equatable, Sendable {
  /// In ticks of the movie.
  public var segmentDuration: UInt64
  /// First tick of the media that is shown; `nil` for an empty edit, which shows nothing.
  public var mediaTime: Int64?
  /// 1 is normal speed; 0 holds the frame.
  public var rate: Double

  /// Reads an edit list; `nil` when it is cut off.
  static func list(_ cursor: ByteCursor) -> [EditListEntry]? {
    var cursor = cursor
    guard let flags = cursor.u32(), let count = cursor.u32() else { return nil }
    let isWide = flags >> 24 == 1
    guard Int(count) <= cursor.remaining / (isWide ? 20 : 12) else { return nil }
    return (0..<count).compactMap { _ in
      let duration = isWide ? cursor.u64() : cursor.u32().map(UInt64.init)
      let time = isWide ? cursor.u64().map(Int64.init(bitPattern:)) : cursor.u32().map { Int64(Int32(bitPattern: $0)) }
      guard let duration, let time, let rate = cursor.u32() else { return nil }
      // 16.16 fixed point; an empty edit has the media time -1.
      return EditListEntry(
        segmentDuration: duration, mediaTime: time < 0 ? nil : time, rate: Double(Int32(bitPattern: rate)) / 65536)
    }
  }
}
