internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// The carriers of a file in the order they are met, and what could not be judged.
struct CarrierList {
  /// More carriers than this are one remark: no real file has them, and a hostile one must not fill the memory.
  private static let limit = 4096

  private(set) var carriers: [FoundCarrier] = []
  private(set) var unread: [String] = []

  private let source: any ByteSource
  private let search: PositionSearch

  init(source: any ByteSource, search: PositionSearch) {
    self.source = source
    self.search = search
  }

  private mutating func add(_ found: FoundCarrier) {
    guard carriers.count < Self.limit else { return note("more than \(Self.limit) carriers: the rest is not listed") }
    carriers.append(found)
  }

  /// What a payload turned out to be; nothing when it discloses nothing.
  mutating func add(
    _ finding: PayloadFinding, place: String, range: Range<Int64>? = nil, trackIndex: Int? = nil
  ) {
    guard var found = FoundCarrier(finding, place: place, byteRange: range, trackIndex: trackIndex) else { return }
    if finding.disclosure == .location { found.carrier.pointCount = finding.trace.count }
    add(found)
  }

  /// Bytes that no format accounts for: what is recognised in them, or opaque unless they are blank.
  mutating func addLeftover(_ bytes: UnreferencedBytes, kind: String, place: String, range: Range<Int64>?) {
    if let finding = bytes.finding {
      add(finding, place: place, range: range)
    } else if !bytes.isBlank {
      add(PayloadFinding(kind: kind, disclosure: .opaque), place: place, range: range)
    }
  }

  /// Searches a range that no format accounts for.
  /// - Parameter whole: the range to report, where it is larger than the one to search.
  mutating func addLeftover(
    _ range: Range<Int64>, kind: String = "unaccounted-bytes", place: String, whole: Range<Int64>? = nil
  ) throws(ISOMediaError) {
    addLeftover(
      try UnreferencedBytes(range, of: source, search: search), kind: kind, place: place, range: whole ?? range)
  }

  /// What the samples of a track disclose. A track of unknown form in which a position was found is not listed twice.
  mutating func add(_ samples: FindingList, of reading: SampleReading, place: String, trackIndex: Int?) {
    for finding in samples.findings { add(finding, place: place, trackIndex: trackIndex) }
    guard case .opaque(let kind) = reading, !samples.findings.contains(where: { $0.disclosure == .location }) else {
      return
    }
    add(PayloadFinding(kind: kind, disclosure: .opaque), place: place, trackIndex: trackIndex)
  }

  mutating func note(_ words: String) {
    if unread.count < 64, !unread.contains(words) { unread.append(words) }
  }
}

extension String {
  /// A name out of a file, fit for a terminal: without control characters.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
