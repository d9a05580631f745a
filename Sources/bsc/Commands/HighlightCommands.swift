import ArgumentParser
import ClipModel
import Foundation
import Highlights
import Reports
import ShareEngine

struct HighlightCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "highlights",
    abstract: "What was shared: list it, open it, correct it, keep it as files, take it back.",
    subcommands: [List.self, Open.self, Edit.self, Delete.self, Export.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List highlights, newest first.")

    @Option(help: "How many at most. (default: 20)", transform: ArgumentNumber.whole(1...1000))
    var limit = 20

    @Option(help: "How many of the newest to leave out. (default: 0)", transform: ArgumentNumber.whole(0 ... .max))
    var offset = 0

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let session = try await ShareSession(try EngineEnvironment(), report: output.notes)
      // One more than is shown, to know whether there are more.
      let found = try await session.use { try await session.api.highlights(limit: limit + 1, offset: offset) }
      let highlights = found.prefix(limit)
      for highlight in highlights {
        if output.json { Console.writeJSON(highlight) } else { Console.write(HighlightText.line(highlight) + "\n") }
      }
      if found.count > limit, !output.quiet {
        Console.note(
          "there are more highlights: --offset \(offset + limit) shows the next ones, --limit shows more at once")
      }
      if highlights.isEmpty, !output.json, !output.quiet { Console.writeError("Nothing is shared yet.\n") }
    }
  }

  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show one highlight: its facts and where it can be watched.",
      discussion: """
        EXAMPLES:
          bsc highlights open 3f2a
          bsc highlights open 3f2a --web      in the browser
        """)

    @Argument(help: "The highlight's id, or its beginning.", completion: Completions.highlights)
    var id: String

    @Flag(name: .shortAndLong, help: "Open it in the browser.")
    var web = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let session = try await ShareSession(try EngineEnvironment(), report: output.notes)
      let (highlight, links) = try await session.use {
        let highlight = try await HighlightFinder(api: session.api).find(id)
        if web { try await show(highlight, session.link) }
        return (highlight, try await session.link.links(to: highlight))
      }
      if output.json {
        Console.writeJSON(OpenDocument(highlight, links))
      } else {
        var lines = [HighlightText.line(highlight)]
        lines += HighlightText.facts(highlight, ofMux: session.link.name == BackendKind.mux.rawValue)
        func add(_ label: String, _ value: String) { lines.append(.fact(label, StyledText(value))) }
        let isLocal = session.link.name == BackendKind.local.rawValue
        if isLocal, let page = links.page { add("page", "\(page) (while bsc serve runs)") }
        if !isLocal, let thumbnail = links.thumbnail { add("thumbnail", thumbnail) }
        if let animated = links.animated { add("animated", animated) }
        add("watch", links.watch)
        if !isLocal, links.watch != links.video { add("stream", links.video) }
        for video in (links.videos ?? []).dropFirst() { add("and", video) }
        Console.write(lines.lines)
      }
    }

    private func show(_ highlight: Highlight, _ link: BackendConnection) async throws {
      let id = highlight.id.uuidString.lowercased()
      guard let address = try await link.browserAddress(of: highlight) else {
        throw CommandFailure(.highlightNotServed, ["highlight": id])
      }
      guard !Browser.open(address) else { return }
      Console.note("there is no browser to open here; the addresses are below")
    }
  }
}

/// A highlight and where to see it, as JSON.
struct OpenDocument: Encodable {
  var schema = "bsc.highlight/1"
  var highlight: Highlight
  var watch: String
  var pageURL: String?
  var videoURL: String
  /// Of a post of several rallies, in order.
  var videoURLs: [String]?
  var thumbnailURL: String?
  var animatedURL: String?

  init(_ highlight: Highlight, _ links: HighlightLinks) {
    self.highlight = highlight
    watch = links.watch
    pageURL = links.page
    videoURL = links.video
    videoURLs = links.videos
    thumbnailURL = links.thumbnail
    animatedURL = links.animated
  }
}

/// A highlight on one line.
enum HighlightText {
  static func line(_ highlight: Highlight) -> StyledText {
    let id = highlight.id.uuidString.lowercased()
    let rest = [
      LocalTime.text(highlight.createdAt), highlight.duration.map { "\(decimal($0)) s" },
      highlight.privacy == .everyone ? nil : highlight.privacy.rawValue,
      highlight.videoURLs.map { "\($0.count) videos" },
      highlight.caption.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") },
    ].compactMap { $0 }
    return "\(id, .strong)  \(rest.joined(separator: "  ").onOneLine)"
  }

  /// What else people decided about it.
  /// - Parameter isMux: it is a video only, and whoever has its address can watch.
  static func facts(_ highlight: Highlight, ofMux isMux: Bool) -> [StyledText] {
    var facts: [StyledText] = []
    func add(_ label: String, _ value: String) { facts.append(.fact(label, StyledText(value.onOneLine))) }
    if !highlight.tags.isEmpty { add("tags", highlight.tags.joined(separator: ", ")) }
    if !isMux {
      add("privacy", highlight.privacy.rawValue)
      add("likes", highlight.hideLikes ? "hidden" : "shown")
    }
    return facts
  }
}
