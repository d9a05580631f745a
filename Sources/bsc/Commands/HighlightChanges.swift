import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

extension HighlightCommands {
  struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change what a highlight says, or who may see it; the clip stays.",
      discussion: """
        EXAMPLES:
          bsc highlights edit 3f2a --caption "Match point #spike"
          bsc highlights edit 3f2a --privacy followers_only --hide-likes
        """)

    @Argument(help: "The highlight's id, or its beginning.", completion: Completions.highlights)
    var id: String

    @Option(help: "What people read under the clip; its hashtags become the tags. Empty takes it away.")
    var caption: String?

    @Option(help: "Who may see it: public, followers_only or private.")
    var privacy: PrivacyLevel?

    @Flag(help: "Do not show how many like it.")
    var hideLikes = false

    @Flag(help: "Show how many like it.")
    var showLikes = false

    @OptionGroup(title: "Output") var output: OutputOptions

    private var change: HighlightChange {
      HighlightChange(caption: caption, privacy: privacy, hideLikes: hideLikes ? true : showLikes ? false : nil)
    }

    func validate() throws {
      if hideLikes, showLikes { throw ValidationError("Choose one of --hide-likes and --show-likes.") }
      if change.isEmpty {
        throw ValidationError("Say what to change: --caption, --privacy, --hide-likes, --show-likes.")
      }
    }

    func run() async throws {
      if let caption, caption.count > HighlightDraft.longestCaption {
        throw CommandFailure(
          .captionTooLong,
          ["highlight": id, "count": "\(caption.count)", "limit": "\(HighlightDraft.longestCaption)"])
      }
      let session = try await ShareSession(try EngineEnvironment(), report: output.notes)
      let (highlight, links) = try await session.use {
        let known = try await HighlightFinder(api: session.api).find(id)
        // A row of somebody else is not found by a change.
        guard let changed = try await session.api.changeHighlight(known.id, change) else {
          throw HighlightCommands.notYours(known.id, "edit")
        }
        return (changed, try await session.link.links(to: changed))
      }
      if output.json {
        Console.writeJSON(OpenDocument(highlight, links))
      } else if !output.quiet {
        Console.write("changed \(HighlightText.line(highlight))\n" as StyledText)
      }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a highlight back: its row, its clip and its pictures go.")

    @Argument(help: "The highlight's id, or its beginning.", completion: Completions.highlights)
    var id: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let session = try await ShareSession(try EngineEnvironment(), report: output.notes)
      try await session.use { try await delete(session.api) }
    }

    private func delete(_ api: any HighlightBackend) async throws {
      let highlight = try await HighlightFinder(api: api).find(id)
      let name = highlight.id.uuidString.lowercased()
      if !force {
        guard Console.isInputTerminal else {
          throw CommandFailure(.deletionUnconfirmed, ["highlight": name])
        }
        Console.writeError("Delete \(HighlightText.line(highlight))? It cannot be taken back. [y/N] " as StyledText)
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
          Console.writeError("Kept.\n")
          return
        }
      }
      try await api.deleteHighlight(highlight.id)
      // A row of somebody else stays, and no server says so.
      if try await api.highlight(highlight.id) != nil { throw HighlightCommands.notYours(highlight.id, "delete") }
      if output.json { Console.writeJSON(DeletedDocument(id: name)) } else { Console.write("deleted \(name)\n") }
    }
  }
}

extension HighlightCommands {
  /// The highlight exists, but belongs to another account.
  fileprivate static func notYours(_ id: UUID, _ verb: String) -> CommandFailure {
    CommandFailure(.highlightNotYours, ["verb": verb, "highlight": id.uuidString.lowercased()])
  }
}

private struct DeletedDocument: Encodable {
  var schema = "bsc.highlight-deleted/1"
  var id: String
}
