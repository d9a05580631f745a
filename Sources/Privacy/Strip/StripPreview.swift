public import ClipModel
import DurableFiles
import ISOMedia
import LibAV

/// What a strip would do.
public struct StripPreview: Equatable, Sendable {
  /// `MP4`, `QuickTime`, `Matroska`, `AVI`, `MPEG-TS`.
  public var container: String
  /// What would go.
  public var removed: [FoundCarrier]
  /// Private, and would stay, because its removal was not requested.
  public var kept: [FoundCarrier]
  /// Access units from which a message would be cut, by place. Known for movies only.
  public var cutPictures: [String: Int] = [:]
  /// Things worth telling, in words.
  public var notes: [String] = []
}

extension Stripper {
  /// Tells what `strip` with the same arguments would do, and throws what it would throw, without writing anything.
  ///
  /// A movie is planned to the end, and the file that would be written is audited and searched like one that was.
  /// Of other kinds only the audit is known: what a muxer refuses is found out by writing.
  public static func preview(
    source path: String, destination: String, options: StripOptions = StripOptions(),
    policy: ReplacePolicy = .keepExisting
  ) async throws -> StripPreview {
    try await MediaThread.run(named: "bsc strip") { _ in
      _ = try FileIdentity.of(path)
      try StagedFile.check(destination, replacing: policy)
      let name = fileName(path)
      let source = try FileBytes(path: path)
      guard let file = try movie(in: source, name: name) else {
        return try preview(ofPacketsIn: source, options: options, name: name)
      }
      let strip = MovieStrip(source: source, file: file, options: options, name: name)
      let plan = try strip.plan()
      try strip.verify(PlannedBytes(plan.pieces, of: source), against: plan)
      return StripPreview(
        container: plan.report.container ?? "", removed: plan.remedies.removed, kept: plan.remedies.kept,
        cutPictures: plan.remedies.cutPictures, notes: plan.remedies.notes)
    }
  }

  private static func preview(
    ofPacketsIn source: FileBytes, options: StripOptions, name: String
  ) throws -> StripPreview {
    let (report, container) = try RemuxStrip.audit(source, name: name)
    return StripPreview(
      container: container, removed: report.found.filter { options.removes($0.carrier) },
      kept: report.found.filter { !options.removes($0.carrier) })
  }
}
