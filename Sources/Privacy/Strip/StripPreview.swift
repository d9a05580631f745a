public import ClipModel
import DurableFiles
import ISOMedia
import LibAV

/// The changes that a strip would make.
public struct StripPreview: Equatable, Sendable {
  /// The container: `MP4`, `QuickTime`, `Matroska`, `WebM`, `AVI` or `MPEG-TS`.
  public var container: String
  /// Private metadata that would be removed.
  public var removed: [FoundCarrier]
  /// Private metadata that would be kept, because its removal was not requested.
  public var kept: [FoundCarrier]
  /// The number of access units that would lose a message, by track. Known only for MP4 and QuickTime.
  public var cutPictures: [String: Int] = [:]
  /// Remarks for the user.
  public var notes: [String] = []
}

extension Stripper {
  /// Reports the changes of `strip` with the same arguments, and throws the same errors, without writing anything.
  ///
  /// For MP4 and QuickTime, the complete copy is planned and audited. For other containers, only the source is audited:
  /// errors of the muxer appear only when the copy is written.
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
        let (report, container) = try RemuxStripper.audit(source, name: name)
        return StripPreview(
          container: container, removed: report.found.filter { options.removes($0.carrier) },
          kept: report.found.filter { !options.removes($0.carrier) })
      }
      let stripper = MovieStripper(source: source, file: file, options: options, name: name)
      let plan = try stripper.plan()
      try stripper.verify(PlannedBytes(plan.pieces, of: source), against: plan)
      return StripPreview(
        container: plan.report.container ?? "", removed: plan.edits.removed, kept: plan.edits.kept,
        cutPictures: plan.edits.cutPictures, notes: plan.edits.notes)
    }
  }
}
