import LibAV

/// Scans a track from a key frame past all requested times, and decodes only the frames that they need.
final class FrameScan {
  private let stream: SourceStream
  /// The sorted requested times, in ticks.
  private let requested: [Int64]
  private let decoder: Decoder
  private let parser: NALUnitParser?
  /// Packets that have been read but may not need to be decoded.
  private var ahead: [Packet] = []
  /// The sorted presentation times of the packets that have been read, in ticks.
  private var presentation: [Int64] = []
  private var newestDecoding: Int64?
  /// Whether the packets have timestamps. False for AVI and other containers without them, where libav guesses them
  /// when it returns frames.
  private var hasTimes = true
  private var isAtEnd = false
  /// The index of the next requested time without a frame.
  private var next = 0
  /// The last undamaged frame.
  private var held: Frame?
  private var lastTicks: Int64 = 0

  /// The frame for a time, and the presentation time of the frame that should be shown, if known. `nil` if no frame
  /// could be decoded.
  typealias Result = (frame: Frame, expected: Int64?)
  typealias Output = (_ index: Int, Result?) throws -> Void

  /// - Parameter decoder: a new or flushed decoder.
  init(_ stream: SourceStream, decoder: Decoder, requested: [Int64]) {
    self.stream = stream
    self.decoder = decoder
    self.requested = requested
    parser = NALUnitParser(stream)
  }

  /// - Parameter output: called once for each requested time, in order.
  func read(from container: InputContainer, interruption: Interruption, output: Output) throws {
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
    // Errors here would be about frames after the last requested one.
    _ = try? decoder.send(nil)
    try receive(output)
    while next < requested.count { try deliver(held, output) }
  }

  private func add(_ packet: Packet) {
    // Frames cut off by an edit list are decoded, but never shown.
    if let ticks = packet.presentationTicks, !packet.isDiscarded {
      presentation.insert(ticks, at: indexAfter(ticks))
    }
    if packet.presentationTicks == nil { hasTimes = false }
    if let ticks = packet.decodingTicks { newestDecoding = ticks }
    // Frames are decoded before they are shown, so no later packet is for an earlier time. A time before the first
    // frame requests the first frame, so read at least that.
    if let newestDecoding, let last = requested.last, newestDecoding > last, let first = presentation.first,
      first <= last || next == requested.count
    {
      isAtEnd = true
    } else {
      ahead.append(packet)
    }
  }

  /// Decodes the required packets in order, up to the first packet that may or may not be required.
  private func decodePackets(_ output: Output) throws {
    var count = 0
    for packet in ahead {
      guard let isNeeded = isNeeded(packet) else { break }
      count += 1
      guard isNeeded else { continue }
      // A frame that cannot be decoded is never returned, which is detected later.
      while (try? decoder.send(packet)) == false { try receive(output) }
      try receive(output)
    }
    ahead.removeFirst(count)
  }

  /// Whether a packet must be decoded; `nil` if this depends on packets that haven't been read yet.
  private func isNeeded(_ packet: Packet) -> Bool? {
    guard let parser, parser.isDisposable(packet), let ticks = packet.presentationTicks else { return true }
    let after = indexAfter(ticks)
    // The frame is shown at the first requested time after its own, unless another one comes between.
    guard let index = requested.firstIndex(where: { $0 >= ticks }) else { return false }
    if after < presentation.count, requested[index] >= presentation[after] { return false }
    guard !isAtEnd, let newestDecoding, newestDecoding <= requested[index] else { return true }
    return nil
  }

  private func receive(_ output: Output) throws {
    while true {
      let frame = try Frame()
      guard (try? decoder.receive(into: frame)) == .produced else { return }
      guard !frame.isDamaged else { continue }
      // A frame without a time is shown after the previous one.
      let ticks = frame.presentationTicks ?? (lastTicks &+ 1)
      lastTicks = ticks
      while next < requested.count, requested[next] < ticks { try deliver(nearest(held, frame), output) }
      held = frame
    }
  }

  /// The earlier frame if it is the expected one; if the expected frame is missing, the nearer of the two.
  private func nearest(_ earlier: Frame?, _ later: Frame) -> Frame {
    guard let earlier, let ticks = earlier.presentationTicks, let laterTicks = later.presentationTicks else {
      return later
    }
    if expected == ticks { return earlier }
    return requested[next] &- ticks <= laterTicks &- requested[next] ? earlier : later
  }

  /// The presentation time of the frame that is shown at the next requested time.
  private var expected: Int64? {
    let after = indexAfter(requested[next])
    return after > 0 ? presentation[after - 1] : presentation.first
  }

  /// The index of the first later time in `presentation`.
  private func indexAfter(_ ticks: Int64) -> Int {
    var (low, high) = (0, presentation.count)
    while low < high {
      let middle = (low + high) / 2
      if presentation[middle] <= ticks { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func deliver(_ frame: Frame?, _ output: Output) throws {
    let expected = expected
    let index = next
    next += 1
    // No later request needs the times before this one.
    if let first = expected.map({ indexAfter($0 - 1) }), first > 0 { presentation.removeFirst(first) }
    try output(index, frame.map { (frame: $0, expected: hasTimes ? expected : nil) })
  }
}
