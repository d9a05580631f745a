import LibAV

/// One way through a track from a key frame on, past all times that are wanted, decoding only what they need.
final class FrameRun {
  private let stream: SourceStream
  /// Ticks, ascending.
  private let wanted: [Int64]
  private let decoder: Decoder
  private let units: PictureUnits?
  /// Read, and not yet known whether they have to be decoded.
  private var ahead: [Packet] = []
  /// When the packets so far are shown, ticks, ascending.
  private var presentation: [Int64] = []
  private var newestDecoding: Int64?
  /// AVI and others leave times open, to be guessed when the frames come.
  private var tellsTimes = true
  private var isAtEnd = false
  /// The next of `wanted` that has no frame yet.
  private var next = 0
  /// The last good frame so far.
  private var held: Frame?
  private var lastTicks: Int64 = 0

  /// What a time got: the frame, and when the one that should be there is shown, if that is known. `nil` when nothing
  /// could be decoded.
  typealias Answer = (frame: Frame, expected: Int64?)

  /// - Parameter decoder: knows nothing of any frame before.
  init(_ stream: SourceStream, decoder: Decoder, wanted: [Int64]) {
    self.stream = stream
    self.decoder = decoder
    self.wanted = wanted
    units = PictureUnits(stream)
  }

  /// - Parameter answer: called for each wanted time in turn.
  func read(
    from container: InputContainer, interruption: Interruption, answer: (_ place: Int, Answer?) throws -> Void
  ) throws {
    while !isAtEnd {
      try interruption.check()
      let packet = try Packet()
      if try container.read(into: packet) {
        guard packet.streamIndex == stream.index else { continue }
        note(packet)
      } else {
        isAtEnd = true
      }
      try release(answer)
    }
    // Damage told now would be told about frames that nobody wants.
    _ = try? decoder.send(nil)
    try receive(answer)
    while next < wanted.count { try give(held, answer) }
  }

  private func note(_ packet: Packet) {
    // What an edit list cuts off is decoded, but never shown.
    if let ticks = packet.presentationTicks, !packet.isDiscarded {
      presentation.insert(ticks, at: placeBehind(ticks))
    }
    if packet.presentationTicks == nil { tellsTimes = false }
    if let ticks = packet.decodingTicks { newestDecoding = ticks }
    // Frames are decoded no later than they are shown: nothing from here on is for a time before it.
    // A time before the first frame means that one, so it has to come.
    if let newestDecoding, let last = wanted.last, newestDecoding > last, let first = presentation.first,
      first <= last || next == wanted.count
    {
      isAtEnd = true
    } else {
      ahead.append(packet)
    }
  }

  /// Decodes what has to be, in order, as far as that is known.
  private func release(_ answer: (_ place: Int, Answer?) throws -> Void) throws {
    var count = 0
    for packet in ahead {
      guard let isNeeded = isNeeded(packet) else { break }
      count += 1
      guard isNeeded else { continue }
      // A frame that cannot be decoded is found out when it does not come.
      while (try? decoder.send(packet)) == false { try receive(answer) }
      try receive(answer)
    }
    ahead.removeFirst(count)
  }

  /// `nil` while the packets that would tell are not read yet.
  private func isNeeded(_ packet: Packet) -> Bool? {
    guard let units, units.isDisposable(packet), let ticks = packet.presentationTicks else { return true }
    let behind = placeBehind(ticks)
    let following = behind < presentation.count ? presentation[behind] : nil
    // Whose time is it? It may be the frame that is shown then, if no other one comes between.
    guard let place = wanted.firstIndex(where: { $0 >= ticks }) else { return false }
    if let following, wanted[place] >= following { return false }
    guard !isAtEnd, let newestDecoding, newestDecoding <= wanted[place] else { return true }
    return nil
  }

  private func receive(_ answer: (_ place: Int, Answer?) throws -> Void) throws {
    while true {
      let frame = try Frame()
      guard (try? decoder.receive(into: frame)) == .produced else { return }
      guard !frame.isDamaged else { continue }
      // A frame without any time is shown behind the one before it.
      let ticks = frame.presentationTicks ?? (lastTicks &+ 1)
      lastTicks = ticks
      while next < wanted.count, wanted[next] < ticks { try give(nearest(held, frame), answer) }
      held = frame
    }
  }

  /// The earlier frame when it is the right one; where that is missing, the nearer one.
  private func nearest(_ earlier: Frame?, _ later: Frame) -> Frame {
    guard let earlier, let ticks = earlier.presentationTicks, let laterTicks = later.presentationTicks else {
      return later
    }
    if expected == ticks { return earlier }
    return wanted[next] &- ticks <= laterTicks &- wanted[next] ? earlier : later
  }

  /// When the frame that is shown at the next wanted time begins.
  private var expected: Int64? {
    let behind = placeBehind(wanted[next])
    return behind > 0 ? presentation[behind - 1] : presentation.first
  }

  /// Of the first of `presentation` that is later.
  private func placeBehind(_ ticks: Int64) -> Int {
    var (low, high) = (0, presentation.count)
    while low < high {
      let middle = (low + high) / 2
      if presentation[middle] <= ticks { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func give(_ frame: Frame?, _ answer: (_ place: Int, Answer?) throws -> Void) throws {
    let expected = expected
    let place = next
    next += 1
    // What was shown before is asked for by nobody any more.
    if let first = expected.map({ placeBehind($0 - 1) }), first > 0 { presentation.removeFirst(first) }
    try answer(place, frame.map { (frame: $0, expected: tellsTimes ? expected : nil) })
  }
}
