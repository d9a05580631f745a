@testable import Privacy

/// Builds transport streams with one program, one packet for each table, and any payloads.
struct TransportSample {
  /// Bytes before each packet: 0, or 4 as on AVCHD cards.
  var prefix = 0
  private var packets: [[UInt8]] = []

  static let position = "+48.1743+011.5462/"

  /// - Parameter streams: type, PID, descriptors.
  init(prefix: Int = 0, streams: [(type: UInt8, pid: UInt16, descriptors: [UInt8])] = []) {
    self.prefix = prefix
    table(pid: 0, [0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE1, 0, 0, 0, 0, 0])
    let entries = streams.flatMap { stream in
      [stream.type, 0xE0 | UInt8(stream.pid >> 8), UInt8(stream.pid & 0xFF), 0xF0, UInt8(stream.descriptors.count)]
        + stream.descriptors
    }
    table(
      pid: 0x100, [2, 0xB0, UInt8(13 + entries.count), 0, 1, 0xC1, 0, 0, 0xE1, 1, 0xF0, 0] + entries + [0, 0, 0, 0])
  }

  private mutating func table(pid: UInt16, _ section: [UInt8]) {
    packet(pid: pid, isStart: true, [0] + section + [UInt8](repeating: 0xFF, count: 183 - section.count))
  }

  /// One packet. An adaptation field fills the space after a short payload.
  mutating func packet(pid: UInt16, isStart: Bool = false, _ payload: [UInt8], privateData: [UInt8] = []) {
    let fill = 184 - payload.count
    var field: [UInt8] = []
    if !privateData.isEmpty {
      field = [UInt8(fill - 1), 0x02, UInt8(privateData.count)] + privateData
    } else if fill > 0 {
      field = fill == 1 ? [0] : [UInt8(fill - 1), 0]
    }
    field += [UInt8](repeating: 0xFF, count: fill - field.count)
    let control: UInt8 = (field.isEmpty ? 0 : 0x20) | (payload.isEmpty ? 0 : 0x10)
    packets.append(
      [UInt8](repeating: 0, count: prefix)
        + [0x47, (isStart ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF), control] + field + payload)
  }

  /// A PES packet, split into transport packets.
  mutating func elementary(pid: UInt16, streamID: UInt8 = 0xBD, _ payload: [UInt8]) {
    var rest = ([0, 0, 1, streamID, 0, 0, 0x80, 0, 0] + payload)[...]
    var isStart = true
    while !rest.isEmpty {
      packet(pid: pid, isStart: isStart, Array(rest.prefix(184)))
      rest = rest.dropFirst(184)
      isStart = false
    }
  }

  mutating func raw(_ bytes: [UInt8]) { packets.append(bytes) }

  var bytes: [UInt8] { packets.flatMap(\.self) }

  /// A file with every kind of content that is examined.
  static let rich: [UInt8] = {
    var sample = TransportSample(streams: [
      (0x1B, 0x101, []), (0x06, 0x102, []), (0x15, 0x103, [5, 4, 0x4B, 0x4C, 0x56, 0x41]),
    ])
    sample.elementary(
      pid: 0x101, streamID: 0xE0, [0, 0, 0, 1, 9, 0x10, 0, 0, 1, 0x65] + [UInt8](repeating: 0x88, count: 400))
    sample.elementary(pid: 0x102, Array("GPS(11.5462, 48.1743, 5)".utf8))
    sample.elementary(pid: 0x103, [1, 2, 3])
    sample.packet(pid: 0x200, Array(position.utf8))
    sample.packet(pid: 0x1FFF, [UInt8](repeating: 0xFF, count: 184))
    sample.elementary(pid: 0x101, streamID: 0xE0, [0, 0, 0, 1, 9, 0x10])
    return sample.bytes
  }()
}
