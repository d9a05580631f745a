import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

extension HighlightCommands {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write highlights as files: clip, poster, row and metadata, to be shared again somewhere else.",
      discussion: """
        EXAMPLES:
          bsc highlights export backup/             all of yours
          bsc highlights export backup/ 3f2a 77c1
          bsc share backup/*.mp4                    with caption, tags and privacy, and nothing twice

        A post of several rallies is several clips, which are one highlight again when they are shared in one command. What was exported before stays as it is.
        """)

    @Argument(help: "The folder; made when it is missing.", completion: .directory)
    var folder: String

    @Argument(help: "Ids of highlights, or their beginnings; all of yours when none is given.")
    var ids: [String] = []

    @Flag(name: .shortAndLong, help: "Write again what was exported before.")
    var force = false

    @OptionGroup(title: "Network") var transfer: TransferFlags
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let environment = try EngineEnvironment(flags: transfer.flags)
      let session = try await ShareSession(environment, report: output.notes)
      let export = HighlightExport(
        folder: absolutePath(folder), isForced: force, transport: try environment.transport())
      let code = try await session.use {
        // The ids that were named, or rows; one that cannot be exported stops none of the others.
        let wanted: [WantedExport] =
          ids.isEmpty ? try await session.ownRows().map(WantedExport.row) : ids.map(WantedExport.id)
        if wanted.isEmpty, !output.json, !output.quiet { Console.writeError("Nothing is shared yet.\n") }
        return try await InputRunner.run(wanted, named: \.name, asJSON: output.json) { wanted in
          let row = if case .row(let row) = wanted { row } else { try await session.row(wanted.name) }
          show(row.highlight, try await session.export(row, export))
          return nil
        }
      }
      try ExitStatusError.end(with: code)
    }

    private enum WantedExport {
      case id(String)
      case row(HighlightRow)

      var name: String {
        switch self {
        case .id(let id): id
        case .row(let row): row.highlight.id.uuidString.lowercased()
        }
      }
    }

    private func show(_ highlight: Highlight, _ files: HighlightExport.Files) {
      if let reason = files.missingPoster {
        Console.note("\(shownPath(files.clip)) has no poster: \(reason)")
      }
      if output.json {
        Console.writeJSON(ExportDocument(highlight, files))
      } else if !output.quiet {
        let note = files.wereThere ? " (was there)" : files.sidecar == nil ? " (without rally metadata)" : ""
        let others = files.others.isEmpty ? "" : " and \(files.others.count) more"
        Console.write(
          "\(whole: shownPath(files.clip))\(others), \(ByteCount.text(files.byteCount))\(note)\n" as StyledText)
      }
    }
  }
}

/// An exported highlight as JSON: absolute paths.
private struct ExportDocument: Encodable {
  var schema = "bsc.highlight-export/1"
  var id: String
  var clip: String
  /// Of a post of several rallies: all of them, in order.
  var clips: [String]?
  var poster: String?
  var row: String
  var metadata: String?
  var byteCount: Int64
  var wasThere: Bool

  init(_ highlight: Highlight, _ files: HighlightExport.Files) {
    id = highlight.id.uuidString.lowercased()
    clip = files.clip
    clips = files.others.isEmpty ? nil : [files.clip] + files.others
    poster = files.poster
    row = files.row
    metadata = files.sidecar
    byteCount = files.byteCount
    wasThere = files.wereThere
  }
}
