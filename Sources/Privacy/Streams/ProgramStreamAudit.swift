internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Finds private metadata in an MPEG program stream (ISO/IEC 13818-1, 2.5), which consists of packs of PES packets. DVD
/// camcorders write this format.
struct ProgramStreamAudit: ContainerAudit {
  private(set) var list: CarrierList
  private var streams: [UInt8: [UInt8]] = [:]
  private var findings: [UInt8: FindingList] = [:]
  private var opaque: [UInt8: String] = [:]
  private var types: [UInt8: UInt8] = [:]

  /// The first bytes of a program stream.
  static let packStart: [UInt8] = [0, 0, 1, 0xBA]

  /// The number of stream bytes to check at once.
  private static let windowSize = 1 << 18
  /// The number of bytes to check again together with the bytes after them, because a message may span both parts.
  private static let overlap = 4096

  init(list: CarrierList) { self.list = list }

  mutating func run() throws(ISOMediaError) {
    let source = list.source
    var position: Int64 = 0
    while position < source.byteCount {
      let head = try source.bytes(at: position, count: 14)
      guard let size = Self.packetSize(head) else {
        let next = try findStartCode(after: position)
        try list.addUnreferencedBytes(position..<next, place: "between packs")
        position = next
        continue
      }
      let end = min(position + Int64(size), source.byteCount)
      if head.count > 3, head[3] >= 0xBC {
        // A 16-bit length limits the size of a packet.
        try appendPacket(try source.bytes(in: position..<end, atMost: 1 << 17), of: head[3])
      }
      position = end
    }
    for id in streams.keys.sorted() { try examine(id, isLast: true) }
    for id in Set(findings.keys).union(opaque.keys).sorted() {
      let label = "stream 0x" + String(id, radix: 16)
      for finding in findings[id]?.findings ?? [] { list.add(finding, place: label) }
      if let kind = opaque[id] { list.add(PayloadFinding(kind: kind, disclosure: .opaque), place: label) }
    }
  }

  /// Returns the size of the packet that starts with the given bytes.
  private static func packetSize(_ head: [UInt8]) -> Int? {
    guard head.count >= 4, head.starts(with: [0, 0, 1]) else { return nil }
    switch head[3] {
    case 0xB9: return 4
    case 0xBA:
      guard head.count == 14 else { return nil }
      // An MPEG-2 pack header ends with stuffing.
      return head[4] & 0xC0 == 0x40 ? 14 + Int(head[13] & 7) : 12
    case 0xBB...0xFF: return head.count >= 6 ? 6 + Int(head[4]) << 8 + Int(head[5]) : nil
    default: return nil
    }
  }

  private func findStartCode(after start: Int64) throws(ISOMediaError) -> Int64 {
    var position = start + 1
    // The first step is small, because start codes may be close together.
    var step = 64
    while position < list.source.byteCount {
      let window = try list.source.bytes(at: position, count: step)
      for index in window.indices.dropLast(3) where window[index] == 0 && window[index + 1] == 0 {
        if window[index + 2] == 1, window[index + 3] >= 0xB9 { return position + Int64(index) }
      }
      guard window.count == step else { break }
      position += Int64(window.count - 3)
      step = min(2 * step, 1 << 16)
    }
    return list.source.byteCount
  }

  private mutating func appendPacket(_ packet: [UInt8], of id: UInt8) throws(ISOMediaError) {
    let payload = Array(packet.dropFirst(PESHeader.length(packet)))
    switch id {
    case 0xBB, 0xC0...0xDF, 0xFD: return  // system header, audio, extended streams (audio and VC-1)
    case 0xBC: readMap(payload)
    case 0xBD:
      // The substreams are DVD subpictures (0x20), AC-3 and DTS (0x80), and PCM (0xA0).
      if let first = payload.first, (0x20..<0x40).contains(first) || (0x80..<0xD0).contains(first) { return }
      try collectPayload(id, payload, opaque: "ps-private-data")
    case 0xBE, 0xE0...0xEF: try collectPayload(id, payload, opaque: nil)
    default: try collectPayload(id, payload, opaque: "ps-data")
    }
  }

  /// Reads the program stream map: descriptors, followed by the type of each stream.
  private mutating func readMap(_ payload: [UInt8]) {
    var cursor = ByteCursor(payload)
    guard cursor.skip(2), let length = cursor.u16(), cursor.skip(Int(length)), cursor.skip(2) else { return }
    while let type = cursor.u8(), let id = cursor.u8(), let length = cursor.u16() {
      types[id] = type
      guard cursor.skip(Int(length)) else { return }
    }
  }

  private mutating func collectPayload(_ id: UInt8, _ payload: [UInt8], opaque kind: String?) throws(ISOMediaError) {
    if ExaminedBytes.isBlank(payload) { return }
    if let kind { opaque[id] = kind }
    streams[id, default: []] += payload
    if streams[id, default: []].count > Self.windowSize { try examine(id, isLast: false) }
  }

  private mutating func examine(_ id: UInt8, isLast: Bool) throws(ISOMediaError) {
    let bytes = MemoryBytes(streams[id] ?? [])
    streams[id] = isLast ? [] : bytes.bytes.suffix(Self.overlap)
    let type = types[id] ?? 0x02
    let inspection = (0xE0...0xEF).contains(id) ? ProgramStream(pid: 0, type: type).inspection : .text
    for finding in try inspection.findings(in: 0..<bytes.byteCount, of: bytes, search: list.search) {
      findings[id, default: FindingList()].add(finding)
    }
  }
}
