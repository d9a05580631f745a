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
  private var firstDecodingTicks: Int64?
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
    while try !encoder.send(nil) { try drain() }
    var rest: [Packet] = []
    var packet = try Packet()
    while try encoder.receive(into: packet) == .produced {
      rest.append(packet)
      packet = try Packet()
    }
    let end = end.load(ordering: .relaxed)
    for (index, packet) in rest.enumerated() {
      if let ticks = packet.presentationTicks, ticks == lastTicks, end > ticks { packet.durationTicks = end - ticks }
      if index == rest.count - 1 { lengthen(packet, to: end) }
      try write(packet)
    }
  }

  /// MP4 keeps the time from one decoding to the next. Where the last packet is not the last picture, only its own
  /// duration makes the track as long as its last picture is shown.
  private func lengthen(_ packet: Packet, to end: Int64) {
    guard end >= 0, let ticks = packet.decodingTicks, packet.presentationTicks != lastTicks else { return }
    packet.durationTicks = max(packet.durationTicks, end - (ticks - (firstDecodingTicks ?? ticks)))
  }

  private func drain() throws {
    while try encoder.receive(into: encoded) == .produced { try write(encoded) }
  }

  private func write(_ packet: Packet) throws {
    firstDecodingTicks = firstDecodingTicks ?? packet.decodingTicks
    try output.write(packet, track: trackIndex, timeBase: timeBase)
    writtenCount += 1
  }
}
