import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

extension HighlightCommands {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Export highlights as files that can be shared again",
      discussion: """
        EXAMPLES:
          bsc highlights export backup/             all your highlights
          bsc highlights export backup/ 3f2a 77c1
          bsc share backup/*.mp4                    keeps caption, tags and privacy

        Writes the clip, poster, database row and rally metadata of each highlight. If you share all clips of a \
        highlight with one command, they become one highlight again. Highlights that still exist are not shared twice. \
        Existing exports are kept.
        """)

    @Argument(help: "Output folder.", completion: .directory)
    var folder: String

    @Argument(help: "Highlight IDs or unique ID prefixes. (default: all your highlights)")
    var ids: [String] = []

    @Flag(name: .shortAndLong, help: "Re-export highlights that were already exported.")
    var force = false

    @OptionGroup(title: "Network") var transfer: NetworkOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    private enum ExportItem {
      case id(String)
      case row(HighlightRow)

      var name: String {
        switch self {
        case .id(let id): id
        case .row(let row): row.highlight.id.uuidString.lowercased()
        }
      }
    }

    func run() async throws {
      let environment = try EngineEnvironment(flags: transfer.flags)
      let session = try await ShareSession(environment, report: output.notes)
      let export = HighlightExport(
        folder: absolutePath(folder), replacesFiles: force, transport: try environment.transport())
      try await session.runAndClose {
        // Requests the rows of the specified highlights one by one, so that a failure doesn't affect the others.
        let items: [ExportItem] =
          ids.isEmpty ? try await session.loadOwnRows().map(ExportItem.row) : ids.map(ExportItem.id)
        if items.isEmpty { output.writeRemark("No highlights.") }
        try await InputRunner.run(items, named: \.name, asJSON: output.json) { item in
          let row = if case .row(let row) = item { row } else { try await session.loadRow(item.name) }
          showExport(row.highlight, try await session.export(row, export))
          return nil
        }
      }
    }

    private func showExport(_ highlight: Highlight, _ files: HighlightExport.ExportedFiles) {
      if let reason = files.missingPoster {
        Console.writeNote("\(displayPath(files.clip)) has no poster: \(reason)")
      }
      let note = files.alreadyExisted ? " (already exported)" : files.sidecar == nil ? " (without rally metadata)" : ""
      let others = files.others.isEmpty ? "" : " and \(files.others.count) more"
      output.write(
        HighlightExportDocument(highlight, files),
        text: "\(whole: displayPath(files.clip))\(others), \(ByteCount.text(files.byteCount))\(note)\n")
    }
  }
}

/// An exported highlight as JSON, with absolute paths.
private struct HighlightExportDocument: Encodable {
  var schema = "bsc.highlight-export/1"
  var id: String
  var clip: String
  /// The paths of all clips, in order, if the highlight has several.
  var clips: [String]?
  var poster: String?
  var row: String
  var metadata: String?
  var byteCount: Int64
  var wasThere: Bool

  init(_ highlight: Highlight, _ files: HighlightExport.ExportedFiles) {
    id = highlight.id.uuidString.lowercased()
    clip = files.clip
    clips = files.others.isEmpty ? nil : [files.clip] + files.others
    (poster, row, metadata) = (files.poster, files.row, files.sidecar)
    (byteCount, wasThere) = (files.byteCount, files.alreadyExisted)
  }
}
