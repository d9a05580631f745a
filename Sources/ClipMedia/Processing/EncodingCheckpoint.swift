import ClipModel
import DurableFiles
import Foundation
import LibAV

/// The finished GOPs of an encode, stored in a hidden file next to the output, so that an interrupted encode continues
/// with the first GOP that isn't stored.
///
/// Each GOP is durable before the next one ends. The stored GOPs are used only for the same source, plan and version of
/// this package. Can be used on only one thread at a time.
final class EncodingCheckpoint {
  /// The first record. If any of it differs, the encode starts again.
  private struct Header: Codable, Equatable {
    var version = PackageVersion.current
    var sourceByteCount: Int64
    var sourceModifiedNanoseconds: Int64
    var plan: ProcessingPlan
    var attempt: Attempt
  }

  /// One encode of the clip. A clip that exceeds its limits is encoded several times.
  struct Attempt: Codable, Equatable {
    var encoding: VideoEncoding
    /// The reasons why earlier attempts were discarded.
    var reasons: [String] = []
  }

  /// The second record: the properties that all GOPs share.
  struct Track: Codable, Equatable {
    var timeBase: Rational
    /// The encoder's parameter sets, such as SPS and PPS.
    var parameterSets: [UInt8]
  }

  /// A packet of the encoder. Times are in ticks of the track's time base.
  struct StoredPacket: Codable {
    var presentationTicks: Int64
    var decodingTicks: Int64
    var durationTicks: Int64
    var byteCount: Int
    var isKeyFrame: Bool
  }

  /// The beginning of each later record, which the bytes of the packets follow.
  private struct GOP: Codable {
    var packets: [StoredPacket]
    /// The presentation time of the frame that follows.
    var nextTicks: Int64
    /// The number of source frames that were dropped before `nextTicks`.
    var droppedCount: Int
  }

  /// Thrown if the source's frames or the new encoder's output don't match the stored GOPs. The encode must start again.
  struct Mismatch: Error {}

  private let log: RecordLog
  private let source: FileIdentity
  private let plan: ProcessingPlan
  /// The stored attempt, or `nil` if nothing is stored for this source, plan and version.
  private(set) var attempt: Attempt?
  /// Whether the file contained GOPs that cannot be used.
  private(set) var isOutdated = false
  /// The point at which the current attempt continues, or `nil` if it starts at the beginning.
  private(set) var seam: EncodingSeam?
  private var track: Track?
  /// Whether a record could not be stored. The encode continues, but the next one starts at the last stored GOP.
  private var isBroken = false
  private var pending: (packets: [StoredPacket], bytes: [UInt8]) = ([], [])

  /// Opens the file, or creates it. Returns `nil` if the plan stores no GOPs, or while another process writes the same
  /// output.
  init?(for destination: String, source: FileIdentity, plan: ProcessingPlan) throws {
    let path = Self.path(for: destination)
    guard plan.storesGOPs else {
      if FileManager.default.fileExists(atPath: path) { try RecordLog(path: path)?.remove() }
      return nil
    }
    guard let log = try RecordLog(path: path) else { return nil }
    self.log = log
    self.source = source
    self.plan = plan
    try log.read { record in
      let (header, _) = try Self.decode(Header.self, record)
      if let header, header == makeHeader(header.attempt) { attempt = header.attempt } else { isOutdated = true }
      return false
    }
  }

  /// Returns the path of the file for an output.
  static func path(for destination: String) -> String {
    let url = URL(filePath: destination)
    // The digest distinguishes long names with the same beginning. File names have at most 255 bytes.
    let digest = FileDigest.sha256(of: url.lastPathComponent.utf8).prefix(16)
    var name = url.lastPathComponent
    while name.utf8.count > 200 { name.removeLast() }
    return url.deletingLastPathComponent().path + "/.\(name).\(digest).bsc-encoding"
  }

  /// Removes the file. Call this method when the output is complete.
  func remove() { log.remove() }

  /// Removes the file if the next run would fail with the same error. After other errors and interruptions, the next run
  /// continues.
  func removeUnlessUsable(after error: any Error, _ interruption: Interruption) {
    guard let error = error as? any ExplainedError, !interruption.isInterrupted else { return }
    // If the disk is full again after the encode continued, the next run needs the space of the stored GOPs.
    let isRejected = [.rejected, .unjudged].contains(error.explanation.category)
    if isRejected || error.explanation.id == "file.disk-full" && seam != nil { remove() }
  }

  private func makeHeader(_ attempt: Attempt) -> Header {
    Header(
      sourceByteCount: source.byteCount, sourceModifiedNanoseconds: source.modifiedNanoseconds, plan: plan,
      attempt: attempt)
  }

  // MARK: Read

  /// Starts an attempt, and finds the point at which it continues.
  func begin(_ attempt: Attempt, initialBufferFill: Double) throws {
    pending = ([], [])
    (seam, track) = (nil, nil)
    guard attempt == self.attempt else { return restart(attempt) }
    var builder: EncodingSeamBuilder?
    var isHeader = true
    try log.read { record in
      if isHeader {
        isHeader = false
      } else if let current = builder {
        guard let gop = try Self.decodeGOP(record)?.gop else { return false }
        var next = current
        next.add(gop.packets, nextTicks: gop.nextTicks, droppedCount: gop.droppedCount)
        builder = next
      } else {
        track = try Self.decode(Track.self, record).value
        builder = track.map { EncodingSeamBuilder(attempt, track: $0, initialBufferFill: initialBufferFill) }
        return track != nil
      }
      return true
    }
    seam = builder?.finish()
    if seam == nil { restart(attempt) }
  }

  /// Discards the stored GOPs.
  func restart(_ attempt: Attempt) {
    log.removeAllRecords()
    (self.attempt, seam, track) = (attempt, nil, nil)
    store(makeHeader(attempt))
  }

  /// Reads the stored packets in decoding order.
  func readPackets(_ body: (Packet) throws -> Void) throws {
    var index = 0
    try log.read { record in
      defer { index += 1 }
      guard index > 1 else { return true }
      guard let (gop, start) = try Self.decodeGOP(record) else { return false }
      var offset = start
      for stored in gop.packets {
        let packet = try Packet(bytes: record[offset..<offset + stored.byteCount], isKeyFrame: stored.isKeyFrame)
        packet.presentationTicks = stored.presentationTicks
        packet.decodingTicks = stored.decodingTicks
        packet.durationTicks = stored.durationTicks
        offset += stored.byteCount
        try body(packet)
      }
      return true
    }
  }

  // MARK: Write

  /// Checks that the encoder continues the stored track.
  /// - Throws: `Mismatch` if it doesn't.
  func start(_ track: Track) throws {
    if let stored = self.track {
      guard stored == track else { throw Mismatch() }
      return
    }
    self.track = track
    store(track)
  }

  /// Adds a packet. If it starts a GOP, the GOP before it is stored.
  /// - Parameter droppedCount: the number of source frames that were dropped before this frame.
  func add(_ packet: Packet, droppedCount: Int) {
    guard !isBroken, let presentation = packet.presentationTicks, let decoding = packet.decodingTicks else { return }
    // Two encoders may give adjacent IDR frames the same ID, so a record never ends with an IDR frame.
    if packet.isKeyFrame, pending.packets.last?.isKeyFrame == false {
      store(
        GOP(packets: pending.packets, nextTicks: presentation, droppedCount: droppedCount), bytes: pending.bytes)
      pending = ([], [])
    }
    pending.packets.append(
      StoredPacket(
        presentationTicks: presentation, decodingTicks: decoding, durationTicks: packet.durationTicks,
        byteCount: packet.byteCount, isKeyFrame: packet.isKeyFrame))
    unsafe packet.withBytes { unsafe pending.bytes += $0 }
  }

  // MARK: Records

  /// Stores a record. If that fails, for example because the disk is full, the encode continues without storing more.
  private func store(_ value: some Encodable, bytes: [UInt8] = []) {
    guard !isBroken else { return }
    do { try append(value, bytes: bytes) } catch { isBroken = true }
  }

  /// Decodes a GOP and checks its sizes.
  private static func decodeGOP(_ record: [UInt8]) throws -> (gop: GOP, end: Int)? {
    let (gop, end) = try decode(GOP.self, record)
    guard let gop, gop.packets.first?.isKeyFrame == true, gop.packets.allSatisfy({ $0.byteCount > 0 }) else {
      return nil
    }
    var rest = record.count - end
    for packet in gop.packets {
      guard packet.byteCount <= rest else { return nil }
      rest -= packet.byteCount
    }
    return rest == 0 ? (gop, end) : nil
  }

  private func append(_ value: some Encodable, bytes: [UInt8]) throws {
    let description = try JSONEncoder().encode(value)
    let count = UInt32(description.count)
    try log.append((0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + description + bytes)
  }

  /// Decodes the beginning of a record. Returns `nil` if a different version wrote it.
  /// - Returns: the value, and the offset of the bytes that follow it.
  private static func decode<Value: Decodable>(_: Value.Type, _ record: [UInt8]) throws -> (value: Value?, end: Int) {
    let count = Int(record.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    let end = min(4 + count, record.count)
    return (try? JSONDecoder().decode(Value.self, from: Data(record[min(4, end)..<end])), end)
  }
}
