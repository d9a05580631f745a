import ClipModel
import LibAV

/// A frame that a clip shows at a given time.
struct ShownFrame {
  var frame: Frame
  /// The time at which the frame is first shown, in seconds.
  var seconds: Double
  /// The reason why this frame is used instead of the requested one, if it differs.
  var note: String?
}

/// Reads individual frames of a clip with as little decoding as possible. Decoding starts at the last key frame, skips
/// disposable frames, and ends at the last requested frame.
final class FrameReader {
  enum Precision {
    /// The exact frame that is shown at the requested time.
    case exact
    /// The nearest key frame, which can be decoded alone.
    case keyFrames
  }

  private(set) var container: InputContainer
  private(set) var stream: SourceStream
  private let interruption: Interruption
  private let precision: Precision
  private let index: KeyFrameIndex
  private var decoder: Decoder?
  private var lastShown: ShownFrame?
  /// The key frame that `lastShown` contains, if a key frame was requested.
  private var lastKeyFrame: KeyFrameIndex.KeyFrame?

  /// For clips without an index, the maximum interval in seconds between requested times that is decoded instead of
  /// skipped with a seek.
  private static let longestGap = 10.0

  convenience init(path: String, precision: Precision = .exact, interruption: Interruption) throws {
    try self.init(MediaFile(path: path, interruption: interruption), precision: precision, interruption: interruption)
  }

  init(_ file: MediaFile, precision: Precision = .exact, interruption: Interruption) throws {
    let opened = try file.open(.whenNeeded, interruption: interruption)
    guard let stream = opened.mainVideo else { throw ClipMediaError.noVideo(name: opened.name) }
    container = opened
    self.stream = stream
    self.interruption = interruption
    self.precision = precision
    index = KeyFrameIndex(stream, in: opened)
  }

  /// Reads the frames that are shown at the given times, and passes each one to `output` as soon as it is decoded.
  /// - Parameters:
  ///   - seconds: the sorted presentation times. For times after the end, the last frame is read.
  ///   - output: called for each time, with the index in `seconds` and the frame.
  /// - Throws: `ClipMediaError.noFrames` if no frame can be decoded.
  func read(_ seconds: [Double], output: (_ index: Int, ShownFrame) throws -> Void) throws {
    switch precision {
    case .exact: for range in makeScanRanges(seconds) { try scanRange(seconds, range, output) }
    case .keyFrames: for (index, seconds) in seconds.enumerated() { try output(index, try readKeyFrame(near: seconds)) }
    }
  }

  /// Converts a presentation time in seconds to ticks on the track's clock.
  private func convertToTicks(_ seconds: Double) -> Int64 {
    Int64(saturating: ((seconds + Self.slack + container.originSeconds) / stream.timeBase.value).rounded(.down))
  }

  /// The tolerance in seconds. Half a millisecond ensures that a start time rounded to milliseconds still selects the
  /// right frame.
  static let slack = 0.0005

  private func convertToPresentationSeconds(_ ticks: Int64) -> Double {
    Double(ticks) * stream.timeBase.value - container.originSeconds
  }

  /// Returns ranges of times, each of which can be read with one scan from a key frame.
  private func makeScanRanges(_ seconds: [Double]) -> [Range<Int>] {
    guard !seconds.isEmpty else { return [] }
    let starts =
      [0]
      + seconds.indices.dropFirst().filter {
        index.isEmpty
          ? seconds[$0] - seconds[$0 - 1] > Self.longestGap
          : index.lastKeyFrame(at: convertToTicks(seconds[$0]))
            != index.lastKeyFrame(at: convertToTicks(seconds[$0 - 1]))
      }
    return zip(starts, starts.dropFirst() + [seconds.count]).map { $0..<$1 }
  }

  private func scanRange(
    _ seconds: [Double], _ range: Range<Int>, _ output: (_ index: Int, ShownFrame) throws -> Void
  ) throws {
    try seek(before: seconds[range.lowerBound])
    container.select([stream.index])
    let decoder = try self.decoder ?? Decoder(stream)
    if self.decoder != nil { decoder.flush() }
    self.decoder = decoder
    let scan = FrameScan(stream, decoder: decoder, requested: range.map { convertToTicks(seconds[$0]) })
    try scan.read(from: container, interruption: interruption) { offset, result in
      let index = range.lowerBound + offset
      let shown =
        try result.map { makeShownFrame($0.frame, expected: $0.expected) } ?? findReplacement(for: seconds[index])
      lastShown = shown
      try output(index, shown)
    }
  }

  private func makeShownFrame(_ frame: Frame, expected: Int64? = nil) -> ShownFrame {
    let ticks = frame.presentationTicks ?? 0
    var shown = ShownFrame(frame: frame, seconds: convertToPresentationSeconds(ticks))
    // The fields of an interlaced frame have separate timestamps, but form one frame.
    if let expected, expected != ticks, !frame.isInterlaced {
      shown.note =
        "the frame at \(decimal(convertToPresentationSeconds(expected))) s cannot be decoded; "
        + "the frame at \(decimal(shown.seconds)) s is used instead"
    }
    return shown
  }

  private func seek(before seconds: Double) throws {
    // Seek to the exact tick, because the next key frame may follow half a tick later.
    let positioned = try container.positionedAtKeyFrame(
      before: Double(convertToTicks(seconds)) * stream.timeBase.value, stream: stream, interruption: interruption)
    guard positioned !== container else { return }
    stream = try positioned.stream(stream.index)
    container = positioned
  }

  // MARK: Key frames

  private func readKeyFrame(near seconds: Double) throws -> ShownFrame {
    let key = try findNearestKeyFrame(to: convertToTicks(seconds))
    if let key, let lastShown, lastKeyFrame == key { return lastShown }
    lastKeyFrame = key
    if let key { try container.seek(stream: stream, ticks: key.seekTicks) } else { try seek(before: seconds) }
    let shown =
      try decodeKeyFrame(before: key?.seekTicks ?? .max).map { makeShownFrame($0) } ?? findReplacement(for: seconds)
    lastShown = shown
    return shown
  }

  /// Finds the nearest key frame by the presentation times of the packets, which may differ from the index.
  private func findNearestKeyFrame(to ticks: Int64) throws -> KeyFrameIndex.KeyFrame? {
    let adjacent = index.adjacentKeyFrames(of: ticks)
    guard adjacent.count == 2 else { return adjacent.first }
    let packet = try Packet()
    let times = try adjacent.map { key in
      try container.seek(stream: stream, ticks: key.seekTicks)
      container.select([stream.index])
      return try container.read(into: packet) ? packet.presentationTicks ?? key.presentation : key.presentation
    }
    return ticks &- times[0] <= times[1] &- ticks ? adjacent[0] : adjacent[1]
  }

  /// Decodes the next key frame alone. Returns `nil` if decoding fails.
  /// - Parameter limit: the decoding time at which to stop, because the next packets belong to a later key frame. A
  ///   damaged key frame isn't recognized as a key frame.
  private func decodeKeyFrame(before limit: Int64 = .max) throws -> Frame? {
    container.select([stream.index])
    // A single decoding thread returns a frame with the least delay.
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

  /// Returns the nearest key frame that can be decoded, for times at which no frame can be decoded.
  private func findReplacement(for seconds: Double) throws -> ShownFrame {
    for key in index.sorted(byDistanceTo: convertToTicks(seconds)) {
      try interruption.check()
      try container.seek(stream: stream, ticks: key.seekTicks)
      guard let frame = try decodeKeyFrame(before: key.seekTicks) else { continue }
      lastShown = makeShownFrame(frame)
      break
    }
    guard var shown = lastShown else { throw ClipMediaError.noFrames(name: container.name) }
    shown.note =
      "no frame can be decoded at \(decimal(seconds)) s; the frame at \(decimal(shown.seconds)) s is used instead"
    return shown
  }
}
