/// Adds a stream to an MPEG transport stream of ffmpeg (ISO/IEC 13818-1): an entry in the program map, and its
/// packets at the end.
struct TransportStreamEdit {
  private static let packetSize = 188
  private var packets: [[UInt8]]

  init(_ file: [UInt8]) {
    packets = stride(from: 0, to: file.count - Self.packetSize + 1, by: Self.packetSize).map {
      Array(file[$0..<$0 + Self.packetSize])
    }
  }

  var bytes: [UInt8] { Array(packets.joined()) }

  /// Adds a data stream.
  /// - Parameters:
  ///   - type: in the program map: 0x15 is metadata, 6 private data.
  ///   - descriptors: of the entry in the program map: tag, length, content.
  ///   - streamID: of its packets: 0xFC is metadata, 0xBD private.
  mutating func add(pid: UInt16, type: UInt8, descriptors: [UInt8], streamID: UInt8, _ payloads: [[UInt8]]) {
    let entry =
      [type] + (0xE000 | pid).bigEndianBytes + (0xF000 | UInt16(descriptors.count)).bigEndianBytes + descriptors
    for index in packets.indices where Self.isProgramMap(packets[index]) { Self.append(entry, to: &packets[index]) }
    for (index, payload) in payloads.enumerated() {
      packets += Self.split(Self.elementary(payload, streamID: streamID, index), pid: pid, counter: index)
    }
  }

  /// Adds packets that aren't in the program map.
  mutating func addUnlisted(pid: UInt16, _ payloads: [[UInt8]]) {
    for (index, payload) in payloads.enumerated() {
      packets += Self.split(Self.elementary(payload, streamID: 0xBD, index), pid: pid, counter: index)
    }
  }

  // MARK: Program map

  /// ffmpeg's program map is in one packet: start of a unit, payload only, pointer 0, table 2.
  private static func isProgramMap(_ packet: [UInt8]) -> Bool {
    packet[1] & 0x40 != 0 && packet[3] & 0x30 == 0x10 && packet[4] == 0 && packet[5] == 2
  }

  private static func append(_ entry: [UInt8], to packet: inout [UInt8]) {
    let length = Int(packet[6] & 0xF) << 8 | Int(packet[7])
    var section = Array(packet[5..<8 + length].dropLast(4)) + entry
    let newLength = UInt16(section.count - 3 + 4)
    section[1] = 0xB0 | UInt8(newLength >> 8)
    section[2] = UInt8(newLength & 0xFF)
    section += checksum(section).bigEndianBytes
    packet = Array(packet[..<5]) + section
    packet += [UInt8](repeating: 0xFF, count: packetSize - packet.count)
  }

  /// CRC-32 of MPEG-2: polynomial 0x04C11DB7, highest bit first, without a final XOR.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
  }

  // MARK: Packets

  /// A packet of the elementary stream with a time: tenths of a second from ffmpeg's start of 1.4 s, in 90 kHz.
  private static func elementary(_ payload: [UInt8], streamID: UInt8, _ index: Int) -> [UInt8] {
    let time = UInt64(126_000 + 9000 * index)
    let stamp: [UInt8] = [
      0x21 | UInt8(time >> 29 & 0xE), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE) | 1, UInt8(time >> 7 & 0xFF),
      UInt8(time << 1 & 0xFE) | 1,
    ]
    return [0, 0, 1, streamID] + UInt16(payload.count + 8).bigEndianBytes + [0x84, 0x80, 5] + stamp + payload
  }

  /// Transport packets; the last one is padded with an adaptation field.
  private static func split(_ bytes: [UInt8], pid: UInt16, counter: Int) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let room = packetSize - 4
      let payload = rest.prefix(rest.count >= room ? room : min(rest.count, room - 2))
      rest = rest.dropFirst(payload.count)
      let start: UInt16 = packets.isEmpty ? 0x4000 : 0
      let fill = room - payload.count
      let control = UInt8(fill > 0 ? 0x30 : 0x10) | UInt8((counter + packets.count) & 0xF)
      var packet = [0x47] + (start | pid).bigEndianBytes + [control]
      if fill > 0 { packet += [UInt8(fill - 1), 0] + [UInt8](repeating: 0xFF, count: fill - 2) }
      packets.append(packet + payload)
    }
    return packets
  }
}
