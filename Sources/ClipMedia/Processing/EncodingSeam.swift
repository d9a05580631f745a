import ClipModel

/// The point at which an interrupted encode continues, and what the new encoder must know about the stored GOPs.
///
/// The new encoder starts with the last stored frames, and their packets are dropped. Without this warm-up, its rate
/// control would encode the first frames after the seam with a PSNR that is 1 dB lower, and it would derive their decoding
/// times from missing frames. The warm-up also ends any effect of the initial fill level of the decoder's buffer, so that
/// level isn't derived from the stored packets.
struct EncodingSeam {
  /// The presentation time of the first frame that isn't stored, in ticks.
  let ticks: Int64
  /// The presentation times of the frames that are encoded again, in order.
  let warmUpTicks: [Int64]
  /// The time base of all ticks.
  let timeBase: Rational
  /// The number of source frames that were dropped before `ticks`.
  let droppedCount: Int

  /// The output time of the first frame that isn't stored, in seconds.
  var seconds: Double { Double(ticks) * timeBase.value }
  /// The output time of the first frame that is encoded again, in seconds.
  var warmUpSeconds: Double { Double(warmUpTicks.first ?? ticks) * timeBase.value }
}

/// Derives the seam from the stored packets.
struct EncodingSeamBuilder {
  private let timeBase: Rational
  /// The presentation times of the last stored frames, in decoding order.
  private var ticks: [Int64] = []
  private var next: (ticks: Int64, droppedCount: Int)?

  /// The number of frames that are encoded again: more than the encoders' lookahead, of at most 30 frames
  /// (`EncoderRecipe`), and reordering together.
  private static let warmUpCount = 40
  /// The minimum number of frames that are encoded again: more than the encoders' reordering.
  private static let minimumCount = 8

  init(timeBase: Rational) { self.timeBase = timeBase }

  mutating func add(_ gop: EncodingCheckpoint.GOP) {
    // The frames that are presented last are among the frames that are decoded last.
    ticks = (ticks + gop.packets.map(\.presentationTicks)).suffix(2 * Self.warmUpCount)
    next = (gop.nextTicks, gop.droppedCount)
  }

  /// Returns the seam, or `nil` if too few frames are stored.
  func finish() -> EncodingSeam? {
    let warmUp = Array(ticks.sorted().suffix(Self.warmUpCount))
    guard let next, warmUp.count >= Self.minimumCount else { return nil }
    return EncodingSeam(
      ticks: next.ticks, warmUpTicks: warmUp, timeBase: timeBase, droppedCount: next.droppedCount)
  }
}
