import ClipModel
import LibAV
import Synchronization

/// Encodes a video track and writes it to the output.
///
/// `@unchecked Sendable`: used only by the encoding thread after its initialization, except `reachedSeconds` and
/// `end(at:)`.
final class EncodedTrack: @unchecked Sendable {
  private let output: OutputContainer
  private let trackIndex: Int
  private let encoder: Encoder
  private let timeBase: Rational
  /// The end of the last frame; -1 if the frame is as long as the others.
  private let end = Atomic<Int64>(-1)
  private let encoded: Packet
  /// Renders pictures of the encoded frames.
  private let tap: FrameTap?
  private var lastTicks: Int64?
  private var firstDecodingTicks: Int64?
  private(set) var writtenCount = 0
  private let reached = Atomic<Int64>(0)

  init(encoder: Encoder, output: OutputContainer, orientation: Orientation, tap: FrameTap?) throws {
    self.encoder = encoder
    self.tap = tap
    self.output = output
    timeBase = encoder.timeBase
    trackIndex = try output.addTrack(from: encoder, orientation: orientation)
    encoded = try Packet()
  }

  /// The output time that the encoder has reached, in seconds. Safe on any thread.
  var reachedSeconds: Double { Double(reached.load(ordering: .relaxed)) * timeBase.value }

  /// Sets the end of the last frame, which the muxer would guess from the average rate. Safe on any thread, before the
  /// last packet is written.
  func end(at ticks: Int64) { end.store(ticks, ordering: .relaxed) }

  func encode(_ frame: Frame, ticks: Int64) throws {
    lastTicks = ticks
    tap?.add(frame, at: Double(ticks) * timeBase.value)
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

  /// MP4 stores the time between decoding times. If the last packet isn't the last frame, only its own duration extends
  /// the track to the end of the last frame.
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
