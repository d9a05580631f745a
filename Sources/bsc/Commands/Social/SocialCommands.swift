import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine
import Social

struct SocialCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "social", abstract: "Watch, like, comment and follow",
    discussion: """
      EXAMPLES:
        bsc social feed --discover
        bsc social like 3f2a
        bsc social comment add 3f2a "Great dig @ana"
        bsc social follow ana

      Likes, comments and follows wait in a queue if the backend can't be reached. bsc resume sends them. bsc account \
      deletes, restores or exports your account.
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Highlights",
        subcommands: [
          Feed.self, Show.self, Search.self, Like.self, Unlike.self, CommentCommands.self, React.self,
          PollCommands.self,
        ]),
      CommandGroup(
        name: "People",
        subcommands: [
          ProfileCommands.self, Suggestions.self, Follow.self, Unfollow.self,
          FollowListCommand<FollowersList>.self, FollowListCommand<FollowingList>.self, Requests.self,
          PersonCommand<AcceptRequest>.self, PersonCommand<RefuseRequest>.self, PersonCommand<RemoveFollower>.self,
          PersonCommand<BlockPerson>.self, Unblock.self, PersonCommand<MutePerson>.self,
          PersonCommand<UnmutePerson>.self, List.self,
        ]),
      CommandGroup(
        name: "Account",
        subcommands: [
          Notifications.self, Analytics.self, Settings.self, Report.self, Withdraw.self, Moderate.self,
        ]),
    ])

  /// Runs `body` with a session that prints its notes and the actions of earlier runs that were refused.
  static func withSession<Value>(_ output: OutputOptions, _ body: (SocialSession) async throws -> Value) async throws
    -> Value
  {
    let session = try SocialSession(
      try EngineEnvironment(), signIn: .promptOnTerminal(Reporter(output, isMany: false), for: "use your account")
    ) { _, error in
      ErrorOutput.write(error.explanation, asJSON: output.json)
    }
    return try await session.runAndClose { try await body(session) }
  }
}

extension SocialCommands {
  /// Sends the actions of earlier runs and prints the result.
  /// - Returns: the result, or `nil` if no action waited.
  static func sendWaitingActions(
    _ environment: EngineEnvironment, _ output: OutputOptions
  ) async throws -> OfflineQueue.SendResult? {
    guard SocialSession.hasQueue(environment) else { return nil }
    return try await withSession(output) { session in
      guard let (result, waitingCount) = try await session.sendWaitingActions() else { return nil }
      output.write(
        QueueDocument(sent: result.sentCount, refused: result.refusedCount, waiting: waitingCount),
        text: SocialText.queue(result, waitingCount: waitingCount))
      return result
    }
  }
}

/// Where a list starts and how long it is.
struct ListOptions: ParsableArguments {
  @Option(help: "Maximum number of entries. (default: 20)", transform: NumericArgument.wholeNumberParser(1...100))
  var limit = 20

  @Option(
    help: "Number of entries to skip. (default: 0)", transform: NumericArgument.wholeNumberParser(0...100_000))
  var offset = 0
}

/// The argument of commands about a highlight.
struct HighlightArgument: ParsableArguments {
  @Argument(help: "Highlight ID or unique ID prefix.", completion: Completions.highlights)
  var highlight: String
}

/// The argument of commands about a person.
struct PersonArgument: ParsableArguments {
  @Argument(help: "Username, with or without @, or account ID.")
  var person: String
}

/// Parses IDs of comments, which can't be abbreviated.
enum IDArgument {
  static func parse(_ text: String) throws -> UUID {
    guard let id = UUID(uuidString: text) else {
      throw ArgumentFault(
        value: text, why: "it is not an ID", next: "enter the complete ID")
    }
    return id
  }
}
