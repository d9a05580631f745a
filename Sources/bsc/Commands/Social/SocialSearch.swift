import ArgumentParser
import ClipModel
import ShareEngine
import Social

extension SocialCommands {
  struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search", abstract: "Find people, tags, teams and highlights",
      discussion: """
        EXAMPLES:
          bsc social search ana
          bsc social search "match point" --in highlights
        """)

    enum Kind: String, CaseIterable, ExpressibleByArgument {
      case people, tags, teams, highlights
    }

    @Argument(help: "Text to find.") var query: String

    @Option(help: "What to find: people, tags, teams or highlights. (default: all)") var `in`: Kind?

    @Option(
      help: "Maximum number of entries of each kind. (default: 10)",
      transform: NumericArgument.wholeNumberParser(1...100))
    var limit = 10

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let count = try await SocialCommands.withSession(output) { session in
        var count = 0
        for kind in `in`.map({ [$0] }) ?? Kind.allCases { count += try await search(kind, session.client) }
        return count
      }
      if count == 0 { output.writeRemark("Nothing found.") }
    }

    /// Prints the entries of one kind and returns their number.
    private func search(_ kind: Kind, _ client: any SocialClient) async throws -> Int {
      switch kind {
      case .people:
        let people = try await client.searchPeople(query, limit: limit)
        output.writeProfiles(people)
        return people.count
      case .tags, .teams:
        let labels =
          kind == .tags
          ? try await client.searchTags(query, limit: limit) : try await client.searchTeams(query, limit: limit)
        output.writeList(labels) { label in
          let document = LabelDocument(kind: kind == .tags ? "tag" : "team", label: label)
          return (document, SocialText.line(document))
        }
        return labels.count
      case .highlights:
        let items = try await client.feed(.search(query), limit: limit, after: nil).items
        output.writeList(items) { (FeedItemDocument(highlight: $0), SocialText.line($0)) }
        return items.count
      }
    }
  }

  struct Suggestions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "suggestions", abstract: "List people whom you may want to follow")

    @Option(help: "Maximum number of people. (default: 20)", transform: NumericArgument.wholeNumberParser(1...100))
    var limit = 20

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let people = try await SocialCommands.withSession(output) { try await $0.client.followSuggestions(limit: limit) }
      output.writeProfiles(people, none: "No suggestions.")
    }
  }
}
