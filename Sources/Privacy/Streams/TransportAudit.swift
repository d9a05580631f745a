internal import ClipModel
package import ISOMedia
package import LocationFormats

/// Finds what an MPEG transport stream (AVCHD and others) or program stream discloses beside the film: data streams,
/// messages inside the pictures, packets that no table names, stuffing with content.
package struct TransportAudit {
  private let source: any ByteSource
  private let search: PositionSearch
  private var list: CarrierList
  private var tables = ProgramTables()
  private var streams: [(pid: UInt16, content: ElementaryStream)] = []
  /// By PID, where in `streams` it is: a film has millions of packets, for which a dictionary is slow.
  private var places = [Int?](repeating: nil, count: Int(TransportPacket.nullPID) + 1)
  private var sections: [UInt16: SectionAssembler] = [:]
  private var collected = 0

  /// PIDs that are looked at: real files have fewer than ten.
  private static let streamLimit = 64
  /// Bytes of all streams that wait for the rest of their packets.
  private static let totalLimit = 24 << 20

  /// - Parameter search: for positions in everything that is neither video nor audio.
  package init(source: any ByteSource, search: PositionSearch = .blind) {
    self.source = source
    self.search = search
    list = CarrierList(source: source, search: search)
  }

  /// What could not be judged, in words; complete once `carriers` has answered.
  package var unread: [String] { list.unread }

  package mutating func carriers() throws(ISOMediaError) -> [FoundCarrier] {
    let isProgramStream = try source.bytes(at: 0, count: 4) == ProgramStreamAudit.packStart
    guard !isProgramStream, let reader = try TransportReader(source: source) else {
      var program = ProgramStreamAudit(source: source, search: search)
      try program.read(into: &list)
      return list.carriers
    }
    try readTables(reader)
    try readStreams(reader)
    for stream in streams.sorted(by: { $0.pid < $1.pid }) { try report(stream.content, pid: stream.pid) }
    return list.carriers
  }

  /// The tables may come behind the first packets of their streams, and change: they are read to the end first.
  private mutating func readTables(_ first: TransportReader) throws(ISOMediaError) {
    var reader = first
    while let packet = try reader.next() {
      for table in tables.take(packet) {
        if let finding = search.examine(table) { list.add(finding, place: Self.place(packet.pid)) }
      }
    }
    if tables.streams.isEmpty { list.note("no program map: streams cannot be told apart") }
  }

  private mutating func readStreams(_ first: TransportReader) throws(ISOMediaError) {
    var reader = first
    while let packet = try reader.next() {
      try report(reader.takeSkipped())
      try take(packet)
    }
    try report(reader.takeSkipped())
  }

  private mutating func report(_ skipped: Range<Int64>?) throws(ISOMediaError) {
    guard let range = skipped else { return }
    try list.addLeftover(range, place: "between packets")
  }

  private mutating func take(_ packet: TransportPacket) throws(ISOMediaError) {
    if !packet.privateData.isEmpty, let finding = search.examine(Array(packet.privateData)) {
      list.add(finding, place: "\(Self.place(packet.pid)), adaptation field")
    }
    guard !packet.payload.isEmpty, let place = place(for: packet) else { return }
    if packet.isScrambled { list.note("\(Self.place(packet.pid)) is scrambled") }
    let before = streams[place].content.bytes.count
    try streams[place].content.take(packet, room: max(0, Self.totalLimit - collected))
    collected += streams[place].content.bytes.count - before
  }

  /// Where the stream of a packet is collected; `nil` for tables.
  private mutating func place(for packet: TransportPacket) -> Int? {
    let pid = packet.pid
    if let place = places[Int(pid)] { return place }
    guard pid != 0, !tables.mapPIDs.contains(pid) else { return nil }
    guard pid >= 0x20 else {
      takeSection(packet)
      return nil
    }
    guard streams.count < Self.streamLimit else {
      list.note("more than \(Self.streamLimit) PIDs")
      return nil
    }
    places[Int(pid)] = streams.count
    streams.append((pid, ElementaryStream(kind(of: pid), search: search)))
    return streams.count - 1
  }

  private func kind(of pid: UInt16) -> ElementaryStream.Kind {
    if let stream = tables.streams.first(where: { $0.pid == pid }) { return .named(stream.reading) }
    return pid == TransportPacket.nullPID ? .stuffing : .unnamed
  }

  /// Network and service information: text of broadcasters, searched.
  private mutating func takeSection(_ packet: TransportPacket) {
    for section in sections[packet.pid, default: SectionAssembler()].take(packet) {
      if let finding = search.examine(section) { list.add(finding, place: Self.place(packet.pid)) }
    }
  }

  private mutating func report(_ stream: ElementaryStream, pid: UInt16) throws(ISOMediaError) {
    var stream = stream
    try stream.finish()
    let index = tables.streams.firstIndex { $0.pid == pid }
    list.add(stream.findings, of: stream.verdict, place: Self.place(pid), trackIndex: index)
    if stream.isTooLong { list.note("\(Self.place(pid)): packets too long to be looked through") }
  }

  /// `PID 0x1011`.
  private static func place(_ pid: UInt16) -> String {
    pid == TransportPacket.nullPID ? "null packets" : "PID 0x" + String(pid, radix: 16)
  }
}
