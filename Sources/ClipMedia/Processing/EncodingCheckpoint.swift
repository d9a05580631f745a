import ClipModel
import DurableFiles
import Foundation
import LibAV

/// The finished GOPs of an encode, stored in a hidden file next to the output, so that an interrupted encode continues
/// with the first GOP that isn't stored.
///
/// Each GOP is durable before the next one ends. The stored GOPs are used only for the same `EncodingKey`. Can be used on
/// only one thread at a time.
final class EncodingCheckpoint {
  /// The first record.
  private struct Header: Codable {
    var key: EncodingKey
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
  struct GOP: Codable {
    var packets: [StoredPacket]
    /// The presentation time of the frame that follows.
    var nextTicks: Int64
    /// The number of source frames that were dropped before `nextTicks`.
    var droppedCount: Int

    /// Whether the packets start with a key frame and have this number of bytes together.
    fileprivate func isValid(for byteCount: Int) -> Bool {
      var rest = byteCount
      for packet in packets {
        guard packet.byteCount > 0, packet.byteCount <= rest else { return false }
        rest -= packet.byteCount
      }
      return rest == 0 && packets.first?.isKeyFrame == true
    }
  }

  /// Thrown if the source's frames or the new encoder's output don't match the stored GOPs. The encode must start again.
  struct Mismatch: Error {}

  private let log: RecordLog
  private let key: EncodingKey
  /// The stored attempt, or `nil` if nothing is stored for this encode.
  private(set) var attempt: Attempt?
  /// Whether the file contained GOPs that cannot be used.
  private(set) var isOutdated = false
  /// The point at which the current attempt continues, or `nil` if it starts at the beginning.
  private(set) var seam: EncodingSeam?
  private var track: Track?
  /// Whether storing ended early because the disk is full or failed. The encode continues.
  private var hasStoppedStoring = false
  private var storedByteCount = 0
  private var pending: (packets: [StoredPacket], bytes: [UInt8]) = ([], [])

  /// Opens the file, or creates it. Returns `nil` if the plan stores no GOPs, or while another process writes the same
  /// output.
  init?(for destination: String, source: FileIdentity, plan: ProcessingPlan) throws {
    let path = Self.path(for: destination)
    // This file is now open or removed, so its age doesn't matter.
    defer { StoredEncode.removeExpired(in: (path as NSString).deletingLastPathComponent) }
    guard plan.storesGOPs, let key = EncodingKey(source: source, plan: plan) else {
      if FileManager.default.fileExists(atPath: path) { try RecordLog(path: path)?.remove() }
      return nil
    }
    guard let log = try RecordLog(path: path) else { return nil }
    self.log = log
    self.key = key
    try log.read { record in
      attempt = Self.decode(Header.self, record).flatMap { key.attempt(stored: $0.value.attempt, of: $0.value.key) }
      isOutdated = attempt == nil
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
    return url.deletingLastPathComponent().path + "/.\(name).\(digest)\(StoredEncode.ending)"
  }

  /// Returns the progress that the first two records and the record of a GOP contain, or `nil` if a different version wrote
  /// them.
  static func progress(header: [UInt8], track: [UInt8], lastGOP: [UInt8]) -> EncodingProgress? {
    guard let header = decode(Header.self, header)?.value, header.key.version == PackageVersion.current,
      let track = decode(Track.self, track)?.value, let gop = decode(GOP.self, lastGOP)?.value
    else { return nil }
    return EncodingProgress(
      seconds: Double(gop.nextTicks) * track.timeBase.value, durationSeconds: header.key.durationSeconds)
  }

  /// Removes the file. Call this method when the output is complete.
  func remove() { log.remove() }

  /// Lets the next run open the file. Don't use the checkpoint afterwards.
  func close() { log.close() }

  /// Removes the file if the next run would fail with the same error. After other errors and interruptions, the next run
  /// continues.
  func removeUnlessUsable(after error: any Error, _ interruption: Interruption) {
    if !interruption.isInterrupted, error.preventsContinuation { remove() }
  }

  // MARK: Read

  /// Starts an attempt, and finds the point at which it continues.
  func begin(_ attempt: Attempt) throws {
    pending = ([], [])
    (seam, track, storedByteCount) = (nil, nil, 0)
    guard attempt == self.attempt else { return restart(attempt) }
    var builder: EncodingSeamBuilder?
    try readGOPs { track, gop, bytes in
      self.track = track
      storedByteCount += bytes.count
      if builder == nil { builder = EncodingSeamBuilder(timeBase: track.timeBase) }
      builder?.add(gop)
    }
    seam = builder?.finish()
    // The output needs the disk space more than the stored GOPs do. A margin could discard GOPs of an output that
    // fits.
    if let seam, hasDiskSpace(for: expectedByteCount(after: seam.seconds, margin: 1)) { return }
    restart(attempt)
  }

  /// Discards the stored GOPs.
  func restart(_ attempt: Attempt) {
    log.removeAllRecords()
    (self.attempt, seam, track, storedByteCount) = (attempt, nil, nil, 0)
    store(Header(key: key, attempt: attempt))
  }

  /// Reads the stored packets in decoding order.
  func readPackets(_ body: (Packet) throws -> Void) throws {
    try readGOPs { _, gop, bytes in
      var rest = bytes
      for stored in gop.packets {
        let packet = try Packet(bytes: rest.prefix(stored.byteCount), isKeyFrame: stored.isKeyFrame)
        packet.presentationTicks = stored.presentationTicks
        packet.decodingTicks = stored.decodingTicks
        packet.durationTicks = stored.durationTicks
        rest = rest.dropFirst(stored.byteCount)
        try body(packet)
      }
    }
  }

  /// Reads the GOPs up to the first invalid record, with the bytes of their packets.
  private func readGOPs(_ body: (Track, GOP, ArraySlice<UInt8>) throws -> Void) throws {
    var index = 0
    var track: Track?
    try log.read { record in
      defer { index += 1 }
      switch index {
      case 0: return true
      case 1:
        track = Self.decode(Track.self, record)?.value
        return track != nil
      default:
        guard let track, let (gop, bytes) = Self.decode(GOP.self, record), gop.isValid(for: bytes.count) else {
          return false
        }
        try body(track, gop, bytes)
        return true
      }
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
    guard !hasStoppedStoring, let presentation = packet.presentationTicks, let decoding = packet.decodingTicks else {
      return
    }
    // Two encoders may give adjacent IDR frames the same ID, so a record never ends with an IDR frame.
    if packet.isKeyFrame, pending.packets.last?.isKeyFrame == false {
      storedByteCount += pending.bytes.count
      let seconds = Double(presentation) * (track?.timeBase.value ?? 0)
      // The output needs the disk space more than the stored GOPs do.
      if hasDiskSpace(for: expectedByteCount(after: seconds) - storedByteCount + pending.bytes.count) {
        store(
          GOP(packets: pending.packets, nextTicks: presentation, droppedCount: droppedCount), bytes: pending.bytes)
      } else {
        stopStoring()
      }
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
    guard !hasStoppedStoring else { return }
    do { try append(value, bytes: bytes) } catch { stopStoring() }
  }

  private func stopStoring() {
    hasStoppedStoring = true
    log.removeAllRecords()
  }

  /// Estimates the size of the output from the GOPs up to a time in seconds.
  /// - Parameter margin: a factor. The default has one fifth for audio, and for content that needs more bits.
  private func expectedByteCount(after seconds: Double, margin: Double = 1.2) -> Int {
    Int(saturating: Double(storedByteCount) * margin * key.durationSeconds / max(seconds, 1))
  }

  private func hasDiskSpace(for byteCount: Int) -> Bool {
    // If the free space is unknown, writing shows whether it is sufficient.
    ((try? FreeSpace.availableBytes(at: log.path)) ?? .max) >= Int64(byteCount)
  }

  private func append(_ value: some Encodable, bytes: [UInt8]) throws {
    // JSON contains no line feeds.
    try log.append(JSONEncoder().encode(value) + [Self.separator] + bytes)
  }

  private static let separator = UInt8(ascii: "\n")

  /// Decodes the beginning of a record. Returns `nil` if a different version wrote it.
  /// - Returns: the value, and the bytes that follow it.
  private static func decode<Value: Decodable>(
    _: Value.Type, _ record: [UInt8]
  ) -> (value: Value, bytes: ArraySlice<UInt8>)? {
    guard let end = record.firstIndex(of: separator),
      let value = try? JSONDecoder().decode(Value.self, from: Data(record[..<end]))
    else { return nil }
    return (value, record[(end + 1)...])
  }
}
