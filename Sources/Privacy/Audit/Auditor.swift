public import ClipModel
import DurableFiles
public import ISOMedia
import LocationFormats
package import Synchronization

/// Finds location data, device identifiers and recording dates in a file.
public enum Auditor {
  /// How much of the file to search.
  public enum Depth: Sendable {
    /// Searches the container's structure and the samples of data tracks. This is enough for planning, and fast for any
    /// file.
    case structure
    /// Also searches messages in video samples, and all unreferenced bytes.
    case everything
  }

  /// How often this process searched a file. Only tests use it.
  package static let searchCount = Atomic(0)

  /// Audits a file in any format on a separate thread.
  /// - Throws: `ISOMediaError` if the file cannot be read. Damage doesn't throw an error; see ``AuditReport/unread``.
  public static func audit(path: String, depth: Depth = .everything) async throws -> AuditReport {
    try await WorkerThread.run("bsc audit") { _ in try audit(FileBytes(path: path), depth: depth) }
  }

  /// Audits a file, or bytes in memory, on the calling thread.
  /// - Parameters:
  ///   - source: the bytes of the file.
  ///   - depth: how much of the file to search.
  ///   - known: positions to search for in addition to those in the file.
  public static func audit(
    _ source: any ByteSource, depth: Depth = .everything, known: [GeoPosition] = []
  ) throws(ISOMediaError) -> AuditReport {
    if let file = try ISOFile.read(from: source) {
      return try audit(file, in: source, depth: depth, known: known).report
    }
    let report = try auditOtherContainer(source, search: PositionSearch(known: known))
    // The file may repeat its positions in an encoding that can be recognized only for known positions.
    if report.positions.allSatisfy(known.contains) { return report }
    return try auditOtherContainer(source, search: PositionSearch(known: known + report.positions))
  }

  /// Audits a file whose boxes have already been read.
  /// - Parameters:
  ///   - file: the boxes of the file; `nil` if it isn't an MP4 or QuickTime file.
  ///   - source: the bytes of the file.
  ///   - depth: how much of the file to search.
  ///   - origin: the positions in the file from which this file was created. The audit searches for them, too.
  package static func audit(
    _ file: ISOFile?, of source: any ByteSource, depth: Depth, madeFrom origin: SourcePositions? = nil
  ) throws(ISOMediaError) -> AuditReport {
    let known = origin?.positions ?? []
    guard let file else { return try audit(source, depth: depth, known: known) }
    return try audit(file, in: source, depth: depth, known: known).report
  }

  /// Audits a file that isn't in MP4 or QuickTime format.
  private static func auditOtherContainer(
    _ source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> AuditReport {
    searchCount.add(1, ordering: .relaxed)
    func makeReport(_ container: String, _ audit: any ContainerAudit.Type) throws(ISOMediaError) -> AuditReport {
      let list = try audit.run(on: source, search: search)
      return AuditReport(container: container, byteCount: source.byteCount, found: list.carriers, unread: list.unread)
    }
    if let docType = try EBMLReader.docType(of: source) {
      return try makeReport(docType == "webm" ? "WebM" : "Matroska", MatroskaAudit.self)
    }
    let head = try source.bytes(at: 0, count: 12)
    if head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual("AVI ".utf8) {
      return try makeReport("AVI", RIFFAudit.self)
    }
    if head.starts(with: ProgramStreamAudit.packStart) { return try makeReport("MPEG-PS", ProgramStreamAudit.self) }
    if try TransportReader(source: source) != nil { return try makeReport("MPEG-TS", TransportAudit.self) }
    let whole = 0..<source.byteCount
    let finding = try ExaminedBytes(whole, of: source, search: search).finding
    let found = finding.flatMap { FoundCarrier($0, place: "the file's bytes", byteRange: whole) }
    return AuditReport(
      container: nil, byteCount: source.byteCount, found: found.map { [$0] } ?? [],
      unread: ["the container format is unknown, so only the raw bytes were searched"])
  }

  /// Audits an MP4 or QuickTime file, and returns how to remove each finding.
  static func audit(
    _ file: ISOFile, in source: any ByteSource, depth: Depth, known: [GeoPosition] = []
  ) throws(ISOMediaError) -> (report: AuditReport, findings: [MovieFinding]) {
    searchCount.add(1, ordering: .relaxed)
    var audit = MovieAudit(source: source, file: file, known: known)
    try audit.run(depth)
    let report = AuditReport(
      container: file.majorBrand == "qt  " || file.majorBrand == nil ? "QuickTime" : "MP4",
      byteCount: source.byteCount, found: audit.findings.map(\.found), unread: audit.unread,
      damage: audit.damage)
    return (report, audit.findings)
  }
}

extension AuditReport {
  /// The first location data, position of the source or unreadable part in the file; `nil` if the file is clean.
  package var leftoverPlace: String? { mustBeRemoved.first?.carrier.place ?? unread.first }
}

/// The positions in a source file, which are read once for all files that are created from it.
package struct SourcePositions: Sendable {
  let positions: [GeoPosition]

  /// Collects the positions from an audit of any depth.
  package init(_ report: AuditReport) { positions = report.positions }
}
