import ArgumentParser
import ClipModel
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct CommentCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "comment", abstract: "Add, list, delete and like comments",
      subcommands: [Add.self, List.self, Delete.self, Like.self, Unlike.self])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a comment",
        discussion: """
          EXAMPLES:
            bsc social comment add 3f2a "Great dig @ana"

          Mentioned people are notified.
          """)

      @OptionGroup var argument: HighlightArgument

      @Argument(help: "The text, at most 500 characters.")
      var text: String

      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        try await SocialCommands.withSession(output) { session in
          let (id, highlight) = (UUID(), try await session.highlightID(argument.highlight))
          let outcome = try await session.perform(.addComment(id: id, highlight: highlight, text: text))
          output.writeOutcome(outcome, ActionDocument(.comment, id: id))
        }
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the comments of a highlight, newest first")

      @OptionGroup var argument: HighlightArgument
      @OptionGroup var list: ListOptions
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let comments = try await SocialCommands.withSession(output) { session in
          try await session.client.comments(
            of: try await session.highlightID(argument.highlight), limit: list.limit, offset: list.offset)
        }
        output.writeList(comments, none: "No comments.") { (RowDocument("comment", $0), SocialText.line($0)) }
      }
    }

    struct Delete: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete your comment")

      @Argument(help: "Comment ID.", transform: IDArgument.parse) var comment: UUID
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        try await SocialCommands.withSession(output) { session in
          let outcome = try await session.perform(.deleteComment(id: comment))
          output.writeOutcome(outcome, ActionDocument(.deleteComment, id: comment))
        }
      }
    }

    struct Like: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "like", abstract: "Like a comment")

      @Argument(help: "Comment ID.", transform: IDArgument.parse) var comment: UUID
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws { try await setLike(comment, true, output) }
    }

    struct Unlike: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "unlike", abstract: "Remove your like of a comment")

      @Argument(help: "Comment ID.", transform: IDArgument.parse) var comment: UUID
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws { try await setLike(comment, false, output) }
    }

    private static func setLike(_ comment: UUID, _ isLiked: Bool, _ output: OutputOptions) async throws {
      try await SocialCommands.withSession(output) { session in
        let outcome = try await session.perform(.setCommentLike(comment: comment, isLiked: isLiked))
        output.writeOutcome(outcome, ActionDocument(isLiked ? .likeComment : .unlikeComment, id: comment))
      }
    }
  }
}
