internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Finds private metadata in an MPEG transport stream, such as AVCHD: data streams, embedded messages in video, packets
/// of unlisted streams, and stuffing that contains data.
struct TransportAudit: ContainerAudit {
  private(set) var list: CarrierList
  private var tables = ProgramTables()
  private var streams: [(pid: UInt16, content: ElementaryStream)] = []
  /// The index in `streams` for each PID. A dictionary would be too slow for millions of packets.
  private var indexes = [Int?](repeating: nil, count: Int(TransportPacket.nullPID) + 1)
  private var sections: [UInt16: SectionAssembler] = [:]
  private var collectedByteCount = 0

  /// The maximum number of PIDs. Real files have fewer than ten.
  private static let streamLimit = 64
  /// The maximum number of bytes in all streams that are waiting for the rest of a packet.
  private static let totalLimit = 24 << 20

  init(list: CarrierList) { self.list = list }

  mutating func run() throws(ISOMediaError) {
    guard let reader = try TransportReader(source: list.source) else { return }
    try readTables(reader)
    try readStreams(reader)
    for stream in streams.sorted(by: { $0.pid < $1.pid }) { try reportStream(stream.content, pid: stream.pid) }
  }

  /// Reads all tables first, because tables can change, and can follow the first packets of their streams.
  private mutating func readTables(_ first: TransportReader) throws(ISOMediaError) {
    var reader = first
    while let packet = try reader.next() {
      for table in tables.append(packet) {
        if let finding = list.search.examine(table) { list.add(finding, place: Self.makeLabel(packet.pid)) }
      }
    }
    if tables.streams.isEmpty { list.addUnreadPart("there is no program map, so the stream types are unknown") }
  }

  private mutating func readStreams(_ first: TransportReader) throws(ISOMediaError) {
    var reader = first
    while let packet = try reader.next() {
      try reportSkippedBytes(reader.takeSkippedRange())
      try examine(packet)
    }
    try reportSkippedBytes(reader.takeSkippedRange())
  }

  private mutating func reportSkippedBytes(_ skipped: Range<Int64>?) throws(ISOMediaError) {
    if let skipped { try list.addUnreferencedBytes(skipped, place: "between packets") }
  }

  private mutating func examine(_ packet: TransportPacket) throws(ISOMediaError) {
    if !packet.privateData.isEmpty, let finding = list.search.examine(Array(packet.privateData)) {
      list.add(finding, place: "\(Self.makeLabel(packet.pid)), adaptation field")
    }
    guard !packet.payload.isEmpty, let index = streamIndex(for: packet) else { return }
    if packet.isScrambled { list.addUnreadPart("\(Self.makeLabel(packet.pid)) is scrambled") }
    let before = streams[index].content.bytes.count
    try streams[index].content.append(packet, room: max(0, Self.totalLimit - collectedByteCount))
    collectedByteCount += streams[index].content.bytes.count - before
  }

  /// Returns the index of a packet's stream; `nil` for tables.
  private mutating func streamIndex(for packet: TransportPacket) -> Int? {
    let pid = packet.pid
    if let index = indexes[Int(pid)] { return index }
    guard pid != 0, !tables.mapPIDs.contains(pid) else { return nil }
    guard pid >= 0x20 else {
      examineSections(packet)
      return nil
    }
    guard streams.count < Self.streamLimit else {
      list.addUnreadPart("the file has more than \(Self.streamLimit) PIDs")
      return nil
    }
    indexes[Int(pid)] = streams.count
    streams.append((pid, ElementaryStream(streamKind(of: pid), search: list.search)))
    return streams.count - 1
  }

  private func streamKind(of pid: UInt16) -> ElementaryStream.Kind {
    if let stream = tables.streams.first(where: { $0.pid == pid }) { return .listed(stream.inspection) }
    return pid == TransportPacket.nullPID ? .stuffing : .unlisted
  }

  /// Searches network and service information, which contains text from broadcasters.
  private mutating func examineSections(_ packet: TransportPacket) {
    for section in sections[packet.pid, default: SectionAssembler()].append(packet) {
      if let finding = list.search.examine(section) { list.add(finding, place: Self.makeLabel(packet.pid)) }
    }
  }

  private mutating func reportStream(_ stream: ElementaryStream, pid: UInt16) throws(ISOMediaError) {
    var stream = stream
    try stream.finish()
    let index = tables.streams.firstIndex { $0.pid == pid }
    list.add(stream.findings, of: stream.inspection, place: Self.makeLabel(pid), trackIndex: index)
    if stream.isTooLong { list.addUnreadPart("\(Self.makeLabel(pid)): its packets are too long to search") }
  }

  /// Returns the label of a stream, such as `PID 0x1011`.
  private static func makeLabel(_ pid: UInt16) -> String {
    pid == TransportPacket.nullPID ? "null packets" : "PID 0x" + String(pid, radix: 16)
  }
}
