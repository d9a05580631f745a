import ArgumentParser
import ClipModel
import Foundation
import Highlights
import LibCurl
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
      let surroundings = try CommandEnvironment(flags: transfer.flags)
      let session = try await ShareSession(surroundings, notice: output.notice) { _ in }
      let export = HighlightExport(
        folder: absolutePath(folder), isForced: force,
        transport: try surroundings.configuration.transport())
      let code = try await session.use {
        if !ids.isEmpty {
          return try await InputRunner.run(ids, named: \.self, asJSON: output.json) { id in
            let known = try await HighlightFinder(api: session.api).find(id)
            guard let row = try await session.api.row(known.id) else {
              throw CommandFailure(.highlightNotFound, ["highlight": id])
            }
            try await write(row, export, session)
            return nil
          }
        }
        let rows = try await all(session)
        if rows.isEmpty, !output.json, !output.quiet { Console.writeError("Nothing is shared yet.\n") }
        return try await InputRunner.run(
          rows, named: { $0.highlight.id.uuidString.lowercased() }, asJSON: output.json
        ) { row in
          try await write(row, export, session)
          return nil
        }
      }
      try ExitStatusError.end(with: code)
    }

    private func write(_ row: HighlightRow, _ export: HighlightExport, _ session: ShareSession) async throws {
      let source = try await session.link.source(of: row.highlight)
      let drafts = source.videos.count > 1 ? try await session.api.drafts(of: row.highlight.id) : []
      let files = try await export.write(row, videos: source.videos, poster: source.poster, drafts: drafts)
      if let reason = files.missingPoster {
        Console.note("\(shownPath(files.clip)) has no poster: \(reason)")
      }
      if output.json {
        Console.writeJSON(ExportDocument(row.highlight, files))
      } else if !output.quiet {
        let note = files.wereThere ? " (was there)" : files.sidecar == nil ? " (without rally metadata)" : ""
        let others = files.others.isEmpty ? "" : " and \(files.others.count) more"
        Console.write(
          "\(whole: shownPath(files.clip))\(others), \(ByteCount.text(files.byteCount))\(note)\n" as StyledText)
      }
    }

    /// Every highlight of whoever asks, newest first. What is shared meanwhile moves the pages: each counts once.
    private func all(_ session: ShareSession) async throws -> [HighlightRow] {
      let author = try await session.link.author
      let size = 100
      var (rows, seen, offset): ([HighlightRow], Set<UUID>, Int) = ([], [], 0)
      while true {
        let page = try await session.api.rows(limit: size, offset: offset, author: author)
        rows += page.filter { seen.insert($0.highlight.id).inserted }
        if page.count < size { return rows }
        offset += page.count
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
