internal import ISOMedia
internal import LocationFormats

/// Reassembles and checks the payload of a PID.
struct ElementaryStream {
  enum Kind {
    /// The stream is listed in a program map.
    case listed(SampleInspection)
    /// The stream isn't listed in any program map, so players ignore it.
    case unlisted
    case stuffing
  }

  private let kind: Kind
  /// The bytes that have been reassembled but not checked yet.
  private(set) var bytes: [UInt8] = []
  /// For unlisted streams, the offsets in `bytes` at which a PES packet or section starts.
  private var unitStarts: [Int] = []
  private var isBlank = true
  private(set) var findings = FindingList()
  /// Whether a PES packet exceeded the maximum size.
  private(set) var isTooLong = false

  /// The maximum size of a PES packet in bytes. An 8K frame at 400 Mbit/s is smaller.
  private static let frameLimit = 16 << 20
  private static let dataLimit = 1 << 20

  private let search: PositionSearch

  init(_ kind: Kind, search: PositionSearch) {
    self.kind = kind
    self.search = search
  }

  /// The inspection to apply once the contents are known.
  var inspection: SampleInspection {
    switch kind {
    case .listed(let inspection): inspection
    case .unlisted: isBlank ? .none : .opaque(kind: "unaccounted-pid")
    case .stuffing: .none
    }
  }

  /// Adds the payload of a packet.
  /// - Parameter room: the maximum number of bytes to add.
  mutating func append(_ packet: TransportPacket, room: Int) throws(ISOMediaError) {
    switch kind {
    case .listed(.none): return
    case .listed(let inspection):
      if packet.isStart { try finish() }
      let isVideo = if case .video = inspection { true } else { false }
      let limit = min(bytes.count + room, isVideo ? Self.frameLimit : Self.dataLimit)
      if bytes.count + packet.payload.count > limit { isTooLong = true } else { bytes += packet.payload }
    case .unlisted, .stuffing:
      guard !ExaminedBytes.isBlank(packet.payload) else { return }
      isBlank = false
      if bytes.count + packet.payload.count > Self.dataLimit { try finish() }
      if packet.isStart { unitStarts.append(bytes.count) }
      bytes += packet.payload
    }
  }

  /// Checks the reassembled bytes.
  mutating func finish() throws(ISOMediaError) {
    guard !bytes.isEmpty else { return }
    let (content, unitStarts) = (bytes, unitStarts)
    bytes.removeAll(keepingCapacity: true)
    self.unitStarts = []
    switch kind {
    case .listed(let inspection):
      let packet = MemoryBytes(content)
      let payload = min(Int64(PESHeader.length(content)), packet.byteCount)..<packet.byteCount
      for finding in try inspection.findings(in: payload, of: packet, search: search) { findings.add(finding) }
    case .unlisted, .stuffing:
      let found = ExaminedBytes(content, search: search).finding
      if let found, found.kind != PositionSearch.repetitionKind { return findings.add(found) }
      var isRecord = false
      for (start, end) in zip(unitStarts, unitStarts.dropFirst() + [content.count]) {
        let unit = Array(content[start..<end])
        let payload = MemoryBytes(Array(unit.dropFirst(PESHeader.length(unit))))
        guard let finding = try CameraBlocks.examineUnreferencedBytes(0..<payload.byteCount, in: payload) else {
          continue
        }
        findings.add(finding)
        isRecord = true
      }
      if let found, !isRecord { findings.add(found) }
    }
  }
}
