public import ClipModel
import DurableFiles
public import ISOMedia
import LocationFormats
package import Synchronization

/// Finds where a file discloses the place, the camera and the day it was filmed.
public enum Auditor {
  /// How far the search goes.
  public enum Depth: Sendable {
    /// The container's own structure and the samples of data tracks: enough to plan with, cheap for any file.
    case structure
    /// Also what is inside the samples of video, and every byte that nothing accounts for.
    case everything
  }

  /// Audits of MP4 and QuickTime files in this process so far, for the test that counts them.
  package static let movieCount = Atomic(0)

  /// Audits a file of any kind, on a thread of its own.
  /// - Throws: `ISOMediaError` when it cannot be read; a damaged one is audited as far as it goes (`unread`).
  public static func audit(path: String, depth: Depth = .everything) async throws -> AuditReport {
    try await WorkerThread.run("bsc audit") { _ in try audit(FileBytes(path: path), depth: depth) }
  }

  /// As `audit(path:)`, on this thread; for bytes in memory too.
  /// - Parameters:
  ///   - source: the file.
  ///   - depth: how far the search goes.
  ///   - known: positions to search for besides those that the file itself has.
  public static func audit(
    _ source: any ByteSource, depth: Depth = .everything, known: [GeoPosition] = []
  ) throws(ISOMediaError) -> AuditReport {
    if let file = try ISOFile.read(from: source) {
      return try audit(file, in: source, depth: depth, known: known).report
    }
    let report = try otherContainer(source, search: PositionSearch(known: known))
    // What the file has itself may be repeated in another form.
    if report.positions.allSatisfy(known.contains) { return report }
    return try otherContainer(source, search: PositionSearch(known: known + report.positions))
  }

  /// The audit of a file whose boxes have been read.
  /// - Parameters:
  ///   - file: its boxes; `nil` when it isn't MP4 or QuickTime.
  ///   - source: its bytes.
  ///   - depth: how far the search goes.
  ///   - origin: positions of the file that this one was made from; they are searched for as well.
  package static func audit(
    _ file: ISOFile?, of source: any ByteSource, depth: Depth, madeFrom origin: SourcePositions? = nil
  ) throws(ISOMediaError) -> AuditReport {
    let known = origin?.positions ?? []
    guard let file else { return try audit(source, depth: depth, known: known) }
    return try audit(file, in: source, depth: depth, known: known).report
  }

  /// Containers that are written anew by copying their packets.
  private static func otherContainer(
    _ source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> AuditReport {
    if let docType = try EBMLReader.docType(of: source) {
      var audit = MatroskaAudit(source: source, search: search)
      let found = try audit.carriers()
      return report(docType == "webm" ? "WebM" : "Matroska", source, found, audit.unread)
    }
    let head = try source.bytes(at: 0, count: 12)
    if head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual("AVI ".utf8) {
      var audit = RIFFAudit(source: source, search: search)
      let found = try audit.carriers()
      return report("AVI", source, found, audit.unread)
    }
    let isProgramStream = head.starts(with: ProgramStreamAudit.packStart)
    let isTransportStream = try TransportReader(source: source) != nil
    if isProgramStream || isTransportStream {
      var audit = TransportAudit(source: source, search: search)
      let found = try audit.carriers()
      return report(isProgramStream ? "MPEG-PS" : "MPEG-TS", source, found, audit.unread)
    }
    return try unknownKind(source, search: search)
  }

  private static func report(
    _ container: String, _ source: any ByteSource, _ found: [FoundCarrier], _ unread: [String]
  ) -> AuditReport {
    AuditReport(container: container, byteCount: source.byteCount, found: found, unread: unread)
  }

  /// The audit of a movie, with the way to remove each thing that was found.
  static func audit(
    _ file: ISOFile, in source: any ByteSource, depth: Depth, known: [GeoPosition] = []
  ) throws(ISOMediaError) -> (report: AuditReport, findings: [MovieFinding]) {
    movieCount.add(1, ordering: .relaxed)
    var audit = MovieAudit(source: source, file: file, known: known)
    try audit.run(depth)
    let report = AuditReport(
      container: file.majorBrand == "qt  " || file.majorBrand == nil ? "QuickTime" : "MP4",
      byteCount: source.byteCount, found: audit.findings.map(\.found), unread: audit.unread,
      damage: audit.damage)
    return (report, audit.findings)
  }

  /// A kind that is not known: looked through as bytes, with what is known of no camera's format.
  private static func unknownKind(
    _ source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> AuditReport {
    var report = AuditReport(container: nil, byteCount: source.byteCount, found: [], unread: [])
    let whole = 0..<source.byteCount
    let finding = try UnreferencedBytes(whole, of: source, search: search).finding
    let found = finding.flatMap { FoundCarrier($0, place: "the file's bytes", byteRange: whole) }
    report.found = found.map { [$0] } ?? []
    report.unread = ["its kind is not known: it was looked through as bytes"]
    return report
  }
}

extension AuditReport {
  /// Where location data or an identifier is left in a published file; `nil` when the audit finds none, and none of the
  /// source's positions anywhere but in video and audio.
  package var leftoverPlace: String? { mustGo.first?.carrier.place ?? unread.first }
}

/// The positions that a file has, read once for everything that is made from it.
package struct SourcePositions: Sendable {
  let positions: [GeoPosition]

  /// The positions of an audit of any depth.
  package init(_ report: AuditReport) { positions = report.positions }
}
