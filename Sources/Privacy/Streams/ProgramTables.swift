internal import ISOMedia
internal import LocationFormats

/// Reassembles the sections of a PID (ISO/IEC 13818-1, 2.4.4).
struct SectionAssembler {
  private var bytes: [UInt8] = []
  private var isInside = false

  /// Adds a packet's payload, and returns the sections that are now complete.
  mutating func append(_ packet: TransportPacket) -> [[UInt8]] {
    var payload = packet.payload
    guard packet.isStart else {
      guard isInside else { return [] }
      bytes += payload
      return takeCompleteSections()
    }
    // The pointer is the offset of the first new section. The end of an earlier section may come before it.
    guard let pointer = payload.popFirst() else { return [] }
    if isInside { bytes += payload.prefix(Int(pointer)) }
    let older = isInside ? takeCompleteSections() : []
    bytes = Array(payload.dropFirst(Int(pointer)))
    isInside = true
    return older + takeCompleteSections()
  }

  private mutating func takeCompleteSections() -> [[UInt8]] {
    var sections: [[UInt8]] = []
    // A table ID of 0xFF means that the rest of the packet is stuffing.
    while bytes.count >= 3, bytes[0] != 0xFF {
      let length = 3 + Int(bytes[1] & 0x0F) << 8 + Int(bytes[2])
      guard bytes.count >= length else { return sections }
      sections.append(Array(bytes.prefix(length)))
      bytes.removeFirst(length)
    }
    if bytes.first == 0xFF { isInside = false }
    return sections
  }
}

/// A stream that a program map lists.
struct ProgramStream: Equatable {
  var pid: UInt16
  /// `stream_type`.
  var type: UInt8
  /// The formats in registration descriptors, such as `KLVA`, `HDMV` and `Opus`.
  var registrations: [FourCC] = []
  /// The tags of the other descriptors.
  var descriptors: Set<UInt8> = []

  /// How to check the stream's PES packets.
  var inspection: SampleInspection {
    switch type {
    case 0x01: SampleInspection(codec: "mpeg1video")
    case 0x02: SampleInspection(codec: "mpeg2video")
    case 0x10: SampleInspection(codec: "mpeg4")
    case 0x1B, 0x1F, 0x20: SampleInspection(codec: "h264")
    case 0x24, 0x25: SampleInspection(codec: "hevc")
    // JPEG 2000, AVS, VVC and VC-1 are skipped because their encoders write no messages, and so are MPEG and AAC audio,
    // and AC-3, DTS, TrueHD and PCM with the stream types of Blu-ray and ATSC. Blu-ray and AVCHD subtitles and menus
    // are bitmaps, but type 0x92 is text.
    case 0x21, 0x42, 0x33, 0xD1, 0xD2, 0xEA, 0x03, 0x04, 0x0F, 0x11, 0x1C, 0x2D, 0x2E, 0x80...0x87, 0xA1, 0xA2,
      0x90, 0x91:
      .none
    case 0x92: .text
    case 0x06: privateInspection
    case 0x15: .opaque(kind: "ts-metadata")
    default: .opaque(kind: "ts-data")
    }
  }

  /// How to check private data (type 0x06), depending on its descriptors: AC-3 (0x6A, 0x7A), DTS (0x7B), AAC
  /// (0x7C), teletext (0x46, 0x56), or subtitles (0x59).
  private var privateInspection: SampleInspection {
    if registrations.contains("HEVC") { return SampleInspection(codec: "hevc") }
    let audio: Set<FourCC> = ["AC-3", "EAC3", "DTS1", "DTS2", "DTS3", "Opus", "BSSD", "mlpa", "AC-4"]
    if !audio.isDisjoint(with: registrations) { return .none }
    if !descriptors.isDisjoint(with: [0x6A, 0x7A, 0x7B, 0x7C, 0x46, 0x56, 0x59]) { return .none }
    return .opaque(kind: registrations.contains("KLVA") ? "ts-klv" : "ts-private-data")
  }
}

/// The program association table and program map tables of a transport stream.
struct ProgramTables {
  private(set) var mapPIDs: Set<UInt16> = []
  /// The streams in the order of their first appearance, which is also libav's order.
  private(set) var streams: [ProgramStream] = []
  private var assemblers: [UInt16: SectionAssembler] = [:]
  /// The tables that have already been read. Transport streams repeat their tables.
  private var known: Set<[UInt8]> = []
  private static let knownLimit = 256

  /// Adds a packet's payload.
  /// - Returns: the tables that weren't known before.
  mutating func append(_ packet: TransportPacket) -> [[UInt8]] {
    guard packet.pid == 0 || mapPIDs.contains(packet.pid) else { return [] }
    let sections = assemblers[packet.pid, default: SectionAssembler()].append(packet)
    var new: [[UInt8]] = []
    for section in sections where known.count < Self.knownLimit && known.insert(section).inserted {
      if packet.pid == 0 { readAssociation(section) } else { readMap(section) }
      new.append(section)
    }
    return new
  }

  /// Reads the association table (table 0): eight bytes, the number and map PID of each program, and a 4-byte checksum.
  private mutating func readAssociation(_ section: [UInt8]) {
    var cursor = ByteCursor(Array(section.dropLast(4)))
    guard cursor.u8() == 0, cursor.skip(7) else { return }
    while let program = cursor.u16(), let pid = cursor.u16() {
      // Program 0 is the network information table.
      if program != 0 { mapPIDs.insert(pid & 0x1FFF) }
    }
  }

  /// Reads a program map table (table ID 2): the type, PID and descriptors of each stream.
  private mutating func readMap(_ section: [UInt8]) {
    var cursor = ByteCursor(Array(section.dropLast(4)))
    // The table starts with the program number, version, clock PID, and descriptors of the entire program.
    guard cursor.u8() == 2, cursor.skip(9), let length = cursor.u16(), cursor.skip(Int(length & 0x0FFF)) else { return }
    while let type = cursor.u8(), let pid = cursor.u16(), let length = cursor.u16(),
      let descriptors = cursor.take(Int(length & 0x0FFF))
    {
      var stream = ProgramStream(pid: pid & 0x1FFF, type: type)
      var inner = ByteCursor(Array(descriptors))
      while let tag = inner.u8(), let length = inner.u8(), let content = inner.take(Int(length)) {
        var code = ByteCursor(Array(content.prefix(4)))
        if tag == 0x05, let name = code.fourCC() {
          stream.registrations.append(name)
        } else {
          stream.descriptors.insert(tag)
        }
      }
      if !streams.contains(where: { $0.pid == stream.pid }) { streams.append(stream) }
    }
  }
}
