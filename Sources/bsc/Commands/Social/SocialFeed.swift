import ArgumentParser
import ClipModel
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct Feed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "feed", abstract: "List highlights",
      discussion: """
        EXAMPLES:
          bsc social feed                  all highlights that you can see, newest first
          bsc social feed --following      of people whom you follow
          bsc social feed --tag spike
          bsc social feed --person ana

        Without a connection, the command prints the highlights that it printed last.
        """)

    @Flag(help: "Highlights of people whom you follow.")
    var following = false

    @Flag(help: "Popular highlights of the last 30 days.")
    var discover = false

    @Flag(help: "Highlights liked by people who like the same highlights as you.")
    var forYou = false

    @Option(help: "Highlights with this tag.")
    var tag: String?

    @Option(help: "Highlights of this person.")
    var person: String?

    @Option(help: "Maximum number of highlights. (default: 20)", transform: NumericArgument.wholeNumberParser(1...100))
    var limit = 20

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      let count = [following, discover, forYou, tag != nil, person != nil].count { $0 }
      if count > 1 {
        throw ValidationError("--following, --discover, --for-you, --tag and --person cannot be combined.")
      }
    }

    private func kind(_ session: SocialSession) async throws -> FeedKind {
      if let tag { return .tag(tag.hasPrefix("#") ? String(tag.dropFirst()) : tag) }
      if let person { return .author(try await session.personID(person)) }
      return following ? .following : discover ? .discover : forYou ? .forYou : .newest
    }

    func run() async throws {
      let (page, cachedAt) = try await SocialCommands.withSession(output) { session in
        let (kind, client) = (try await kind(session), session.client)
        return try await session.load(.feed(kind)) { try await client.feed(kind, limit: limit, after: nil) }
      }
      if let cachedAt {
        output.writeNote("the backend can't be reached; this is the list of \(LocalTime.format(cachedAt))")
      }
      output.writeList(page.items, none: "No highlights.") { (FeedItemDocument(highlight: $0), SocialText.line($0)) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a highlight with its comments")

    @OptionGroup var argument: HighlightArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (item, comments) = try await SocialCommands.withSession(output) { session in
        let id = try await session.highlightID(argument.highlight)
        guard let item = try await session.client.highlight(id) else {
          throw SocialError.notFound(operation: "show the highlight")
        }
        return (item, try await session.client.comments(of: id, limit: 20, offset: 0))
      }
      output.writeEntry(
        FeedItemDocument(highlight: item, comments: comments),
        text: SocialText.details(item) + comments.map(SocialText.line))
    }
  }
}
