#if Recruiting
import ArgumentParser
import ClipModel
import DurableFiles
import Recruiting
import Reports
import ShareEngine

/// The file of an import, and whether it is only shown.
struct ImportOptions: ParsableArguments {
  @Argument(help: "File with a header.", completion: .file()) var file: String
  @Flag(help: "Show what would be added, and add nothing.") var dryRun = false
  @OptionGroup var confirmation: ConfirmationOptions

  /// The number of rows that a preview shows.
  private static let shownRows = 20

  /// Reads the file, shows its effect, asks, and stores the new rows.
  /// - Parameters:
  ///   - preview: sorts the rows into new ones, duplicates and problems.
  ///   - describe: returns the text of a row in the preview.
  ///   - store: stores the new rows, and returns the posts that were added and left out, for posts.
  func run<Item>(
    _ kind: RecruitingImportDocument.Kind, _ family: FamilyOptions, _ output: OutputOptions,
    _ preview: (RecruitingSession, FamilyUnit, ImportTable) async throws -> ImportPreview<Item>,
    describe: (Item) -> StyledText,
    store: (RecruitingSession, FamilyUnit, [Item]) async throws -> IngestResult?
  ) async throws {
    let table = try await RecruitingFile.table(at: absolutePath(file), named: file)
    try await RecruitingCommands.withFamily(family, output) { session, family in
      let preview = try await preview(session, family, table)
      if !output.json, !output.quiet { show(preview, describe) }
      var document = RecruitingImportDocument(
        kind: kind, isDryRun: dryRun, added: preview.items.count, duplicateLines: preview.duplicateLines,
        problems: preview.problems.map {
          let (column, text) = RecruitingText.describe($0.reason)
          return .init(line: $0.line, column: column, reason: text)
        })
      if !dryRun, !preview.items.isEmpty {
        let question: StyledText = "Add \(kind.counted(preview.items.count)) to \(family.name.onOneLine)?"
        guard try confirmation.confirm(question, "the family \(family.name.onOneLine)") else {
          return Console.writeError("Not imported.\n")
        }
        if let result = try await store(session, family, preview.items.map(\.item)) {
          (document.added, document.dismissed) = (result.added, result.dismissed)
          if !result.invalid.isEmpty { output.writeNote(RecruitingTexts.refused(result.invalid.map(\.field))) }
          document.problems += result.invalid.filter { preview.items.indices.contains($0.index) }.map {
            RecruitingImportDocument.Problem(
              line: preview.items[$0.index].line, column: $0.field, reason: "the backend rejected the value")
          }
        }
      }
      output.write(document, text: summary(document))
    }
  }

  private func show<Item>(_ preview: ImportPreview<Item>, _ describe: (Item) -> StyledText) {
    for entry in preview.items.prefix(Self.shownRows) {
      Console.writeError("  line \(entry.line): " + describe(entry.item) + "\n")
    }
    let rest = preview.items.count - Self.shownRows
    if rest > 0 { Console.writeError("  and \(rest) more\n") }
    for problem in preview.problems.prefix(Self.shownRows) {
      let text = RecruitingText.describe(problem.reason).text.onOneLine
      Console.writeError("  \("skipped:", .doubtful) line \(problem.line): \(text)\n")
    }
    let others = preview.problems.count - Self.shownRows
    if others > 0 { Console.writeError("  and \(others) more rows are skipped\n") }
  }

  private func summary(_ document: RecruitingImportDocument) -> StyledText {
    let dismissed = document.dismissed ?? 0
    let parts = [
      "\(document.isDryRun ? "would add" : "added") \(document.kind.counted(document.added))",
      document.duplicateLines.isEmpty ? nil : "\(document.duplicateLines.count) exist already",
      dismissed == 0 ? nil : "\(dismissed) were deleted earlier",
      document.problems.isEmpty ? nil : "\(document.problems.count.withNoun("row")) skipped",
    ]
    return StyledText(parts.compactMap(\.self).joined(separator: ", ") + "\n")
  }
}
#endif
