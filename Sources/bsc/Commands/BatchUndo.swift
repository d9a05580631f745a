import ArgumentParser
import ClipModel
import DurableFiles
import Reports
import ShareEngine
import Synchronization

struct BatchUndo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Restore the sources that \"compress --replace\" replaced",
    discussion: """
      EXAMPLES:
        bsc batch undo season/
        bsc batch undo season/ -n                   shows what would be restored
        bsc batch undo season/ --include 'day 1/*'

      Moves the source files from season/.bsc/trash back to their folders and removes the compressed files. No file is \
      overwritten: if a new file now has a source's name, that source stays in the trash. Compressed files that were \
      changed afterwards are kept.

      Exit codes: 0 all sources were restored; 3 some sources were not; 66 there is no trash.
      """)

  @Argument(help: "The folder that was compressed.", completion: .directory)
  var folder: String

  @Option(help: ArgumentHelp("Restore only sources that match this pattern. Can be repeated.", valueName: "glob"))
  var include: [String] = []

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be restored and removed.")
  var dryRun = false

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws { try Glob.validatePatterns(include) }

  func run() async throws {
    let root = realPath(folder)
    try ReplacementUndo.requireReplacements(root: root, named: folder)
    let globs = include.compactMap(Glob.init)
    let isIncluded: @Sendable (String) -> Bool = { name in globs.isEmpty || globs.contains { $0.matches(name) } }
    let counts = Mutex((restored: 0, left: 0))
    if dryRun {
      for preview in try await ReplacementUndo.previewUndo(root: root, isWanted: isIncluded) {
        counts.withLock { if preview.obstacle == nil { $0.restored += 1 } else { $0.left += 1 } }
        showPreview(preview)
      }
    } else {
      let reporting = reporting
      try await ReplacementUndo.run(root: root, isWanted: isIncluded) { name, outcome in
        counts.withLock { if case .left = outcome { $0.left += 1 } else { $0.restored += 1 } }
        Self.showOutcome(name, outcome, reporting)
      }
    }
    let (restored, left) = counts.withLock(\.self)
    if restored + left == 0 {
      reporting.writeRemark("nothing to restore: the trash contains none of these sources")
    } else if !dryRun {
      reporting.writeRemark("\(restored.withNoun("source")) restored" + (left > 0 ? ", \(left) left in the trash" : ""))
    }
    try ExitStatusError.throwIfFailed(with: left > 0 ? .unjudged : nil)
  }

  private func showPreview(_ preview: ReplacementUndo.Preview) {
    if reporting.json {
      return Console.writeJSON(
        UndoDocument(
          file: preview.name, isDryRun: true, byteCount: preview.byteCount, result: preview.result,
          obstacle: preview.obstacle))
    }
    let name: StyledText = "\(whole: preview.name.onOneLine, .strong)"
    if let obstacle = preview.obstacle {
      return Console.write("\("✗", .bad) \(name) would stay in the trash: \(obstacle)\n" as StyledText)
    }
    let result =
      preview.result.map { $0 == preview.name ? ", replacing the compressed file" : ", and \($0) removed" } ?? ""
    Console.write("\(name), \(ByteCount.text(preview.byteCount ?? 0)), would be restored\(result)\n" as StyledText)
  }

  private static func showOutcome(_ name: String, _ outcome: ReplacementUndo.Outcome, _ reporting: OutputOptions) {
    let note: String? = if case .restoredWith(let note) = outcome { note } else { nil }
    if case .left(let explanation) = outcome { return ErrorOutput.write(explanation, asJSON: reporting.json) }
    reporting.write(
      UndoDocument(file: name, note: note), text: "\("✓", .good) \(whole: name.onOneLine, .strong)\n")
    if let note, !reporting.json { Console.writeError("  \("note:", .faint) \(note)\n" as StyledText) }
  }
}

/// The JSON document that describes a restored source.
struct UndoDocument: Encodable {
  var schema = "bsc.undo/1"
  var file: String
  var note: String?
  /// Present only with `--dry-run`, as are the fields below.
  var isDryRun: Bool?
  /// The source's size in bytes.
  var byteCount: Int64?
  /// The compressed file that would be removed.
  var result: String?
  /// Why the source would stay in the trash.
  var obstacle: String?
}
