public import ArgumentParser
import Foundation
import ShareEngine
public import Social

extension SocialCommands {
  struct PollCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "poll", abstract: "Show a highlight's poll, or vote", subcommands: [Show.self, Vote.self])

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a highlight's poll")

      @OptionGroup var argument: HighlightArgument
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let poll = try await SocialCommands.withSession(output) {
          try await PollCommands.poll(of: argument.highlight, $0)
        }
        output.write(RowDocument("poll", poll), text: SocialText.details(poll).lines)
      }
    }

    struct Vote: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "vote", abstract: "Vote in a highlight's poll; a later vote replaces an earlier one")

      @OptionGroup var argument: HighlightArgument

      @Argument(help: "Number of the option, starting at 1.", transform: NumericArgument.wholeNumberParser(1...100))
      var option: Int

      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let poll = try await SocialCommands.withSession(output) { session in
          let poll = try await PollCommands.poll(of: argument.highlight, session)
          guard poll.options.indices.contains(option - 1) else {
            throw CommandFailure(.noPollOption, ["option": "\(option)", "count": "\(poll.options.count)"])
          }
          try await session.client.vote(for: poll.options[option - 1].id, in: poll.id)
          return try await PollCommands.poll(of: argument.highlight, session)
        }
        output.write(RowDocument("poll", poll), text: SocialText.details(poll).lines)
      }
    }

    private static func poll(of highlight: String, _ session: SocialSession) async throws -> Poll {
      let item = try await session.client.highlight(try await session.highlightID(highlight))
      guard let poll = item?.poll else { throw SocialError.notFound(operation: "read the poll") }
      return poll
    }
  }

  struct React: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "react", abstract: "React to a comment with an emoji",
      discussion: """
        EXAMPLES:
          bsc social react 2b9d4a2e-… 🔥
          bsc social react 2b9d4a2e-… 🔥 --remove
        """)

    @Argument(help: "Comment ID.", transform: IDArgument.parse) var comment: UUID

    @Argument(help: "One of \(CommentReaction.allCases.map(\.rawValue).joined(separator: " ")).")
    var emoji: CommentReaction

    @Flag(help: "Remove your reaction.") var remove = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.withSession(output) { session in
        try await session.client.setReaction(emoji, to: comment, isOn: !remove)
        output.writeOutcome(.performed, ActionDocument(remove ? .removeReaction : .react, id: comment))
      }
    }
  }
}

extension CommentReaction: ExpressibleByArgument {}
