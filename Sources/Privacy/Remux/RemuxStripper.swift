import ClipModel
import DurableFiles
import ISOMedia
import LibAV
import LocationFormats

/// Strips a Matroska, WebM, MPEG-TS or AVI file: audits the file, copies its packets, and audits the copy.
struct RemuxStripper {
  let source: FileBytes
  let path: String
  let options: StripOptions
  let name: String

  private static let containers: Set = ["Matroska", "WebM", "MPEG-TS", "AVI"]

  func write(
    to staged: borrowing StagedFile, proves: Bool, interruption: Interruption
  ) throws -> StripResult {
    var clock = PhaseClock()
    var seconds = StripResult.Seconds()
    let (report, container) = try Self.audit(source, name: name)
    seconds.audit = clock.lap()
    let policy = RemuxPolicy(options: options, search: PositionSearch(known: report.positions))
    var remuxer = Remuxer(name: name, path: path, policy: policy, interruption: interruption)
    try remuxer.run(to: staged.path)
    let remuxed = remuxer.report
    seconds.copy = clock.lap()

    let output = try FileBytes(path: staged.path)
    let after = try verify(output, positions: report.positions)
    seconds.verify = clock.lap()
    // If a carrier has the same name and location as in the source, it wasn't removed.
    let kept = after.found.filter { !options.removes($0.carrier) || report.found.contains($0) }
    let left = Set(kept.map(\.carrier.kind))
    let cut = remuxed.cutAccessUnits.map { ("track \($0.key + 1)", $0.value) }
    var result = StripResult(
      container: container, sourceByteCount: source.byteCount, byteCount: output.byteCount,
      removed: report.found.filter { options.removes($0.carrier) && !left.contains($0.carrier.kind) }, kept: kept,
      cutPictures: Dictionary(cut) { $0 + $1 }, notes: remuxed.notes)
    if proves {
      result.proof = try RemuxProof(
        source: path, output: staged.path, cutCounts: remuxed.cutAccessUnits, name: name, analysis: remuxer.analysis,
        interruption: interruption
      ).run()
      seconds.proof = clock.lap()
    }
    result.seconds = seconds
    return result
  }

  /// Audits a file whose packets can be copied.
  /// - Throws: `RemuxError` or `StripError` if the container can't be written, or if a part of the file can't be
  ///   checked.
  static func audit(_ source: FileBytes, name: String) throws -> (report: AuditReport, container: String) {
    let report = try Auditor.audit(source)
    if report.container == "MPEG-PS" { throw RemuxError.programStream(name: name) }
    guard let container = report.container, containers.contains(container) else {
      throw StripError.unknownContainer(name: name)
    }
    if let why = report.unread.first { throw StripError.unjudged(name: name, why: why) }
    return (report, container)
  }

  private func verify(_ output: FileBytes, positions: [GeoPosition]) throws -> AuditReport {
    let report = try Auditor.audit(output, known: positions)
    if let left = report.mustBeRemoved.first { throw StripError.leftover(name: name, place: left.carrier.place) }
    if let why = report.unread.first { throw StripError.unjudged(name: name, why: "the copy: \(why)") }
    return report
  }
}
