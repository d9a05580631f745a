internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// An audit of files in a particular container format.
protocol ContainerAudit {
  var list: CarrierList { get }
  init(list: CarrierList)
  mutating func run() throws(ISOMediaError)
}

extension ContainerAudit {
  /// Audits a file in this container format.
  /// - Parameter search: the search for positions in everything that is neither video nor audio.
  static func run(on source: any ByteSource, search: PositionSearch = .generic) throws(ISOMediaError) -> CarrierList {
    var audit = Self(list: CarrierList(source: source, search: search))
    try audit.run()
    return audit.list
  }
}

/// The private metadata in a file, in order, and the parts of the file that couldn't be checked.
struct CarrierList {
  /// The maximum number of carriers, which bounds memory use for malicious files. Real files have fewer.
  private static let limit = 4096

  let source: any ByteSource
  let search: PositionSearch
  private(set) var carriers: [FoundCarrier] = []
  /// Descriptions of the parts that couldn't be checked.
  private(set) var unread: [String] = []

  /// Adds a finding unless it is harmless.
  mutating func add(
    _ finding: PayloadFinding, place: String, range: Range<Int64>? = nil, trackIndex: Int? = nil
  ) {
    guard var found = FoundCarrier(finding, place: place, byteRange: range, trackIndex: trackIndex) else { return }
    if finding.disclosure == .location { found.carrier.pointCount = finding.trace.count }
    guard carriers.count < Self.limit else {
      return addUnreadPart("more than \(Self.limit) findings; further findings are not listed")
    }
    carriers.append(found)
  }

  /// Adds the finding in unreferenced bytes. If there is none, adds an opaque finding unless the bytes are blank.
  mutating func add(_ bytes: ExaminedBytes, kind: String, place: String, range: Range<Int64>?) {
    if let finding = bytes.finding {
      add(finding, place: place, range: range)
    } else if !bytes.isBlank {
      add(PayloadFinding(kind: kind, disclosure: .opaque), place: place, range: range)
    }
  }

  /// Searches an unreferenced range, and adds the finding.
  /// - Parameter whole: the range to report, if it is larger than the searched range.
  mutating func addUnreferencedBytes(
    _ range: Range<Int64>, kind: String = "unaccounted-bytes", place: String, whole: Range<Int64>? = nil
  ) throws(ISOMediaError) {
    add(try ExaminedBytes(range, of: source, search: search), kind: kind, place: place, range: whole ?? range)
  }

  /// Adds the bytes after the last chunk or element in a range.
  /// - Parameter problem: the reason why reading stopped.
  mutating func addTrailingBytes(
    _ rest: Range<Int64>, after problem: String?, path: String, term: String
  ) throws(ISOMediaError) {
    if let problem { addUnreadPart("\(path.isEmpty ? "" : path + ": ")\(problem)") }
    guard !rest.isEmpty else { return }
    try addUnreferencedBytes(rest, place: path.isEmpty ? "after the last \(term)" : "\(path), unaccounted bytes")
  }

  /// Adds the findings in a track's samples. If the track is opaque, it is added unless a position was found in it.
  mutating func add(_ samples: FindingList, of inspection: SampleInspection, place: String, trackIndex: Int?) {
    for finding in samples.findings { add(finding, place: place, trackIndex: trackIndex) }
    guard case .opaque(let kind) = inspection, !samples.findings.contains(where: { $0.disclosure == .location }) else {
      return
    }
    add(PayloadFinding(kind: kind, disclosure: .opaque), place: place, trackIndex: trackIndex)
  }

  mutating func addUnreadPart(_ description: String) {
    if unread.count < 64, !unread.contains(description) { unread.append(description) }
  }
}

extension String {
  /// The string with control characters replaced, so that it is safe to print to a terminal.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
