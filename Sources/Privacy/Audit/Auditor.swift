public import ClipModel
import DurableFiles
public import ISOMedia
import LocationFormats
package import Synchronization

/// Finds location data, device identifiers and recording dates in a file.
public enum Auditor {
  /// How much of the file is searched.
  public enum Depth: Sendable {
    /// The structure of the container and the samples of data tracks: enough for planning, and cheap for any file.
    case structure
    /// Also messages inside video samples, and all unreferenced bytes.
    case everything
  }

  /// The number of MP4 and QuickTime audits in this process, for tests.
  package static let movieCount = Atomic(0)

  /// Audits a file of any kind, on a separate thread.
  /// - Throws: `ISOMediaError` when the file cannot be read. Damage does not throw; see ``AuditReport/unread``.
  public static func audit(path: String, depth: Depth = .everything) async throws -> AuditReport {
    try await WorkerThread.run("bsc audit") { _ in try audit(FileBytes(path: path), depth: depth) }
  }

  /// Audits a file or bytes in memory, on the calling thread.
  /// - Parameters:
  ///   - source: the bytes of the file.
  ///   - depth: how much of the file is searched.
  ///   - known: positions to search for in addition to those in the file.
  public static func audit(
    _ source: any ByteSource, depth: Depth = .everything, known: [GeoPosition] = []
  ) throws(ISOMediaError) -> AuditReport {
    if let file = try ISOFile.read(from: source) {
      return try audit(file, in: source, depth: depth, known: known).report
    }
    let report = try auditOther(source, search: PositionSearch(known: known))
    // The file may repeat its positions in an encoding that can only be recognized for known positions.
    if report.positions.allSatisfy(known.contains) { return report }
    return try auditOther(source, search: PositionSearch(known: known + report.positions))
  }

  /// Audits a file whose boxes have been read.
  /// - Parameters:
  ///   - file: the boxes of the file; `nil` if it isn't MP4 or QuickTime.
  ///   - source: the bytes of the file.
  ///   - depth: how much of the file is searched.
  ///   - origin: positions in the file that this file was created from. They are searched for as well.
  package static func audit(
    _ file: ISOFile?, of source: any ByteSource, depth: Depth, madeFrom origin: SourcePositions? = nil
  ) throws(ISOMediaError) -> AuditReport {
    let known = origin?.positions ?? []
    guard let file else { return try audit(source, depth: depth, known: known) }
    return try audit(file, in: source, depth: depth, known: known).report
  }

  /// Audits containers other than MP4 and QuickTime.
  private static func auditOther(
    _ source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> AuditReport {
    func report(_ container: String, _ audit: any ContainerAudit.Type) throws(ISOMediaError) -> AuditReport {
      let list = try audit.run(on: source, search: search)
      return AuditReport(container: container, byteCount: source.byteCount, found: list.carriers, unread: list.unread)
    }
    if let docType = try EBMLReader.docType(of: source) {
      return try report(docType == "webm" ? "WebM" : "Matroska", MatroskaAudit.self)
    }
    let head = try source.bytes(at: 0, count: 12)
    if head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual("AVI ".utf8) {
      return try report("AVI", RIFFAudit.self)
    }
    if head.starts(with: ProgramStreamAudit.packStart) { return try report("MPEG-PS", ProgramStreamAudit.self) }
    if try TransportReader(source: source) != nil { return try report("MPEG-TS", TransportAudit.self) }
    let whole = 0..<source.byteCount
    let finding = try ExaminedBytes(whole, of: source, search: search).finding
    let found = finding.flatMap { FoundCarrier($0, place: "the file's bytes", byteRange: whole) }
    return AuditReport(
      container: nil, byteCount: source.byteCount, found: found.map { [$0] } ?? [],
      unread: ["the container is unknown; the file was searched as plain bytes"])
  }

  /// Audits an MP4 or QuickTime file, and returns how to remove each finding.
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
}

extension AuditReport {
  /// The first remaining location data, unreadable part or position of the source; `nil` for a clean file.
  package var leftoverPlace: String? { mustBeRemoved.first?.carrier.place ?? unread.first }
}

/// The positions in a file, read once for all files that are created from it.
package struct SourcePositions: Sendable {
  let positions: [GeoPosition]

  /// Takes the positions from an audit of any depth.
  package init(_ report: AuditReport) { positions = report.positions }
}
