import ArgumentParser
import ClipModel
import Foundation
import Highlights

struct HighlightCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "highlights", abstract: "What was shared: list it, open it, take it back.",
    subcommands: [List.self, Open.self, Delete.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List highlights, newest first.")

    @Option(help: "How many at most.")
    var limit = 20

    @Option(help: "How many of the newest to leave out.")
    var offset = 0

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      guard (1...1000).contains(limit), offset >= 0 else {
        throw ValidationError("--limit is 1 to 1000, --offset 0 or more.")
      }
    }

    func run() async throws {
      let session = try await ShareSession(try Surroundings()) { _ in }
      let highlights = try await session.use { try await session.api.highlights(limit: limit, offset: offset) }
      for highlight in highlights {
        if output.json { Console.writeJSON(highlight) } else { Console.write(HighlightText.line(highlight) + "\n") }
      }
      if highlights.isEmpty, !output.json, !output.quiet { Console.writeError("Nothing is shared yet.\n") }
    }
  }

  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show one highlight: its facts and where it can be watched.")

    @Argument(help: "The highlight's id, or its beginning.")
    var id: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let session = try await ShareSession(try Surroundings()) { _ in }
      let (highlight, endpoint) = try await session.use {
        (try await HighlightFinder(api: session.api).find(id), try await session.link.endpoint())
      }
      let name = highlight.id.uuidString.lowercased()
      if output.json {
        Console.writeJSON(
          OpenDocument(
            highlight: highlight, watch: "bsc serve --open \(name)", pageURL: endpoint.resolve("/h/\(name)"),
            videoURL: endpoint.resolve("/stream/\(highlight.muxPlaybackID).mp4")))
      } else {
        Console.write(HighlightText.line(highlight) + "\n")
        Console.write("  page       \(endpoint.resolve("/h/\(name)")) (while bsc serve runs)\n")
        Console.write("  watch      bsc serve --open \(name)\n")
      }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a highlight back: its row, its clip and its pictures go.")

    @Argument(help: "The highlight's id, or its beginning.")
    var id: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let session = try await ShareSession(try Surroundings()) { _ in }
      try await session.use { try await delete(session.api) }
    }

    private func delete(_ api: HighlightsAPI) async throws {
      let highlight = try await HighlightFinder(api: api).find(id)
      let name = highlight.id.uuidString.lowercased()
      if !force {
        guard Console.isInputTerminal else {
          throw UsageFailure(
            what: "cannot delete \(name)", why: "it cannot be taken back, and there is no terminal to ask on",
            next: "say --force")
        }
        Console.writeError("Delete \(HighlightText.line(highlight))? It cannot be taken back. [y/N] ")
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
          Console.writeError("Kept.\n")
          return
        }
      }
      try await api.deleteHighlight(highlight.id)
      if output.json { Console.writeJSON(DeletedDocument(id: name)) } else { Console.write("deleted \(name)\n") }
    }
  }
}

private struct OpenDocument: Encodable {
  var schema = "bsc.highlight/1"
  var highlight: Highlight
  var watch: String
  var pageURL: String
  var videoURL: String
}

private struct DeletedDocument: Encodable {
  var schema = "bsc.highlight-deleted/1"
  var id: String
}

/// A highlight on one line.
enum HighlightText {
  static func line(_ highlight: Highlight) -> String {
    [
      highlight.id.uuidString.lowercased(), highlight.createdAt, highlight.duration.map { "\(decimal($0)) s" },
      highlight.caption.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") },
    ].compactMap { $0 }.joined(separator: "  ")
  }
}

/// Finds a highlight by its id or the beginning of it.
struct HighlightFinder {
  var api: HighlightsAPI

  /// Beginnings are looked up among so many of the newest.
  private static let searched = 1000

  func find(_ text: String) async throws -> Highlight {
    if let id = UUID(uuidString: text) {
      guard let highlight = try await api.highlight(id) else { throw missing(text) }
      return highlight
    }
    guard text.count >= 4 else {
      throw UsageFailure(
        what: "cannot find \(text)", why: "fewer than four characters say too little",
        next: "run \"bsc highlights list\" and give more of the id")
    }
    let matches = try await api.highlights(limit: Self.searched, offset: 0)
      .filter { $0.id.uuidString.lowercased().hasPrefix(text.lowercased()) }
    guard let match = matches.first else { throw missing(text) }
    guard matches.count == 1 else {
      throw UsageFailure(
        what: "cannot find \(text)", why: "\(matches.count) highlights begin like this", next: "give more of the id")
    }
    return match
  }

  private func missing(_ text: String) -> NoSuchHighlight { NoSuchHighlight(id: text) }
}

private struct NoSuchHighlight: ExplainedError {
  var id: String
  var explanation: Explanation {
    Explanation(
      what: "cannot find the highlight \(id)", why: "there is none with this id",
      next: "run \"bsc highlights list\"", category: .noInput)
  }
}
