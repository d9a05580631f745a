public import ArgumentParser
import ClipModel
import Foundation
import ShareEngine
public import Social

/// The content that a command is about.
struct TargetArguments: ParsableArguments {
  @Argument(help: "Kind of content: highlight, comment or person.") var kind: ContentKind
  @Argument(help: "Highlight ID or unique prefix, comment ID, or username.") var target: String

  func resolve(_ session: SocialSession) async throws -> ContentTarget {
    switch kind {
    case .highlight: ContentTarget(kind: .highlight, id: try await session.highlightID(target))
    case .comment: ContentTarget(kind: .comment, id: try IDArgument.parse(target))
    case .person: ContentTarget(kind: .profile, id: try await session.personID(target))
    }
  }

  func validate() throws {
    if kind == .comment { _ = try IDArgument.parse(target) }
  }
}

enum ContentKind: String, CaseIterable, ExpressibleByArgument {
  case highlight, comment, person
}

extension ReportReason: ExpressibleByArgument {}
extension ModerationAction: ExpressibleByArgument {
  /// The command `moderate lift` ends a restriction, because it is about a person instead of content.
  private static var decisions: [ModerationAction] { allCases.filter { $0 != .lift } }

  public static var allValueStrings: [String] { decisions.map(\.rawValue) }

  public init?(argument: String) {
    guard let decision = Self.decisions.first(where: { $0.rawValue == argument }) else { return nil }
    self = decision
  }
}

extension SocialCommands {
  struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "report", abstract: "Report a highlight, comment or person to the moderators",
      discussion: """
        EXAMPLES:
          bsc social report highlight 3f2a --reason not_sports
          bsc social report person ben --reason harassment --note "Insults in three comments"
        """)

    @OptionGroup var target: TargetArguments

    @Option(help: "Reason: \(ReportReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: ReportReason

    @Option(help: "Description for the moderators, at most 1000 characters.") var note: String?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let report = try await SocialCommands.withSession(output) { session in
        try await session.client.report(try await target.resolve(session), for: reason, description: note)
      }
      output.write(
        RowDocument("report", report),
        text: """
          reported; to withdraw the report: bsc social withdraw \(report.id.uuidString.lowercased())

          """)
    }
  }

  struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "withdraw", abstract: "Withdraw a report that wasn't reviewed yet")

    @Argument(help: "Report ID.", transform: IDArgument.parse) var report: UUID
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.withSession(output) { session in
        try await session.client.withdrawReport(report)
        output.writeOutcome(.performed, ActionDocument(.withdrawReport, id: report))
      }
    }
  }

  struct Moderate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "moderate", abstract: "Review reported content, for moderators",
      subcommands: [Queue.self, Open.self, Act.self, Lift.self])

    struct Queue: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "List the content that waits for a decision, oldest first")

      @OptionGroup var list: ListOptions
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let items = try await SocialCommands.withSession(output) {
          try await $0.client.moderationQueue(limit: list.limit, offset: list.offset)
        }
        output.writeList(items, none: "Nothing to review.") {
          (RowDocument("case", key: "item", $0), SocialText.line($0))
        }
      }
    }

    struct Open: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Show the URLs of a reported highlight's videos",
        discussion: """
          Moderators can watch a reported highlight that isn't public until the report is decided. Its URLs expire after \
          at most five minutes.

          EXAMPLES:
            bsc social moderate open 2b9d4a2e-…
          """)

      @Argument(help: "Highlight ID.", transform: IDArgument.parse) var highlight: UUID
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let playback = try await SocialCommands.withSession(output) { session -> HighlightPlayback in
          guard let found = try await session.client.playback(of: [highlight]).first else {
            throw SocialError.notFound(operation: "open the highlight")
          }
          return found
        }
        output.write(RowDocument("playback", playback), text: SocialText.details(playback).lines)
      }
    }

    struct Act: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Decide about content",
        discussion: """
          EXAMPLES:
            bsc social moderate act remove comment 2b9d4a2e-… --reason "Insult"
            bsc social moderate act dismiss highlight 3f2a --reason "Volleyball"

          dismiss is not an offense; remove, warn and restrict are. The first offense within 90 days is a warning, \
          later ones restrict the account.
          """)

      @Argument(help: "Decision: dismiss, remove, warn or restrict.") var decision: ModerationAction
      @OptionGroup var target: TargetArguments
      @Option(help: "Reason, which is shown to the person.") var reason: String
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        try await Moderate.decide(decision, reason, output) { try await target.resolve($0) }
      }
    }

    struct Lift: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "End the restriction of a person's account")

      @OptionGroup var argument: PersonArgument
      @Option(help: "Reason, which is shown to the person.") var reason: String
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        try await Moderate.decide(.lift, reason, output) {
          ContentTarget(kind: .profile, id: try await $0.personID(argument.person))
        }
      }
    }

    private static func decide(
      _ action: ModerationAction, _ reason: String, _ output: OutputOptions,
      of target: (SocialSession) async throws -> ContentTarget
    ) async throws {
      let outcome = try await SocialCommands.withSession(output) { session in
        try await session.client.moderate(try await target(session), action, reason: reason)
      }
      let until = outcome.until.map { " until \(LocalTime.format($0))" } ?? ""
      output.write(RowDocument("decision", key: "outcome", outcome), text: "decided: \(outcome.action)\(until)\n")
    }
  }
}
