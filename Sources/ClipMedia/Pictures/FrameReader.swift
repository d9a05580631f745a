import ClipModel
import LibAV

/// The frame that a clip shows at a given time.
struct ShownFrame {
  var frame: Frame
  /// When its presentation starts, in seconds.
  var seconds: Double
  /// The reason why the frame differs from the requested one.
  var note: String?
}

/// Reads single frames of a clip with as little decoding as possible: from the last key frame, without disposable
/// frames, up to the last requested frame.
final class FrameReader {
  enum Precision {
    /// The frame that is shown at the time.
    case exact
    /// The nearest key frame, which needs no other frame.
    case keyFrames
  }

  private(set) var container: InputContainer
  private(set) var stream: SourceStream
  private let interruption: Interruption
  private let precision: Precision
  private let index: KeyFrameIndex
  private var decoder: Decoder?
  private var lastShown: ShownFrame?
  /// The key frame in `lastShown`, if a key frame was requested.
  private var lastKey: KeyFrameIndex.Key?

  /// The maximum gap in seconds between two times that is decoded instead of skipped if there is no index.
  private static let longestGap = 10.0

  init(path: String, precision: Precision = .exact, interruption: Interruption) throws {
    let opened = try MediaFile(path: path, interruption: interruption).open(.whenNeeded, interruption: interruption)
    guard let stream = opened.mainVideo else { throw ClipMediaError.noVideo(name: opened.name) }
    container = opened
    self.stream = stream
    self.interruption = interruption
    self.precision = precision
    index = KeyFrameIndex(stream, in: opened)
  }

  /// Reads the frames that are shown at the given times, and returns each as soon as it is decoded.
  /// - Parameters:
  ///   - seconds: the sorted presentation times. A time after the end requests the last frame.
  ///   - output: called with the index of each time.
  /// - Throws: `ClipMediaError.noFrames` if no frame can be decoded.
  func read(_ seconds: [Double], output: (_ index: Int, ShownFrame) throws -> Void) throws {
    switch precision {
    case .exact: for range in ranges(seconds) { try scan(seconds, range, output) }
    case .keyFrames: for (index, seconds) in seconds.enumerated() { try output(index, try keyFrame(near: seconds)) }
    }
  }

  /// Converts presentation seconds to the track's clock.
  private func ticks(_ seconds: Double) -> Int64 {
    Int64(saturating: ((seconds + Self.slack + container.originSeconds) / stream.timeBase.value).rounded(.down))
  }

  /// The tolerance in seconds: half a millisecond, so that a time rounded to milliseconds still finds the frame that
  /// starts there.
  static let slack = 0.0005

  private func presentationSeconds(_ ticks: Int64) -> Double {
    Double(ticks) * stream.timeBase.value - container.originSeconds
  }

  /// The ranges of times that can be read with one scan from a key frame.
  private func ranges(_ seconds: [Double]) -> [Range<Int>] {
    guard !seconds.isEmpty else { return [] }
    let starts =
      [0]
      + seconds.indices.dropFirst().filter {
        index.isEmpty
          ? seconds[$0] - seconds[$0 - 1] > Self.longestGap
          : index.lastKey(at: ticks(seconds[$0])) != index.lastKey(at: ticks(seconds[$0 - 1]))
      }
    return zip(starts, starts.dropFirst() + [seconds.count]).map { $0..<$1 }
  }

  private func scan(
    _ seconds: [Double], _ range: Range<Int>, _ output: (_ index: Int, ShownFrame) throws -> Void
  ) throws {
    try move(before: seconds[range.lowerBound])
    container.select([stream.index])
    let decoder = try self.decoder ?? Decoder(stream)
    if self.decoder != nil { decoder.flush() }
    self.decoder = decoder
    let scan = FrameScan(stream, decoder: decoder, requested: range.map { ticks(seconds[$0]) })
    try scan.read(from: container, interruption: interruption) { offset, result in
      let index = range.lowerBound + offset
      let shown =
        try result.map { shownFrame($0.frame, expected: $0.expected) } ?? replacement(for: seconds[index])
      lastShown = shown
      try output(index, shown)
    }
  }

  private func shownFrame(_ frame: Frame, expected: Int64? = nil) -> ShownFrame {
    let ticks = frame.presentationTicks ?? 0
    var shown = ShownFrame(frame: frame, seconds: presentationSeconds(ticks))
    // A field has a separate timestamp, but no separate frame.
    if let expected, expected != ticks, !frame.isInterlaced {
      shown.note =
        "the frame at \(decimal(presentationSeconds(expected))) s cannot be decoded; "
        + "the frame at \(decimal(shown.seconds)) s is used instead"
    }
    return shown
  }

  private func move(before seconds: Double) throws {
    // Seek to the exact tick, because another key frame may follow half a tick later.
    let positioned = try container.positioned(
      before: Double(ticks(seconds)) * stream.timeBase.value, stream: stream, interruption: interruption)
    guard positioned !== container else { return }
    stream = try positioned.stream(stream.index)
    container = positioned
  }

  // MARK: Key frames

  private func keyFrame(near seconds: Double) throws -> ShownFrame {
    let key = try nearestKey(to: ticks(seconds))
    if let key, let lastShown, lastKey == key { return lastShown }
    lastKey = key
    if let key { try container.seek(stream: stream, ticks: key.seekTicks) } else { try move(before: seconds) }
    let shown =
      try decodeKeyFrame(before: key?.seekTicks ?? .max).map { shownFrame($0) } ?? replacement(for: seconds)
    lastShown = shown
    return shown
  }

  /// Compares the presentation times of the packets, which may differ from the index.
  private func nearestKey(to ticks: Int64) throws -> KeyFrameIndex.Key? {
    let neighbors = index.neighbors(of: ticks)
    guard neighbors.count == 2 else { return neighbors.first }
    let packet = try Packet()
    let times = try neighbors.map { key in
      try container.seek(stream: stream, ticks: key.seekTicks)
      container.select([stream.index])
      return try container.read(into: packet) ? packet.presentationTicks ?? key.presentation : key.presentation
    }
    return ticks &- times[0] <= times[1] &- ticks ? neighbors[0] : neighbors[1]
  }

  /// Decodes the next key frame alone; `nil` if that fails.
  /// - Parameter limit: a decoding time after which there is another key frame. A damaged key frame isn't recognized as
  ///   one.
  private func decodeKeyFrame(before limit: Int64 = .max) throws -> Frame? {
    container.select([stream.index])
    // A single thread returns one frame with the least delay.
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

  /// The nearest key frame that can be decoded, for times without a decodable frame nearby.
  private func replacement(for seconds: Double) throws -> ShownFrame {
    for key in index.sorted(byDistanceTo: ticks(seconds)) {
      try interruption.check()
      try container.seek(stream: stream, ticks: key.seekTicks)
      guard let frame = try decodeKeyFrame(before: key.seekTicks) else { continue }
      lastShown = shownFrame(frame)
      break
    }
    guard var shown = lastShown else { throw ClipMediaError.noFrames(name: container.name) }
    shown.note =
      "no frame can be decoded at \(decimal(seconds)) s; the frame at \(decimal(shown.seconds)) s is used instead"
    return shown
  }
}
