internal import ClipModel
internal import LocationFormats

/// The carriers of a file in the order they are met, and what could not be judged.
struct CarrierList {
  /// More carriers than this are one remark: no real file has them, and a hostile one must not fill the memory.
  private static let limit = 4096

  private(set) var carriers: [FoundCarrier] = []
  private(set) var unread: [String] = []

  mutating func add(_ carrier: PrivacyCarrier, trace: PositionTrace = PositionTrace()) {
    guard carriers.count < Self.limit else { return note("more than \(Self.limit) carriers: the rest is not listed") }
    carriers.append(FoundCarrier(carrier, trace: trace))
  }

  /// What a payload turned out to be; nothing when it tells nothing.
  mutating func add(
    _ finding: PayloadFinding, place: String, range: Range<Int64>? = nil, trackIndex: Int? = nil
  ) {
    guard let disclosure = PrivacyCarrier.Disclosure(finding) else { return }
    let carrier = PrivacyCarrier(
      disclosure: disclosure, kind: finding.kind, place: place, byteRange: range, trackIndex: trackIndex,
      pointCount: disclosure == .location ? finding.trace.count : nil)
    add(carrier, trace: finding.trace)
  }

  /// Bytes that no format accounts for: what is recognised in them, or opaque unless they are blank.
  mutating func addLeftover(_ bytes: UnreferencedBytes, kind: String, place: String, range: Range<Int64>?) {
    if let finding = bytes.finding {
      add(finding, place: place, range: range)
    } else if !bytes.isBlank {
      add(PrivacyCarrier(disclosure: .opaque, kind: kind, place: place, byteRange: range))
    }
  }

  /// What the samples of a track tell. A track of unknown form that was found to tell a place is not told twice.
  mutating func add(_ samples: SampleFindings, of reading: SampleReading, place: String, trackIndex: Int?) {
    for finding in samples.findings { add(finding, place: place, trackIndex: trackIndex) }
    guard case .opaque(let kind) = reading, !samples.findings.contains(where: { $0.disclosure == .location }) else {
      return
    }
    add(PrivacyCarrier(disclosure: .opaque, kind: kind, place: place, trackIndex: trackIndex))
  }

  mutating func note(_ words: String) {
    if unread.count < 64, !unread.contains(words) { unread.append(words) }
  }
}

/// What the samples of one track tell, by kind: a track is one carrier for each, not thousands.
struct SampleFindings {
  private(set) var findings: [PayloadFinding] = []

  mutating func add(_ finding: PayloadFinding) {
    guard let index = findings.firstIndex(where: { $0.kind == finding.kind && $0.disclosure == finding.disclosure })
    else { return findings.append(finding) }
    findings[index].trace.add(finding.trace)
  }
}

extension String {
  /// A name out of a file, fit for a terminal: without control characters.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
