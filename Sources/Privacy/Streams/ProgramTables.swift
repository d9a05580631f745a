internal import ISOMedia
internal import LocationFormats

/// Puts the sections of one PID together (ISO/IEC 13818-1, 2.4.4).
struct SectionAssembler {
  private var bytes: [UInt8] = []
  private var isInside = false

  /// The sections that are complete with this packet.
  mutating func take(_ packet: TransportPacket) -> [[UInt8]] {
    var payload = packet.payload
    if packet.isStart {
      // The pointer tells where the first new section begins; in front of it is the end of an older one.
      guard let pointer = payload.popFirst() else { return [] }
      if isInside { bytes += payload.prefix(Int(pointer)) }
      let older = isInside ? complete() : []
      bytes = Array(payload.dropFirst(Int(pointer)))
      isInside = true
      return older + complete()
    }
    guard isInside else { return [] }
    bytes += payload
    return complete()
  }

  private mutating func complete() -> [[UInt8]] {
    var sections: [[UInt8]] = []
    // 0xFF in place of a table id is stuffing up to the end of the packet.
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

/// A stream that a program map names.
struct ProgramStream: Equatable {
  var pid: UInt16
  /// `stream_type`.
  var type: UInt8
  /// The format that a registration descriptor names: `KLVA`, `HDMV`, `Opus`.
  var registrations: [FourCC] = []
  /// Tags of the other descriptors.
  var descriptors: Set<UInt8> = []

  /// How its PES packets are looked at.
  var reading: SampleReading {
    switch type {
    case 0x01: coding("mpeg1video")
    case 0x02,
      0x80 where !registrations.contains("HDMV") && type == 0x02:
      coding("mpeg2video")
    case 0x10: coding("mpeg4")
    case 0x1B, 0x1F, 0x20: coding("h264")
    case 0x24, 0x25: coding("hevc")
    // JPEG 2000, AVS, VVC, VC-1: no messages that anybody writes.
    case 0x21, 0x42, 0x33, 0xD1, 0xD2, 0xEA: .none
    // MPEG and AAC sound; AC-3, DTS, TrueHD and PCM as Blu-ray and ATSC number them.
    case 0x03, 0x04, 0x0F, 0x11, 0x1C, 0x2D, 0x2E, 0x80...0x87, 0xA1, 0xA2: .none
    // Subtitles and menus of Blu-ray and AVCHD are bitmaps, 0x92 is text.
    case 0x90, 0x91: .none
    case 0x92: .text
    case 0x06: privateReading
    case 0x15: .opaque(kind: "ts-metadata")
    default: .opaque(kind: "ts-data")
    }
  }

  /// Private data (0x06) is what its descriptors say: AC-3 (0x6A, 0x7A), DTS (0x7B), AAC (0x7C), teletext (0x46,
  /// 0x56), subtitles (0x59).
  private var privateReading: SampleReading {
    if registrations.contains("HEVC") { return coding("hevc") }
    let sound: Set<FourCC> = ["AC-3", "EAC3", "DTS1", "DTS2", "DTS3", "Opus", "BSSD", "mlpa", "AC-4"]
    if !sound.isDisjoint(with: registrations) { return .none }
    if !descriptors.isDisjoint(with: [0x6A, 0x7A, 0x7B, 0x7C, 0x46, 0x56, 0x59]) { return .none }
    return .opaque(kind: registrations.contains("KLVA") ? "ts-klv" : "ts-private-data")
  }

  private func coding(_ name: String) -> SampleReading {
    PictureCoding(codec: name, setup: []).map(SampleReading.pictures) ?? .none
  }
}

/// What the association and map tables of a transport stream name.
struct ProgramTables {
  private(set) var mapPIDs: Set<UInt16> = []
  /// In the order they are first named, which is libav's order.
  private(set) var streams: [ProgramStream] = []
  private var assemblers: [UInt16: SectionAssembler] = [:]
  /// Tables are sent again and again.
  private var known: Set<[UInt8]> = []
  private static let knownLimit = 256

  /// - Returns: a table that was not seen before.
  mutating func take(_ packet: TransportPacket) -> [[UInt8]] {
    guard packet.pid == 0 || mapPIDs.contains(packet.pid) else { return [] }
    let sections = assemblers[packet.pid, default: SectionAssembler()].take(packet)
    var new: [[UInt8]] = []
    for section in sections where known.count < Self.knownLimit && known.insert(section).inserted {
      if packet.pid == 0 { readAssociation(section) } else { readMap(section) }
      new.append(section)
    }
    return new
  }

  /// Table 0: pairs of a program's number and the PID of its map, behind eight bytes, in front of a check sum of four.
  private mutating func readAssociation(_ section: [UInt8]) {
    var cursor = ByteCursor(Array(section.dropLast(4)))
    guard cursor.u8() == 0, cursor.skip(7) else { return }
    while let program = cursor.u16(), let pid = cursor.u16() {
      // Program 0 is the network information table.
      if program != 0 { mapPIDs.insert(pid & 0x1FFF) }
    }
  }

  /// Table 2: for each stream its type, PID and descriptors.
  private mutating func readMap(_ section: [UInt8]) {
    var cursor = ByteCursor(Array(section.dropLast(4)))
    // Number, version, the PID of the clock, and descriptors of the whole program.
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
