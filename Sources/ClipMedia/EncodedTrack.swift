import ClipModel
import LibAV
import Synchronization

/// The encoder of a video track and its way into the output.
///
/// `@unchecked Sendable`: made on one thread, then used by the encoding thread alone; `reachedSeconds` and `end(at:)` are for any.
final class EncodedTrack: @unchecked Sendable {
  private let output: OutputContainer
  private let trackIndex: Int
  private let encoder: Encoder
  private let timeBase: Rational
  /// Where the last picture's time on screen ends; below 0 for "as long as any other".
  private let end = Atomic<Int64>(-1)
  private let encoded: Packet
  /// Draws pictures of what is encoded.
  private let tap: PictureTap?
  private var lastTicks: Int64?
  private var isFinishing = false
  private(set) var writtenCount = 0
  private let reached = Atomic<Int64>(0)

  init(encoder: Encoder, output: OutputContainer, orientation: Orientation, tap: PictureTap?) throws {
    self.encoder = encoder
    self.tap = tap
    self.output = output
    timeBase = encoder.timeBase
    trackIndex = try output.addTrack(from: encoder, orientation: orientation)
    encoded = try Packet()
  }

  /// Output time that has been given to the encoder, seconds.
  var reachedSeconds: Double { Double(reached.load(ordering: .relaxed)) * timeBase.value }

  /// Says how long the last picture is shown; the muxer would guess it from the average rate. On any thread, before the
  /// last picture comes out.
  func end(at ticks: Int64) { end.store(ticks, ordering: .relaxed) }

  func encode(_ frame: Frame, ticks: Int64) throws {
    lastTicks = ticks
    tap?.take(frame, at: Double(ticks) * timeBase.value)
    frame.presentationTicks = ticks
    reached.store(ticks, ordering: .relaxed)
    while try !encoder.send(frame) { try drain() }
    try drain()
  }

  func finish() throws {
    isFinishing = true
    while try !encoder.send(nil) { try drain() }
    try drain()
  }

  private func drain() throws {
    while try encoder.receive(into: encoded) == .produced {
      let end = end.load(ordering: .relaxed)
      if isFinishing, let ticks = encoded.presentationTicks, ticks == lastTicks, end > ticks {
        encoded.durationTicks = end - ticks
      }
      try output.write(encoded, track: trackIndex, timeBase: timeBase)
      writtenCount += 1
    }
  }
}
