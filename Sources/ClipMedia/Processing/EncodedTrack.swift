import ClipModel
import LibAV
import Synchronization

/// Encodes the frames of a video track and writes the packets to the output.
///
/// `@unchecked Sendable`: after initialization, only the encoding thread uses this object, except for `reachedSeconds`
/// and `setEnd(at:)`.
final class EncodedTrack: @unchecked Sendable {
  private let output: any MovieOutput
  private let trackIndex: Int
  private let encoder: Encoder
  private let timeBase: Rational
  /// The end of the last frame in ticks, or -1 if the last frame is as long as the other frames.
  private let end = Atomic<Int64>(-1)
  private let encoded: Packet
  /// Renders pictures from the frames that this track encodes.
  private let tap: FrameTap?
  /// Stores the packets, if the encode can continue later.
  private let checkpoint: EncodingCheckpoint?
  private var schedule: KeyFrameSchedule
  /// The presentation time of the first packet after the seam. `nil` after that packet, or if the encode is new.
  private var seamStart: Int64?
  /// The numbers of dropped source frames, each with the presentation time of the first frame after them.
  private var droppedCounts: [(ticks: Int64, count: Int)] = []
  private var lastTicks: Int64?
  /// The time from the decoding of the first packet to its presentation, in ticks.
  private var delayTicks: Int64?
  private(set) var writtenCount = 0
  private let reached = Atomic<Int64>(0)

  /// - Throws: `EncodingCheckpoint.Mismatch` if the encoder's output doesn't match the stored packets.
  init(
    encoder: Encoder, output: any MovieOutput, orientation: Orientation, tap: FrameTap?,
    schedule: KeyFrameSchedule, checkpoint: EncodingCheckpoint?
  ) throws {
    self.encoder = encoder
    self.tap = tap
    self.schedule = schedule
    self.checkpoint = checkpoint
    seamStart = checkpoint?.seam?.ticks
    try checkpoint?.start(
      EncodingCheckpoint.Track(timeBase: encoder.timeBase, parameterSets: encoder.parameterSets))
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

  func encode(_ timed: TimedFrame) throws {
    let (frame, ticks, droppedCount) = (timed.frame, timed.ticks, timed.droppedCount)
    lastTicks = ticks
    if droppedCount != droppedCounts.last?.count ?? 0 { droppedCounts.append((ticks, droppedCount)) }
    tap?.add(frame, at: Double(ticks) * timeBase.value)
    frame.presentationTicks = ticks
    reached.store(ticks, ordering: .relaxed)
    if timed.isAtSeam { schedule.restart(at: ticks) }
    let startsGOP = timed.isAtSeam || schedule.requiresKeyFrame(at: ticks)
    while try !encoder.send(frame, startsGOP: startsGOP) { try writeEncodedPackets() }
    try writeEncodedPackets()
  }

  func finish() throws {
    while try !encoder.send(nil) { try writeEncodedPackets() }
    var rest: [Packet] = []
    var packet = try Packet()
    while try encoder.receive(into: packet) == .produced {
      guard try isAfterSeam(packet) else { continue }
      rest.append(packet)
      packet = try Packet()
    }
    let end = end.load(ordering: .relaxed)
    for (index, packet) in rest.enumerated() {
      if let ticks = packet.presentationTicks, ticks == lastTicks, end > ticks { packet.durationTicks = end - ticks }
      if index == rest.count - 1 { extendLastPacket(packet, to: end) }
      try storeAndWrite(packet)
    }
  }

  /// Extends the track to the end of the last frame. MP4 stores the intervals between decoding times, so if the last
  /// packet isn't the last frame, its duration determines the end of the track.
  private func extendLastPacket(_ packet: Packet, to end: Int64) {
    guard end >= 0, let presentation = packet.presentationTicks, let decoding = packet.decodingTicks,
      presentation != lastTicks
    else { return }
    let delay = delayTicks ?? 0
    // If the last frames are far apart, the encoder decodes this packet so early that it would end after the last
    // frame.
    let ticks = max(decoding, presentation - delay)
    packet.decodingTicks = ticks
    packet.durationTicks = max(packet.durationTicks, end - delay - ticks)
  }

  private func writeEncodedPackets() throws {
    while try encoder.receive(into: encoded) == .produced {
      if encoded.isKeyFrame, let ticks = encoded.presentationTicks { schedule.confirmKeyFrame(at: ticks) }
      if try isAfterSeam(encoded) { try storeAndWrite(encoded) }
    }
  }

  /// Stores a packet before the output reports its GOP, whose bytes may then be sent. If the disk is full, the GOP is stored
  /// later; an upload continues only if its bytes are written again.
  private func storeAndWrite(_ packet: Packet) throws {
    if let checkpoint {
      let ticks = packet.presentationTicks ?? .min
      checkpoint.add(packet, droppedCount: droppedCounts.last { $0.ticks <= ticks }?.count ?? 0)
    }
    try write(packet)
  }

  /// Whether a packet is part of the output. The packets of frames before the seam are stored already.
  /// - Throws: `EncodingCheckpoint.Mismatch` if the first packet after the seam doesn't start a GOP there.
  private func isAfterSeam(_ packet: Packet) throws -> Bool {
    guard let start = seamStart else { return true }
    guard let ticks = packet.presentationTicks, ticks >= start else { return false }
    guard ticks == start, packet.isKeyFrame else { throw EncodingCheckpoint.Mismatch() }
    seamStart = nil
    return true
  }

  /// Writes a packet from the checkpoint. Call this method before the first call of `encode`.
  func writeStored(_ packet: Packet) throws {
    reached.store(packet.presentationTicks ?? 0, ordering: .relaxed)
    try write(packet)
  }

  private func write(_ packet: Packet) throws {
    if delayTicks == nil, let presentation = packet.presentationTicks, let decoding = packet.decodingTicks {
      delayTicks = presentation - decoding
    }
    try output.write(packet, track: trackIndex, timeBase: timeBase)
    writtenCount += 1
  }
}
