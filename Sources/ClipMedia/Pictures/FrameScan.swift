import LibAV

/// Scans a track from a key frame to the last requested time, and decodes only the frames that are needed for the
/// requested times.
final class FrameScan {
  private let stream: SourceStream
  /// The requested times in ticks, sorted.
  private let requested: [Int64]
  private let decoder: Decoder
  private let parser: NALUnitParser?
  /// Packets that have been read and that may or may not have to be decoded.
  private var ahead: [Packet] = []
  /// The presentation times in ticks of the packets that have been read, sorted.
  private var presentation: [Int64] = []
  private var newestDecoding: Int64?
  /// Whether the packets have presentation times. In AVI and other containers without them, libav guesses the times
  /// when it returns frames.
  private var hasTimes = true
  private var isAtEnd = false
  /// The index of the next requested time for which no frame has been found.
  private var next = 0
  /// The last undamaged frame from the decoder.
  private var held: Frame?
  private var lastTicks: Int64 = 0

  /// The frame for a requested time, and the presentation time of the frame that should be shown, if known.
  typealias FrameResult = (frame: Frame, expected: Int64?)
  typealias FrameHandler = (_ index: Int, FrameResult?) throws -> Void

  /// Creates a scan.
  /// - Parameter decoder: a new or flushed decoder.
  init(_ stream: SourceStream, decoder: Decoder, requested: [Int64]) {
    self.stream = stream
    self.decoder = decoder
    self.requested = requested
    parser = NALUnitParser(stream)
  }

  /// Reads the container up to the last requested time.
  /// - Parameter output: called once for each requested time, in order. The frame is `nil` if no frame could be
  ///   decoded.
  func read(from container: InputContainer, interruption: Interruption, output: FrameHandler) throws {
    while !isAtEnd {
      try interruption.check()
      let packet = try Packet()
      if try container.read(into: packet) {
        guard packet.streamIndex == stream.index else { continue }
        add(packet)
      } else {
        isAtEnd = true
      }
      try decodePackets(output)
    }
    // Ignore errors, because they can only affect frames after the last requested frame.
    _ = try? decoder.send(nil)
    try receiveFrames(output)
    while next < requested.count { try deliverFrame(held, output) }
  }

  private func add(_ packet: Packet) {
    // Frames that the edit list hides are decoded, but never shown.
    if let ticks = packet.presentationTicks, !packet.isDiscarded {
      presentation.insert(ticks, at: upperBoundIndex(ticks))
    }
    if packet.presentationTicks == nil { hasTimes = false }
    if let ticks = packet.decodingTicks { newestDecoding = ticks }
    // Frames are decoded before they are shown, so no later packet is shown earlier than the latest decoding time.
    // Always read at least the first frame: it also represents any time before its own timestamp.
    if let newestDecoding, let last = requested.last, newestDecoding > last, let first = presentation.first,
      first <= last || next == requested.count
    {
      isAtEnd = true
    } else {
      ahead.append(packet)
    }
  }

  /// Decodes the required packets in order. Stops at the first packet for which the need to decode it isn't known yet.
  private func decodePackets(_ output: FrameHandler) throws {
    var count = 0
    for packet in ahead {
      guard let isNeeded = isNeeded(packet) else { break }
      count += 1
      guard isNeeded else { continue }
      // Ignore errors, because missing frames are detected later.
      while (try? decoder.send(packet)) == false { try receiveFrames(output) }
      try receiveFrames(output)
    }
    ahead.removeFirst(count)
  }

  /// Returns whether a packet must be decoded, or `nil` if the answer depends on packets that haven't been read yet.
  private func isNeeded(_ packet: Packet) -> Bool? {
    guard let parser, parser.isDisposable(packet), let ticks = packet.presentationTicks else { return true }
    let after = upperBoundIndex(ticks)
    // The frame is shown at the next requested time, unless a later frame starts before that time.
    guard let index = requested.firstIndex(where: { $0 >= ticks }) else { return false }
    if after < presentation.count, requested[index] >= presentation[after] { return false }
    guard !isAtEnd, let newestDecoding, newestDecoding <= requested[index] else { return true }
    return nil
  }

  private func receiveFrames(_ output: FrameHandler) throws {
    while true {
      let frame = try Frame()
      guard (try? decoder.receive(into: frame)) == .produced else { return }
      guard !frame.isDamaged else { continue }
      // A frame without a timestamp is shown after the previous frame.
      let ticks = frame.presentationTicks ?? (lastTicks &+ 1)
      lastTicks = ticks
      while next < requested.count, requested[next] < ticks { try deliverFrame(nearestFrame(held, frame), output) }
      held = frame
    }
  }

  /// Returns the earlier frame if it is the expected frame. If the expected frame is missing, returns the frame that is
  /// closer to the requested time.
  private func nearestFrame(_ earlier: Frame?, _ later: Frame) -> Frame {
    guard let earlier, let ticks = earlier.presentationTicks, let laterTicks = later.presentationTicks else {
      return later
    }
    if expected == ticks { return earlier }
    return requested[next] &- ticks <= laterTicks &- requested[next] ? earlier : later
  }

  /// The presentation time of the frame that is shown at the next requested time.
  private var expected: Int64? {
    let after = upperBoundIndex(requested[next])
    return after > 0 ? presentation[after - 1] : presentation.first
  }

  /// Returns the index of the first time in `presentation` that is later than `ticks`.
  private func upperBoundIndex(_ ticks: Int64) -> Int {
    var (low, high) = (0, presentation.count)
    while low < high {
      let middle = (low + high) / 2
      if presentation[middle] <= ticks { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func deliverFrame(_ frame: Frame?, _ output: FrameHandler) throws {
    let expected = expected
    let index = next
    next += 1
    // Times before the expected one aren't needed for later requests.
    if let first = expected.map({ upperBoundIndex($0 - 1) }), first > 0 { presentation.removeFirst(first) }
    try output(index, frame.map { (frame: $0, expected: hasTimes ? expected : nil) })
  }
}
