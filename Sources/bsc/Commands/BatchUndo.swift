import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine
import Synchronization

struct BatchUndo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Bring back the sources that \"compress --replace\" replaced.",
    discussion: """
      EXAMPLES:
        bsc batch undo season/
        bsc batch undo season/ -n                   only shows what would come back
        bsc batch undo season/ --include 'day 1/*'

      The sources come back from season/.bsc/trash to where they were, and the results that took their places go. \
      Nothing is written over: a source whose place another file has taken stays in the trash, and a result that \
      was changed since stays too.

      Exit codes: 0 all are back, 3 some are not, 66 there is no trash.
      """)

  @Argument(help: "The folder that was compressed.", completion: .directory)
  var folder: String

  @Option(help: ArgumentHelp("Only sources whose name matches; may be repeated.", valueName: "glob"))
  var include: [String] = []

  @Flag(name: [.customShort("n"), .long], help: "Only show what would come back, and what would go for it.")
  var dryRun = false

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    for pattern in include where Glob(pattern) == nil {
      throw ValidationError("\(pattern) is no pattern: a bracket or a brace is not closed.")
    }
  }

  private struct Tally {
    var (restored, left) = (0, 0)
  }

  func run() async throws {
    let root = realPath(folder)
    try Undo.check(root: root, named: folder)
    let globs = include.compactMap(Glob.init)
    if dryRun { return try await preview(root, globs) }
    let tally = Mutex(Tally())
    let reporting = reporting
    try await Undo.run(root: root) { name in
      globs.isEmpty || globs.contains { $0.matches(name) }
    } tell: { name, outcome in
      tally.withLock { tally in
        if case .left = outcome { tally.left += 1 } else { tally.restored += 1 }
      }
      Self.show(name, outcome, reporting)
    }
    let counts = tally.withLock(\.self)
    if !reporting.quiet, !reporting.json {
      Console.writeError(
        counts.restored + counts.left == 0
          ? "nothing to bring back: the trash has none of them\n"
          : "\(counts.restored.counting("source")) brought back" + (counts.left > 0 ? ", \(counts.left) left\n" : "\n"))
    }
    if counts.left > 0 { throw ExitStatusError(code: ExitStatus.code(for: .unjudged)) }
  }

  private func preview(_ root: String, _ globs: [Glob]) async throws {
    let previews = try await Undo.preview(root: root) { name in globs.isEmpty || globs.contains { $0.matches(name) } }
    for preview in previews {
      if reporting.json {
        Console.writeJSON(
          UndoDocument(
            file: preview.name, isDryRun: true, byteCount: preview.byteCount, result: preview.result,
            obstacle: preview.obstacle))
      } else if let obstacle = preview.obstacle {
        Console.write("\("✗", .bad) \(whole: preview.name.onOneLine, .strong) would stay: \(obstacle)\n" as StyledText)
      } else {
        let result = preview.result.map { $0 == preview.name ? " in place of its result" : ", and \($0) would go" }
        Console.write(
          "\(whole: preview.name.onOneLine, .strong), \(ByteCount.text(preview.byteCount ?? 0)), would come back\(result ?? "")\n"
            as StyledText)
      }
    }
    if previews.isEmpty, !reporting.quiet, !reporting.json {
      Console.writeError("nothing to bring back: the trash has none of them\n")
    }
    if previews.contains(where: { $0.obstacle != nil }) {
      throw ExitStatusError(code: ExitStatus.code(for: .unjudged))
    }
  }

  private static func show(_ name: String, _ outcome: Undo.Outcome, _ reporting: OutputOptions) {
    let note: String? = if case .restoredWith(let note) = outcome { note } else { nil }
    if case .left(let explanation) = outcome { return ErrorOutput.write(explanation, asJSON: reporting.json) }
    if reporting.json { return Console.writeJSON(UndoDocument(file: name, note: note)) }
    if !reporting.quiet { Console.write("\("✓", .good) \(whole: name.onOneLine, .strong)\n" as StyledText) }
    if let note { Console.writeError("  \("note:", .faint) \(note)\n" as StyledText) }
  }
}

/// A source that is back.
struct UndoDocument: Encodable {
  var schema = "bsc.undo/1"
  var file: String
  var note: String?
  /// With `--dry-run`, and what it would do; absent otherwise.
  var isDryRun: Bool?
  /// Bytes of the source.
  var byteCount: Int64?
  /// The result that would go.
  var result: String?
  /// Why it would stay in the trash.
  var obstacle: String?
}
