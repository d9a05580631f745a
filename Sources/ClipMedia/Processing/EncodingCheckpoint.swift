import ClipModel
import DurableFiles
import Foundation
import LibAV

/// The finished GOPs of an encode, stored in a hidden file next to the output, so that an interrupted encode continues
/// with the first GOP that isn't stored.
///
/// Each GOP is durable before the next one ends, if the disk has space for it and for the rest of the output. The stored
/// GOPs are used only for the same `EncodingKey`. Can be used on only one thread at a time.
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

  /// The beginning of each later record, which the bytes of the packets follow. A record has several GOPs if the disk was too
  /// full for the first ones.
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
  /// Whether no record is missing, so that the next one can be stored.
  private var isGapless = true
  /// The size of the attempt's packets so far.
  private var encodedByteCount = 0
  /// The packets that aren't stored yet.
  private var pending: (packets: [StoredPacket], bytes: [UInt8]) = ([], [])

  /// The size of pending packets above which storing ends, to limit memory use: half a minute at 8 Mbit/s.
  private static let pendingLimit = 32 << 20

  /// Opens the file, or creates it. Returns `nil` if the plan stores no GOPs, or while another process writes the same
  /// output.
  /// - Parameter fingerprint: the source's fingerprint (`FileDigest.fingerprint`), which is computed only if it's needed.
  init?(
    for destination: String, source: FileIdentity, fingerprint: @autoclosure () throws -> String, plan: ProcessingPlan
  ) throws {
    let path = Self.path(for: destination)
    // This file is now open or removed, so its age doesn't matter.
    defer { StoredEncode.removeExpired(in: (path as NSString).deletingLastPathComponent) }
    guard plan.storesGOPs, let key = try EncodingKey(source: source, fingerprint: fingerprint(), plan: plan) else {
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
    (seam, track, encodedByteCount, isGapless) = (nil, nil, 0, true)
    guard attempt == self.attempt else { return restart(attempt) }
    var builder: EncodingSeamBuilder?
    try readGOPs { track, gop, bytes in
      self.track = track
      encodedByteCount += bytes.count
      if builder == nil { builder = EncodingSeamBuilder(timeBase: track.timeBase) }
      builder?.add(gop)
    }
    seam = builder?.finish()
    guard let seam else { return restart(attempt) }
    // A margin could discard GOPs of an output that fits.
    let size = expectedByteCount(of: key.durationSeconds, after: seam.seconds)
    if needsStoredSpace(for: size, free: freeByteCount) { restart(attempt) }
  }

  /// Discards the stored GOPs.
  func restart(_ attempt: Attempt) {
    log.removeAllRecords()
    (self.attempt, seam, track, encodedByteCount) = (attempt, nil, nil, 0)
    isGapless = store(Header(key: key, attempt: attempt))
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
    isGapless = isGapless && store(track)
  }

  /// Adds a packet. If it starts a GOP, the GOP before it is stored.
  /// - Parameter droppedCount: the number of source frames that were dropped before this frame.
  func add(_ packet: Packet, droppedCount: Int) {
    guard let presentation = packet.presentationTicks, let decoding = packet.decodingTicks else { return }
    if packet.isKeyFrame { storePending(before: presentation, droppedCount: droppedCount) }
    encodedByteCount += packet.byteCount
    guard isGapless else { return }
    pending.packets.append(
      StoredPacket(
        presentationTicks: presentation, decodingTicks: decoding, durationTicks: packet.durationTicks,
        byteCount: packet.byteCount, isKeyFrame: packet.isKeyFrame))
    unsafe packet.withBytes { unsafe pending.bytes += $0 }
  }

  /// Stores the pending packets as a record. If the disk is too full or fails, they remain pending until a later key frame.
  /// The output needs the disk space more than the stored GOPs do.
  /// - Parameter ticks: the presentation time of the key frame that follows.
  private func storePending(before ticks: Int64, droppedCount: Int) {
    let seconds = Double(ticks) * (track?.timeBase.value ?? 0)
    let rest = expectedByteCount(of: key.durationSeconds - seconds, after: seconds)
    // One fifth for audio, and for content that needs more bits. The index needs about 2 kB per second.
    let limit = Int64(saturating: Double(rest) * 1.2 + key.durationSeconds * 2_000)
    let free = freeByteCount
    if needsStoredSpace(for: rest, free: free) || needsStoredSpace(for: limit, free: free) {
      log.removeAllRecords()
      endStoring()
    }
    // Two encoders may give adjacent IDR frames the same ID, so a record never ends with an IDR frame.
    let isComplete = pending.packets.last?.isKeyFrame == false
    let gop = GOP(packets: pending.packets, nextTicks: ticks, droppedCount: droppedCount)
    if isComplete, free - limit >= Int64(pending.bytes.count), store(gop, bytes: pending.bytes) {
      pending = ([], [])
    } else if pending.bytes.count > Self.pendingLimit {
      endStoring()
    }
  }

  /// Stores no more records. The encode continues.
  private func endStoring() {
    isGapless = false
    pending = ([], [])
  }

  // MARK: Disk space

  /// Estimates the size of a part of the output.
  /// - Parameters:
  ///   - seconds: the length of the part.
  ///   - encodedSeconds: the length of the video that is encoded, from which the bit rate is estimated.
  private func expectedByteCount(of seconds: Double, after encodedSeconds: Double) -> Int64 {
    Int64(saturating: Double(encodedByteCount) * max(seconds, 0) / max(encodedSeconds, 1))
  }

  private var freeByteCount: Int64 {
    // If the free space is unknown, writing shows whether it is sufficient.
    (try? FreeSpace.availableBytes(at: log.path)) ?? .max
  }

  /// Whether the output fits on the disk only without the stored GOPs. If it doesn't fit even then, the next run needs them.
  /// - Parameters:
  ///   - byteCount: the number of bytes that the output still needs.
  ///   - free: the free disk space.
  private func needsStoredSpace(for byteCount: Int64, free: Int64) -> Bool {
    free < byteCount && byteCount - free <= log.byteCount
  }

  // MARK: Records

  /// Stores a record.
  /// - Returns: whether the record is stored. If not, for example because the disk is full, the encode continues.
  private func store(_ value: some Encodable, bytes: [UInt8] = []) -> Bool {
    do {
      // JSON contains no line feeds.
      try log.append(JSONEncoder().encode(value) + [Self.separator] + bytes)
      return true
    } catch {
      return false
    }
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
