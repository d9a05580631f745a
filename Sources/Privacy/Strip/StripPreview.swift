public import ClipModel
import DurableFiles
import ISOMedia
import LibAV

/// The changes that stripping a file would make.
public struct StripPreview: Equatable, Sendable {
  /// The container format: `MP4`, `QuickTime`, `Matroska`, `WebM`, `AVI` or `MPEG-TS`.
  public var container: String
  /// The private metadata that would be removed.
  public var removed: [FoundCarrier]
  /// The private metadata that would be kept because the options don't remove it.
  public var kept: [FoundCarrier]
  /// The number of access units from which a message would be removed, keyed by track. Known only for MP4 and
  /// QuickTime.
  public var cutPictures: [String: Int] = [:]
  /// Notes about the result that `bsc` prints for the user.
  public var notes: [String] = []
}

extension Stripper {
  /// Returns the changes that `strip` would make with the same arguments, and throws the same errors, but doesn't write
  /// anything.
  ///
  /// For MP4 and QuickTime, the complete copy is planned and audited. For other containers, only the source is audited,
  /// so muxer errors occur only when the copy is written.
  public static func preview(
    source path: String, destination: String, options: StripOptions = StripOptions(),
    policy: ReplacePolicy = .keepExisting
  ) async throws -> StripPreview {
    try await MediaThread.run(named: "bsc strip") { _ in
      _ = try FileIdentity.of(path)
      try StagedFile.checkDestination(destination, replacing: policy)
      let name = fileName(path)
      let source = try FileBytes(path: path)
      guard let file = try readMovie(in: source, name: name) else {
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
