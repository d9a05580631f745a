import ClipModel
import DurableFiles
import ISOMedia
import LibAV
import LocationFormats

/// Strips an MP4, MOV or M4V file: audits the file, plans the edits, writes a new file from pieces, and audits the
/// copy.
struct MovieStripper {
  let source: any ByteSource
  let file: ISOFile
  let options: StripOptions
  let name: String

  /// The planned edits, and the new file as a list of pieces.
  struct StripPlan {
    var report: AuditReport
    var edits: MovieEditPlan
    var pieces: [FilePiece]
  }

  /// The maximum number of passes over the planned file. Real files need at most two.
  private static let passLimit = 16

  /// Plans a copy without the private metadata.
  /// - Parameter alignment: the block size of the file system, in bytes.
  /// - Throws: ``StripError`` and `MovieRewriteError` if the metadata can't be removed without losing other data.
  func plan(alignment: Int64 = 1) throws -> StripPlan {
    let (report, findings) = try Auditor.audit(file, in: source, depth: .everything)
    if let why = report.unread.first { throw StripError.unjudged(name: name, why: why) }
    var edits = MovieEditPlan(source: source, file: file, options: options)
    try edits.apply(findings, name: name)
    var rewriter = MovieRewriter(source: source, file: file, edits: edits.edits, name: name, alignment: alignment)
    var plan = StripPlan(report: report, edits: edits, pieces: try rewriter.makePieces())
    guard options.keepsMotion || edits.changesStructure else { return plan }
    for _ in 0..<Self.passLimit {
      let output = PlannedBytes(plan.pieces, of: source)
      guard let outputFile = try ISOFile.read(from: output) else { return plan }
      let (left, findings) = try Auditor.audit(
        outputFile, in: output, depth: .everything, known: plan.report.positions)
      guard let first = left.mustBeRemoved.first else { return plan }
      if options.keepsMotion { return try planWithoutMotion(alignment: alignment) }
      // Some blanked bytes may have been lengths or counts, so a reader parses the bytes after them differently. The
      // planned file must then be cleaned again.
      var more = MovieEditPlan(source: output, file: outputFile, options: options)
      try more.apply(findings, name: name)
      guard more.edits.cuts.isEmpty else {
        throw StripError.cannotRemove(
          name: name, place: first.carrier.place, why: "removing it would change how the samples are read")
      }
      var rewriter = MovieRewriter(
        source: output, file: outputFile, edits: more.edits, name: name, alignment: alignment)
      plan.pieces = output.resolvePieces(try rewriter.makePieces())
      plan.edits.add(more)
    }
    throw StripError.cannotRemove(
      name: name, place: "moov", why: "after each removal, other bytes look like a position")
  }

  /// Creates a plan that removes motion data, because the kept motion data contains a position in a different encoding.
  private func planWithoutMotion(alignment: Int64) throws -> StripPlan {
    var options = options
    options.keepsMotion = false
    var plan = try MovieStripper(source: source, file: file, options: options, name: name).plan(alignment: alignment)
    plan.edits.addNote("the motion data was also removed because it contains a position in a different format")
    return plan
  }

  func write(
    to staged: borrowing StagedFile, from original: borrowing CopySource, at path: String, proves: Bool,
    interruption: Interruption, progress: (Double) -> Void
  ) throws -> StripResult {
    var clock = PhaseClock()
    var seconds = StripResult.Seconds()
    var writer = StagedCopy(to: staged)
    let plan = try plan(alignment: writer.alignment)
    seconds.audit = clock.lap()
    try writePieces(
      plan.pieces, to: staged, with: &writer, from: original, interruption: interruption, progress: progress)
    seconds.copy = clock.lap()
    let output = try FileBytes(path: staged.path)
    let outputFile = try verify(output, against: plan)
    try PresentationProof.compare(
      source: path, copy: staged.path, trackIDs: Set(outputFile.tracks.map(\.trackID)), name: name)
    seconds.verify = clock.lap()

    var result = StripResult(
      container: plan.report.container ?? "", sourceByteCount: source.byteCount, byteCount: output.byteCount,
      removed: plan.edits.removed, kept: plan.edits.kept, cutPictures: plan.edits.cutPictures, notes: plan.edits.notes)
    if proves {
      try interruption.check()
      result.proof = try MovieProof(
        source: source, file: file, output: output, outputFile: outputFile, cuts: plan.edits.edits.cuts, name: name
      ).run()
      seconds.proof = clock.lap()
    }
    result.seconds = seconds
    return result
  }

  private func writePieces(
    _ pieces: [FilePiece], to staged: borrowing StagedFile, with writer: inout StagedCopy,
    from original: borrowing CopySource, interruption: Interruption, progress: (Double) -> Void
  ) throws {
    try staged.reserve(pieces.byteCount)
    let total = Double(max(1, pieces.byteCount))
    var written: Int64 = 0
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): try staged.append(bytes)
      case .copy(let range):
        try writer.append(range, of: original, to: staged) { position in
          try interruption.check()
          progress(Double(written + position) / total)
        }
      }
      written += piece.count
    }
    progress(1)
  }

  /// Audits the copy like any other file, and compares its structure with the source.
  @discardableResult
  func verify(_ output: any ByteSource, against plan: StripPlan) throws -> ISOFile {
    guard let outputFile = try ISOFile.read(from: output) else {
      throw StripError.notIdentical(name: name, why: "the copy is not an MP4 or QuickTime file")
    }
    let report = try Auditor.audit(outputFile, in: output, depth: .everything, known: plan.report.positions).report
    if let left = report.mustBeRemoved.first { throw StripError.leftover(name: name, place: left.carrier.place) }
    let anomalies = Set(outputFile.anomalies + outputFile.tableProblems)
      .subtracting(file.anomalies + file.tableProblems)
    if let anomaly = anomalies.first {
      throw StripError.notIdentical(name: name, why: "the copy is damaged: \(anomaly)")
    }
    let kept = file.tracks.filter { !plan.edits.edits.removedTracks.contains($0.trackID) }
    try PresentationProof.compare(kept, outputFile.tracks, name: name)
    return outputFile
  }
}
