internal import ISOMedia

/// A packet of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3).
struct TransportPacket {
  var pid: UInt16
  /// Whether a PES packet or a section starts in the packet.
  var isStart: Bool
  var isScrambled: Bool
  /// The `transport_private_data` in the adaptation field.
  var privateData: ArraySlice<UInt8>
  var payload: ArraySlice<UInt8>

  static let nullPID: UInt16 = 0x1FFF

  static let byteCount = 188

  /// Parses a packet.
  /// - Parameter bytes: 188 bytes that start with the sync byte.
  init?(_ bytes: ArraySlice<UInt8>) {
    let start = bytes.startIndex
    guard bytes.count == Self.byteCount, bytes[start] == TransportReader.syncByte else { return nil }
    pid = UInt16(bytes[start + 1] & 0x1F) << 8 | UInt16(bytes[start + 2])
    isStart = bytes[start + 1] & 0x40 != 0
    let control = bytes[start + 3]
    isScrambled = control & 0xC0 != 0
    var rest = bytes[(start + 4)...]
    privateData = []
    if control & 0x20 != 0, let length = rest.popFirst() {
      if length > 1 { privateData = Self.privateData(ofAdaptationField: Array(rest.prefix(Int(length)))) }
      rest = rest.dropFirst(Int(length))
    }
    payload = control & 0x10 != 0 ? rest : []
  }

  private static func privateData(ofAdaptationField field: [UInt8]) -> ArraySlice<UInt8> {
    var cursor = ByteCursor(field)
    guard let flags = cursor.u8(), flags & 0x02 != 0 else { return [] }
    // Two 6-byte clock references and the splice countdown precede the private data, if present.
    let skipped = (flags & 0x10 != 0 ? 6 : 0) + (flags & 0x08 != 0 ? 6 : 0) + (flags & 0x04 != 0 ? 1 : 0)
    guard cursor.skip(skipped), let length = cursor.u8() else { return [] }
    return cursor.take(Int(length)) ?? []
  }
}

/// Reads the packets of a transport stream, and resynchronizes if other bytes occur between them.
struct TransportReader {
  private let source: any ByteSource
  /// The distance between packets in bytes: 188; 192 with a 4-byte timestamp before each packet (AVCHD, Blu-ray); or
  /// 204 with error correction data after each packet.
  let packetSize: Int
  /// The offset of the next sync byte.
  private var position: Int64
  private var block: [UInt8] = []
  private var blockStart: Int64 = 0
  private var skipped: Range<Int64>?

  static let syncByte: UInt8 = 0x47
  private static let blockSize = 192 << 9

  /// Creates a reader for a transport stream.
  /// - Returns: `nil` if the first bytes contain no consecutive packets.
  init?(source: any ByteSource) throws(ISOMediaError) {
    let start = try source.bytes(at: 0, count: 4096)
    for size in [188, 192, 204] {
      guard let first = (0..<size).first(where: { Self.areSyncBytes(in: start, from: $0, every: size) }) else {
        continue
      }
      self.source = source
      packetSize = size
      position = Int64(first)
      let lead = first - (size == 192 ? 4 : 0)
      skipped = lead > 0 ? 0..<Int64(lead) : nil
      return
    }
    return nil
  }

  /// Whether there are four sync bytes at the distance of a packet, or at least two if the bytes end earlier.
  private static func areSyncBytes(in bytes: [UInt8], from first: Int, every size: Int) -> Bool {
    let offsets = stride(from: first, to: min(bytes.count, first + 4 * size), by: size)
    return first + size < bytes.count && offsets.allSatisfy { bytes[$0] == syncByte }
  }

  /// Returns the range of bytes that were skipped before the last packet of `next`, or after the stream's last packet.
  mutating func takeSkippedRange() -> Range<Int64>? {
    defer { skipped = nil }
    return skipped
  }

  /// Returns the next packet; `nil` at the end.
  mutating func next() throws(ISOMediaError) -> TransportPacket? {
    guard position < source.byteCount else { return nil }
    if let packet = try readPacket() { return packet }
    try findSyncByte()
    if let packet = try readPacket() { return packet }
    // The last packet is truncated.
    if position < source.byteCount {
      skipped = (skipped?.lowerBound ?? position)..<source.byteCount
      position = source.byteCount
    }
    return nil
  }

  private mutating func readPacket() throws(ISOMediaError) -> TransportPacket? {
    guard let bytes = try readBytes(at: position, count: TransportPacket.byteCount), let packet = TransportPacket(bytes)
    else { return nil }
    position += Int64(packetSize)
    return packet
  }

  /// Moves to the next sync byte that is followed by a second sync byte one packet later.
  private mutating func findSyncByte() throws(ISOMediaError) {
    let start = position
    while position < source.byteCount {
      if try readByte(at: position) == Self.syncByte {
        let next = position + Int64(packetSize)
        if next >= source.byteCount { break }
        if try readByte(at: next) == Self.syncByte { break }
      }
      position += 1
    }
    skipped = start..<position
  }

  private mutating func readByte(at offset: Int64) throws(ISOMediaError) -> UInt8? {
    try readBytes(at: offset, count: 1)?.first
  }

  private mutating func readBytes(at offset: Int64, count: Int) throws(ISOMediaError) -> ArraySlice<UInt8>? {
    if offset < blockStart || offset + Int64(count) > blockStart + Int64(block.count) {
      // The block starts at the current packet, so that reading ahead doesn't read the packet twice.
      blockStart = min(offset, position)
      block = try source.bytes(at: blockStart, count: Self.blockSize)
    }
    let start = Int(offset - blockStart)
    return start + count <= block.count ? block[start..<start + count] : nil
  }
}
