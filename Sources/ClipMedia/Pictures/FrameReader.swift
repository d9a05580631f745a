import ClipModel
import LibAV

/// The frame that a clip shows at some moment.
struct ShownFrame {
  var frame: Frame
  /// When it begins to be shown, seconds of the presentation.
  var seconds: Double
  /// Why it is not the one that was asked for.
  var note: String?
}

/// Reads single frames of a clip and decodes as little as possible for them: from the last key frame on, without the
/// pictures that no other refers to, and nothing behind the last one that is wanted.
final class FrameReader {
  enum Precision {
    /// The frame that is shown at the time.
    case exact
    /// The nearest key frame: it needs no other one.
    case keyFrames
  }

  private(set) var container: InputContainer
  private(set) var stream: SourceStream
  private let interruption: Interruption
  private let precision: Precision
  private let index: KeyFrameIndex
  private var decoder: Decoder?
  /// The last frame that was found.
  private var lastShown: ShownFrame?
  /// The key frame that it is, if it is one that was looked for.
  private var lastKey: KeyFrameIndex.Key?

  /// Without an index, wanted times at most this far apart are read in one go, seconds.
  private static let longestGap = 10.0

  init(path: String, precision: Precision = .exact, interruption: Interruption) throws {
    let opened = try SourceBytes(path: path, interruption: interruption).open(.whenNeeded, interruption: interruption)
    guard let stream = opened.mainVideo else {
      throw ClipMediaError.noVideo(name: opened.name)
    }
    container = opened
    self.stream = stream
    self.interruption = interruption
    self.precision = precision
    index = KeyFrameIndex(stream, in: opened)
  }

  /// Hands over the frames that are shown at the times, each as soon as it is there.
  /// - Parameters:
  ///   - seconds: of the presentation, ascending. A time behind the end means the last frame.
  ///   - take: gets the time's place among `seconds`.
  /// - Throws: `ClipMediaError.noFrames` when nothing at all can be decoded.
  func read(_ seconds: [Double], take: (_ place: Int, ShownFrame) throws -> Void) throws {
    switch precision {
    case .exact:
      for run in runs(seconds) { try readRun(seconds, run, take) }
    case .keyFrames:
      for place in seconds.indices { try take(place, try keyFrame(near: seconds[place])) }
    }
  }

  /// Of the track's clock, the presentation's beginning included.
  private func ticks(_ seconds: Double) -> Int64 {
    Int64(saturating: ((seconds + Self.slack + container.originSeconds) / stream.timeBase.value).rounded(.down))
  }

  /// Half a millisecond: a time that was written down in milliseconds must still find the frame that begins with it.
  static let slack = 0.0005

  private func presentationSeconds(_ ticks: Int64) -> Double {
    Double(ticks) * stream.timeBase.value - container.originSeconds
  }

  /// Times that one way from a key frame on serves, in turn.
  private func runs(_ seconds: [Double]) -> [Range<Int>] {
    guard !seconds.isEmpty else { return [] }
    var starts = [0]
    for place in 1..<max(seconds.count, 1) {
      let isNew =
        index.isEmpty
        ? seconds[place] - seconds[place - 1] > Self.longestGap
        : index.lastKey(at: ticks(seconds[place])) != index.lastKey(at: ticks(seconds[place - 1]))
      if isNew { starts.append(place) }
    }
    return zip(starts, starts.dropFirst() + [seconds.count]).map { $0..<$1 }
  }

  private func readRun(
    _ seconds: [Double], _ places: Range<Int>, _ take: (_ place: Int, ShownFrame) throws -> Void
  ) throws {
    try move(before: seconds[places.lowerBound])
    container.select([stream.index])
    let decoder = try self.decoder ?? Decoder(stream)
    if self.decoder != nil { decoder.flush() }
    self.decoder = decoder
    let run = FrameRun(stream, decoder: decoder, wanted: places.map { ticks(seconds[$0]) })
    try run.read(from: container, interruption: interruption) { offset, answer in
      let place = places.lowerBound + offset
      let shown =
        try answer.map { shownFrame($0.frame, expected: $0.expected) }
        ?? replacement(for: seconds[place])
      lastShown = shown
      try take(place, shown)
    }
  }

  private func shownFrame(_ frame: Frame, expected: Int64?) -> ShownFrame {
    let ticks = frame.presentationTicks ?? 0
    var shown = ShownFrame(frame: frame, seconds: presentationSeconds(ticks))
    // A field has a time of its own, but no picture.
    if let expected, expected != ticks, !frame.isInterlaced {
      shown.note =
        "the frame at \(decimal(presentationSeconds(expected))) s cannot be decoded; "
        + "the one at \(decimal(shown.seconds)) s is drawn"
    }
    return shown
  }

  private func move(before seconds: Double) throws {
    // Of the tick itself: half a tick later there may be another key frame.
    let positioned = try container.positioned(
      before: Double(ticks(seconds)) * stream.timeBase.value, stream: stream, interruption: interruption)
    guard positioned !== container else { return }
    guard let stream = positioned.streams.first(where: { $0.index == self.stream.index }) else {
      throw ClipMediaError.changed(name: container.name)
    }
    container = positioned
    self.stream = stream
  }

  // MARK: Key frames

  private func keyFrame(near seconds: Double) throws -> ShownFrame {
    guard let key = try nearestKey(to: ticks(seconds)) else {
      try move(before: seconds)
      if let frame = try decodeKeyFrame() { return remembered(frame) }
      return try replacement(for: seconds)
    }
    if let lastShown, lastKey == key { return lastShown }
    lastKey = key
    try container.seek(stream: stream, ticks: key.seeking)
    if let frame = try decodeKeyFrame(before: key.seeking) { return remembered(frame) }
    let shown = try replacement(for: seconds)
    lastShown = shown
    return shown
  }

  private func remembered(_ frame: Frame) -> ShownFrame {
    let shown = ShownFrame(frame: frame, seconds: presentationSeconds(frame.presentationTicks ?? 0))
    lastShown = shown
    return shown
  }

  /// By the times that the packets themselves have.
  private func nearestKey(to wanted: Int64) throws -> KeyFrameIndex.Key? {
    let neighbours = index.neighbours(of: wanted)
    guard neighbours.count == 2 else { return neighbours.first }
    let packet = try Packet()
    let times = try neighbours.map { key in
      try container.seek(stream: stream, ticks: key.seeking)
      container.select([stream.index])
      return try container.read(into: packet) ? packet.presentationTicks ?? key.presentation : key.presentation
    }
    return wanted &- times[0] <= times[1] &- wanted ? neighbours[0] : neighbours[1]
  }

  /// The next key frame by itself; `nil` when it cannot be decoded.
  /// - Parameter limit: decoding time behind which there is another one. A damaged key frame is not recognized as one.
  private func decodeKeyFrame(before limit: Int64 = .max) throws -> Frame? {
    container.select([stream.index])
    // One thread gives one frame soonest.
    let decoder = try Decoder(stream, threadCount: 1)
    let packet = try Packet()
    while try container.read(into: packet) {
      try interruption.check()
      if packet.decodingTicks ?? 0 > limit { return nil }
      guard packet.streamIndex == stream.index, packet.isKeyFrame else { continue }
      guard (try? decoder.send(packet)) == true, (try? decoder.send(nil)) == true else { return nil }
      let frame = try Frame()
      guard (try? decoder.receive(into: frame)) == .produced, !frame.isDamaged else { return nil }
      return frame
    }
    return nil
  }

  /// What is drawn when nothing near a time can be decoded: the nearest key frame that can.
  private func replacement(for seconds: Double) throws -> ShownFrame {
    let wanted = ticks(seconds)
    for key in index.all(by: wanted) {
      try interruption.check()
      try container.seek(stream: stream, ticks: key.seeking)
      guard let frame = try decodeKeyFrame(before: key.seeking) else { continue }
      return noted(remembered(frame), for: seconds)
    }
    guard let lastShown else { throw ClipMediaError.noFrames(name: container.name) }
    return noted(lastShown, for: seconds)
  }

  private func noted(_ shown: ShownFrame, for seconds: Double) -> ShownFrame {
    var shown = shown
    shown.note =
      "nothing can be decoded at \(decimal(seconds)) s; the frame at \(decimal(shown.seconds)) s is drawn"
    return shown
  }
}
