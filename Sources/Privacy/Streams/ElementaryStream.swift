internal import ISOMedia
internal import LocationFormats

/// The payload of one PID, put together as far as it is examined.
struct ElementaryStream {
  enum Kind {
    case named(SampleReading)
    /// In no map: whatever it is, no player shows it.
    case unnamed
    case stuffing
  }

  private let kind: Kind
  /// Put together so far.
  private(set) var bytes: [UInt8] = []
  /// Where units begin in them, of what is in no map.
  private var unitStarts: [Int] = []
  private var isBlank = true
  private(set) var findings = FindingList()
  /// A PES packet was longer than what is kept.
  private(set) var isTooLong = false

  /// A picture of 8K at 400 Mbit/s is smaller.
  private static let pictureLimit = 16 << 20
  private static let dataLimit = 1 << 20

  private let search: PositionSearch

  init(_ kind: Kind, search: PositionSearch) {
    self.kind = kind
    self.search = search
  }

  /// The reading that the payload turned out to need.
  var verdict: SampleReading {
    switch kind {
    case .named(let reading): reading
    case .unnamed: isBlank ? .none : .opaque(kind: "unaccounted-pid")
    case .stuffing: .none
    }
  }

  /// - Parameter room: bytes that may be kept beside those that already are.
  mutating func take(_ packet: TransportPacket, room: Int) throws(ISOMediaError) {
    switch kind {
    case .named(.none): return
    case .named:
      if packet.isStart { try finish() }
      append(packet.payload, atMost: min(bytes.count + room, isPicture ? Self.pictureLimit : Self.dataLimit))
    case .unnamed, .stuffing:
      guard !UnreferencedBytes.isBlank(packet.payload) else { return }
      isBlank = false
      if bytes.count + packet.payload.count > Self.dataLimit { try finish() }
      if packet.isStart { unitStarts.append(bytes.count) }
      bytes += packet.payload
    }
  }

  private var isPicture: Bool { if case .named(.pictures) = kind { true } else { false } }

  private mutating func append(_ payload: ArraySlice<UInt8>, atMost limit: Int) {
    if bytes.count + payload.count > limit { isTooLong = true } else { bytes += payload }
  }

  /// Looks at what has been put together.
  mutating func finish() throws(ISOMediaError) {
    guard !bytes.isEmpty else { return }
    let (content, unitStarts) = (bytes, unitStarts)
    bytes.removeAll(keepingCapacity: true)
    self.unitStarts = []
    switch kind {
    case .named(let reading):
      let packet = MemoryBytes(content)
      let payload = min(Int64(PESHeader.length(content)), packet.byteCount)..<packet.byteCount
      for finding in try reading.findings(in: payload, of: packet, search: search) { findings.add(finding) }
    case .unnamed, .stuffing:
      let found = UnreferencedBytes(content, search: search).finding
      if let found, found.kind != PositionSearch.repetitionKind { return findings.add(found) }
      var isRecord = false
      let ends = unitStarts.dropFirst() + [content.count]
      for (start, end) in zip(unitStarts, ends) {
        let unit = Array(content[start..<end])
        let payload = MemoryBytes(Array(unit.dropFirst(PESHeader.length(unit))))
        let finding = try CameraBlocks.examineUnreferenced(0..<payload.byteCount, in: payload)
        if let finding {
          findings.add(finding)
          isRecord = true
        }
      }
      if let found, !isRecord { findings.add(found) }
    }
  }
}
