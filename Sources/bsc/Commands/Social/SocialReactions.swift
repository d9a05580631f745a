import ArgumentParser
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct Like: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "like", abstract: "Like a highlight")

    @OptionGroup var argument: HighlightArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try await SocialCommands.setLike(argument.highlight, true, output) }
  }

  struct Unlike: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unlike", abstract: "Remove your like of a highlight")

    @OptionGroup var argument: HighlightArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try await SocialCommands.setLike(argument.highlight, false, output) }
  }

  private static func setLike(_ highlight: String, _ isLiked: Bool, _ output: OutputOptions) async throws {
    try await withSession(output) { session in
      let id = try await session.highlightID(highlight)
      let outcome = try await session.perform(.setLike(highlight: id, isLiked: isLiked))
      output.writeOutcome(outcome, ActionDocument(isLiked ? .like : .unlike, id: id))
    }
  }
}
