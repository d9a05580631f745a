import ClipModel
import LibAV
import Synchronization

/// Encodes the frames of a video track and writes the packets to the output.
///
/// `@unchecked Sendable`: after initialization, only the encoding thread uses this object, except for `reachedSeconds`
/// and `setEnd(at:)`.
final class EncodedTrack: @unchecked Sendable {
  private let output: OutputContainer
  private let trackIndex: Int
  private let encoder: Encoder
  private let timeBase: Rational
  /// The end of the last frame in ticks, or -1 if the last frame is as long as the other frames.
  private let end = Atomic<Int64>(-1)
  private let encoded: Packet
  /// Renders pictures from the frames that this track encodes.
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

  /// The output time that the encoder has reached, in seconds. Can be read on any thread.
  var reachedSeconds: Double { Double(reached.load(ordering: .relaxed)) * timeBase.value }

  /// Sets the end of the last frame, which the muxer would otherwise guess from the average frame rate. Can be called
  /// on any thread before the last packet is written.
  func setEnd(at ticks: Int64) { end.store(ticks, ordering: .relaxed) }

  func encode(_ frame: Frame, ticks: Int64) throws {
    lastTicks = ticks
    tap?.add(frame, at: Double(ticks) * timeBase.value)
    frame.presentationTicks = ticks
    reached.store(ticks, ordering: .relaxed)
    while try !encoder.send(frame) { try writeEncodedPackets() }
    try writeEncodedPackets()
  }

  func finish() throws {
    while try !encoder.send(nil) { try writeEncodedPackets() }
    var rest: [Packet] = []
    var packet = try Packet()
    while try encoder.receive(into: packet) == .produced {
      rest.append(packet)
      packet = try Packet()
    }
    let end = end.load(ordering: .relaxed)
    for (index, packet) in rest.enumerated() {
      if let ticks = packet.presentationTicks, ticks == lastTicks, end > ticks { packet.durationTicks = end - ticks }
      if index == rest.count - 1 { extendLastPacket(packet, to: end) }
      try write(packet)
    }
  }

  /// Extends the track to the end of the last frame. MP4 stores the intervals between decoding times, so if the last
  /// packet isn't the last frame, its duration determines the end of the track.
  private func extendLastPacket(_ packet: Packet, to end: Int64) {
    guard end >= 0, let ticks = packet.decodingTicks, packet.presentationTicks != lastTicks else { return }
    packet.durationTicks = max(packet.durationTicks, end - (ticks - (firstDecodingTicks ?? ticks)))
  }

  private func writeEncodedPackets() throws {
    while try encoder.receive(into: encoded) == .produced { try write(encoded) }
  }

  private func write(_ packet: Packet) throws {
    firstDecodingTicks = firstDecodingTicks ?? packet.decodingTicks
    try output.write(packet, track: trackIndex, timeBase: timeBase)
    writtenCount += 1
  }
}
