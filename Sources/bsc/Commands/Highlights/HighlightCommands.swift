import ArgumentParser
import ClipModel
import Foundation
import Highlights
import Reports
import ShareEngine

struct HighlightCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "highlights", abstract: "List, open, edit, trim, delete and export highlights",
    subcommands: [List.self, Open.self, Edit.self, Trim.self, Delete.self, Export.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List highlights, newest first")

    @Option(
      help: "Maximum number of highlights to list. (default: 20)",
      transform: NumericArgument.wholeNumberParser(1...1000))
    var limit = 20

    @Option(
      help: "Number of most recent highlights to skip. (default: 0)",
      transform: NumericArgument.wholeNumberParser(0 ... .max))
    var offset = 0

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      // Requests one highlight more than the limit, to detect whether there are more.
      let found = try await HighlightCommands.withSession(output) { session in
        try await session.backend.highlights(limit: limit + 1, offset: offset)
      }
      for highlight in found.prefix(limit) {
        if output.json {
          Console.writeJSON(highlight)
        } else {
          Console.write(HighlightText.formatLine(highlight) + "\n")
        }
      }
      if found.count > limit {
        output.writeNote(
          "there are more highlights; use --offset \(offset + limit) to list the next ones, or --limit to list more")
      }
      if found.isEmpty { output.writeRemark("No highlights.") }
    }
  }

  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "open", abstract: "Show a highlight and its URLs",
      discussion: """
        EXAMPLES:
          bsc highlights open 3f2a
          bsc highlights open 3f2a --web      opens the browser
        """)

    @Argument(help: "Highlight ID or unique ID prefix.", completion: Completions.highlights)
    var id: String

    @Flag(name: .shortAndLong, help: "Open the highlight in the browser.")
    var web = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await HighlightCommands.withSession(output) { session in
        let highlight = try await session.backend.findHighlight(id)
        if web {
          switch try await session.connection.browserURL(of: highlight) {
          case let address?:
            if !Browser.open(address) {
              Console.writeNote("no browser was found on this machine; open one of the URLs below")
            }
          case nil where session.connection.kind == .local:
            throw CommandFailure(.highlightNotServed, ["highlight": highlight.id.uuidString.lowercased()])
          case nil: Console.writeNote("the video has no URL yet")
          }
        }
        let links = try await session.connection.links(to: highlight)
        if output.json { return Console.writeJSON(HighlightDocument(highlight, links)) }
        Console.write(HighlightText.formatDetails(highlight, links, backend: session.connection.kind).lines)
      }
    }
  }
}

/// A highlight and its URLs, as JSON.
struct HighlightDocument: Encodable {
  var schema = "bsc.highlight/1"
  var highlight: Highlight
  var watch: String
  var pageURL: String?
  /// Missing while the backend changes who can watch the video.
  var videoURL: String?
  /// The URLs of all videos, in order, if the highlight has several clips.
  var videoURLs: [String]?
  var thumbnailURL: String?
  var animatedURL: String?

  init(_ highlight: Highlight, _ links: HighlightLinks) {
    self.highlight = highlight
    (watch, pageURL) = (links.watchText(highlight), links.page)
    (videoURL, videoURLs) = (links.video, links.videos)
    (thumbnailURL, animatedURL) = (links.thumbnail, links.animated)
  }
}

extension HighlightLinks {
  /// The URL or the command that opens the highlight. Pages without a watch URL need the local backend's server.
  func watchText(_ highlight: Highlight) -> String {
    let id = highlight.id.uuidString.lowercased()
    return watch ?? (page == nil ? "bsc highlights open \(id)" : "bsc serve --open \(id)")
  }
}

/// Formats highlights as text.
enum HighlightText {
  static func formatLine(_ highlight: Highlight) -> StyledText {
    let details = [
      LocalTime.format(highlight.createdAt), highlight.duration.map { "\(decimal($0)) s" },
      highlight.privacy == .everyone ? nil : highlight.privacy.rawValue,
      highlight.videoURLs.map { "\($0.count) videos" },
      highlight.caption.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") },
    ].compactMap(\.self)
    return "\(highlight.id.uuidString.lowercased(), .strong)  \(details.joined(separator: "  ").onOneLine)"
  }

  /// - Parameter backend: the highlight's backend. The `mux` backend has only a video, which anyone with the link can
  ///   watch.
  static func formatDetails(_ highlight: Highlight, _ links: HighlightLinks, backend: BackendKind) -> [StyledText] {
    let (isMux, isLocal) = (backend == .mux, backend == .local)
    let facts: [(String, String?)] = [
      ("tags", highlight.tags.isEmpty ? nil : highlight.tags.joined(separator: ", ").onOneLine),
      ("privacy", isMux ? nil : highlight.privacy.rawValue),
      ("likes", isMux ? nil : highlight.hideLikes ? "hidden" : "shown"),
      ("page", isLocal ? links.page.map { "\($0) (while bsc serve is running)" } : nil),
      ("thumbnail", isLocal ? nil : links.thumbnail), ("animated", links.animated),
      ("watch", links.watchText(highlight)),
      ("stream", isLocal || links.watch == links.video ? nil : links.video),
    ]
    let videos = (links.videos ?? []).dropFirst().map { ("and", Optional($0)) }
    return [formatLine(highlight)]
      + (facts + videos).compactMap { label, value in value.map { .labeledLine(label, StyledText($0)) } }
  }
}
