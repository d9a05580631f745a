import ClipModel

/// The point at which an interrupted encode continues, and what the new encoder must know about the stored GOPs.
///
/// The new encoder starts with the last stored frames, and their packets are dropped. Without this warm-up, its rate control
/// would encode the first frames after the seam with a PSNR that is 1 dB lower, and it would derive their decoding times from
/// missing frames.
struct EncodingSeam {
  /// The presentation time of the first frame that isn't stored, in ticks.
  let ticks: Int64
  /// The presentation times of the frames that are encoded again, in order.
  let warmUpTicks: [Int64]
  /// The time base of all ticks.
  let timeBase: Rational
  /// The number of source frames that were dropped before `ticks`.
  let droppedCount: Int
  /// How full the decoder's buffer is before the first frame that is encoded again, from 0 to 1.
  let bufferFill: Double

  /// The output time of the first frame that isn't stored, in seconds.
  var seconds: Double { Double(ticks) * timeBase.value }
  /// The output time of the first frame that is encoded again, in seconds.
  var warmUpSeconds: Double { Double(warmUpTicks.first ?? ticks) * timeBase.value }
}

/// Derives the seam from the stored packets.
struct EncodingSeamBuilder {
  private struct StoredFrame {
    var presentationTicks: Int64
    var decodingTicks: Int64
    /// The content of the decoder's buffer before the frame is decoded.
    var bufferedBits: Double
  }

  private let encoding: VideoEncoding
  private let timeBase: Rational
  private var bufferedBits: Double
  /// The last stored frames, in decoding order.
  private var frames: [StoredFrame] = []
  private var next: (ticks: Int64, droppedCount: Int)?

  /// The number of frames that are encoded again: more than the encoders' lookahead and reordering together.
  private static let warmUpCount = 32
  /// The minimum number of frames that are encoded again: more than the encoders' reordering.
  private static let minimumCount = 8

  init(_ encoding: VideoEncoding, timeBase: Rational, initialBufferFill: Double) {
    self.encoding = encoding
    self.timeBase = timeBase
    bufferedBits = initialBufferFill * Double(encoding.bufferBits)
  }

  mutating func add(_ gop: EncodingCheckpoint.GOP) {
    for packet in gop.packets {
      if let last = frames.last {
        let seconds = Double(packet.decodingTicks - last.decodingTicks) * timeBase.value
        bufferedBits += seconds * Double(encoding.maximumBitsPerSecond)
        bufferedBits = min(bufferedBits, Double(encoding.bufferBits))
      }
      frames.append(
        StoredFrame(
          presentationTicks: packet.presentationTicks, decodingTicks: packet.decodingTicks, bufferedBits: bufferedBits))
      bufferedBits = max(bufferedBits - Double(packet.byteCount * 8), 0)
    }
    // The frames that are presented last are among the frames that are decoded last.
    frames.removeFirst(max(frames.count - 2 * Self.warmUpCount, 0))
    next = (gop.nextTicks, gop.droppedCount)
  }

  /// Returns the seam, or `nil` if too few frames are stored.
  func finish() -> EncodingSeam? {
    let warmUp = Array(frames.map(\.presentationTicks).sorted().suffix(Self.warmUpCount))
    guard let next, warmUp.count >= Self.minimumCount,
      let first = frames.first(where: { $0.decodingTicks >= warmUp[0] })
    else { return nil }
    return EncodingSeam(
      ticks: next.ticks, warmUpTicks: warmUp, timeBase: timeBase, droppedCount: next.droppedCount,
      bufferFill: first.bufferedBits / Double(max(encoding.bufferBits, 1)))
  }
}
