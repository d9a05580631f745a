import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

extension HighlightCommands {
  struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change the caption or visibility of a highlight",
      discussion: """
        EXAMPLES:
          bsc highlights edit 3f2a --caption "Match point #spike"
          bsc highlights edit 3f2a --privacy followers_only --hide-likes
        """)

    @Argument(help: "Highlight ID or unique ID prefix.", completion: Completions.highlights)
    var id: String

    @OptionGroup var highlight: HighlightOptions

    @Flag(help: "Show the number of likes.")
    var showLikes = false

    @Flag(help: "Let others save the video as a file.")
    var allowDownloads = false

    @Flag(help: "Don't let others save the video as a file (the default).")
    var noDownloads = false

    @OptionGroup(title: "Output") var output: OutputOptions

    private var change: HighlightChange {
      HighlightChange(
        caption: highlight.caption, privacy: highlight.privacy,
        hideLikes: highlight.hideLikes ? true : showLikes ? false : nil,
        allowsDownloads: allowDownloads ? true : noDownloads ? false : nil)
    }

    func validate() throws {
      if highlight.hideLikes, showLikes { throw ValidationError("--hide-likes and --show-likes cannot be combined.") }
      if allowDownloads, noDownloads {
        throw ValidationError("--allow-downloads and --no-downloads cannot be combined.")
      }
      if change.isEmpty {
        throw ValidationError(
          "nothing to change; specify --caption, --privacy, --hide-likes, --show-likes, --allow-downloads or --no-downloads."
        )
      }
    }

    func run() async throws {
      let (changed, links) = try await HighlightCommands.withSession(output) { session in
        let edit = try await session.backend.changeHighlight(matching: id, change)
        // The backend changes only the signed-in user's rows.
        guard let changed = edit.changed else { throw HighlightCommands.makeNotYoursError(edit.id, "edit") }
        return (changed, try await session.connection.links(to: changed))
      }
      output.write(HighlightDocument(changed, links), text: "changed \(HighlightText.formatLine(changed))\n")
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a highlight, its clip and its pictures")

    @Argument(help: "Highlight ID or unique ID prefix.", completion: Completions.highlights)
    var id: String

    @Flag(name: .shortAndLong, help: "Delete the highlight without asking for confirmation.")
    var force = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await HighlightCommands.withSession(output) { session in
        let highlight = try await session.backend.findHighlight(id)
        let name = highlight.id.uuidString.lowercased()
        if !force {
          guard Console.isInputTerminal else { throw CommandFailure(.deletionUnconfirmed, ["highlight": name]) }
          guard Console.confirm("Delete \(HighlightText.formatLine(highlight))? This cannot be undone.") else {
            return Console.writeError("Not deleted.\n")
          }
        }
        try await session.backend.deleteHighlight(highlight.id)
        // The backend ignores requests to delete another user's row.
        guard try await session.backend.highlight(highlight.id) == nil else {
          throw HighlightCommands.makeNotYoursError(highlight.id, "delete")
        }
        if output.json {
          Console.writeJSON(DeletedHighlightDocument(id: name))
        } else {
          Console.write("deleted \(name)\n")
        }
      }
    }
  }

  /// Runs `body` with a session that prints its notes.
  static func withSession<Value>(_ output: OutputOptions, _ body: (ShareSession) async throws -> Value) async throws
    -> Value
  {
    let session = try await ShareSession(try EngineEnvironment(), report: output.notes)
    return try await session.runAndClose { try await body(session) }
  }

  static func makeNotYoursError(_ id: UUID, _ verb: String) -> CommandFailure {
    CommandFailure(.highlightNotYours, ["verb": verb, "highlight": id.uuidString.lowercased()])
  }
}

private struct DeletedHighlightDocument: Encodable {
  var schema = "bsc.highlight-deleted/1"
  var id: String
}
