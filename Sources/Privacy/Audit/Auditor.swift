public import ClipModel
import DurableFiles
public import ISOMedia
import LocationFormats

/// Finds where a file discloses the place, the camera and the day it was filmed.
public enum Auditor {
  /// How far the search goes.
  public enum Depth: Sendable {
    /// The container's own structure and the samples of data tracks: enough to plan with, cheap for any file.
    case structure
    /// Also what is inside the samples of video, and every byte that nothing accounts for.
    case everything
  }

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

  /// The audit of an MP4 or QuickTime file whose boxes have been read.
  public static func audit(
    _ file: ISOFile, of source: any ByteSource, depth: Depth
  ) throws(ISOMediaError) -> AuditReport {
    try audit(file, in: source, depth: depth).report
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

  /// Location data in a file that was made from another one; on this thread.
  /// - Returns: where it is; `nil` when the audit finds nothing, and none of the source's positions is anywhere in it
  ///   but in video and audio.
  package static func leftover(in output: String, madeFrom source: SourcePositions) throws(ISOMediaError) -> String? {
    let report = try audit(FileBytes(path: output), known: source.positions)
    return report.mustGo.first?.carrier.place ?? report.unread.first
  }

  /// The audit of a movie, with the way to remove each thing that was found.
  static func audit(
    _ file: ISOFile, in source: any ByteSource, depth: Depth, known: [GeoPosition] = []
  ) throws(ISOMediaError) -> (report: AuditReport, findings: [MovieFinding]) {
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

/// The positions that a file has, read once for everything that is made from it.
package struct SourcePositions: Sendable {
  let positions: [GeoPosition]

  /// The positions of an audit of any depth.
  package init(_ report: AuditReport) { positions = report.positions }
}
