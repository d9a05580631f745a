import ClipModel

/// The point at which an interrupted encode continues, and what the new encoder must know about the stored GOPs.
struct EncodingSeam {
  /// The presentation time of the first frame that isn't stored, in ticks.
  let ticks: Int64
  /// The same time in seconds of output time.
  let seconds: Double
  /// The presentation time of the last stored frame, in ticks.
  let lastTicks: Int64
  /// The number of source frames that were dropped before `ticks`.
  let droppedCount: Int
  /// The decoding times of the first packets after the seam.
  ///
  /// Encoders with B-frames derive the decoding time of a packet from the presentation time of an earlier frame. A new
  /// encoder that has encoded no earlier frames would repeat decoding times of the stored packets.
  let decodingTicks: [Int64]
  /// The presentation time at which the new encoder starts, in ticks. It encodes the frames before the seam again, and their
  /// packets are dropped. A new encoder would otherwise encode the first frames with a quality that is 1 dB lower.
  let startTicks: Int64
  /// How full the decoder's buffer is at the seam, from 0 to 1.
  let bufferFill: Double
}

/// Derives the seam from the stored packets.
struct EncodingSeamBuilder {
  private let track: EncodingCheckpoint.Track
  private let encoding: EncodingCheckpoint.Attempt
  private var last: (nextTicks: Int64, droppedCount: Int)?
  /// The number of packets by which decoding precedes presentation. `nil` until it is known.
  private var reorderDelay: Int?
  private var firstTicks: Int64?
  private var packetCount = 0
  /// The presentation times of the last frames, in presentation order.
  private var lastTicks: [Int64] = []
  private var lastDecodingTicks: Int64?
  private var decodingInterval: Int64 = 0
  private var bufferedBits: Double

  /// Longer than the encoders' lookahead.
  private static let warmUpSeconds = 1.0
  /// More reordered frames than H.264 and HEVC allow.
  private static let tickLimit = 32

  init(_ attempt: EncodingCheckpoint.Attempt, track: EncodingCheckpoint.Track, initialBufferFill: Double) {
    encoding = attempt
    self.track = track
    bufferedBits = initialBufferFill * Double(attempt.encoding.bufferBits)
  }

  mutating func add(_ packets: [EncodingCheckpoint.StoredPacket], nextTicks: Int64, droppedCount: Int) {
    let bufferBits = Double(encoding.encoding.bufferBits)
    for packet in packets {
      let first = firstTicks ?? packet.presentationTicks
      firstTicks = first
      if reorderDelay == nil, packet.decodingTicks >= first { reorderDelay = packetCount }
      if let lastDecodingTicks {
        decodingInterval = packet.decodingTicks - lastDecodingTicks
        fillBuffer(limit: bufferBits)
      }
      lastDecodingTicks = packet.decodingTicks
      bufferedBits = max(bufferedBits - Double(packet.byteCount * 8), 0)
      packetCount += 1
    }
    lastTicks = (lastTicks + packets.map(\.presentationTicks).sorted()).suffix(Self.tickLimit)
    last = (nextTicks, droppedCount)
  }

  private mutating func fillBuffer(limit: Double) {
    let seconds = Double(decodingInterval) * track.timeBase.value
    bufferedBits = min(bufferedBits + seconds * Double(encoding.encoding.maximumBitsPerSecond), limit)
  }

  /// Returns the seam, or `nil` if no GOP is stored.
  func finish() -> EncodingSeam? {
    guard let last, let lastTicks = lastTicks.last, let reorderDelay, reorderDelay <= self.lastTicks.count else {
      return nil
    }
    var filled = self
    filled.fillBuffer(limit: Double(encoding.encoding.bufferBits))
    return EncodingSeam(
      ticks: last.nextTicks, seconds: Double(last.nextTicks) * track.timeBase.value, lastTicks: lastTicks,
      droppedCount: last.droppedCount, decodingTicks: self.lastTicks.suffix(reorderDelay),
      startTicks: encoding.encoding.frameRateDivisor > 1
        ? last.nextTicks : last.nextTicks - Int64(Self.warmUpSeconds / track.timeBase.value),
      bufferFill: filled.bufferedBits / Double(max(encoding.encoding.bufferBits, 1)))
  }
}
