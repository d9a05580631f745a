#if Recruiting
public import ArgumentParser
import ClipModel
import Foundation
public import Recruiting
import ShareEngine

struct RecruitingCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recruiting", abstract: "Follow college coaches and log every contact with them",
    discussion: """
      EXAMPLES:
        bsc recruiting family create "Silva"
        bsc recruiting coaches import coaches.csv
        bsc recruiting interactions add email outbound --coach "Ann Lee" --subject "Introduction"

      Everything belongs to a family: its members see the same schools, coaches and posts.
      """,
    subcommands: [
      Family.self, Schools.self, Coaches.self, Interactions.self, Posts.self, Sync.self, Analytics.self, Send.self,
      Links.self,
    ])

  /// Runs `body` with a session that asks the user to sign in when necessary.
  static func withSession<Value>(
    _ output: OutputOptions, _ body: (RecruitingSession) async throws -> Value
  ) async throws -> Value {
    let session = try RecruitingSession(
      try EngineEnvironment(), signIn: .promptOnTerminal(Reporter(output, isMany: false), for: "use your account"))
    return try await session.runAndClose { try await body(session) }
  }

  /// Runs `body` with the family that the options select.
  static func withFamily<Value>(
    _ family: FamilyOptions, _ output: OutputOptions,
    _ body: (RecruitingSession, FamilyUnit) async throws -> Value
  ) async throws -> Value {
    try await withSession(output) { try await body($0, try await $0.family(family.family)) }
  }
}

/// The family that a command is about.
struct FamilyOptions: ParsableArguments {
  static let help: ArgumentHelp = "Name or ID of the family. (default: the active family)"

  @Option(help: Self.help)
  var family: String?
}

/// The format of a list.
struct TableOptions: ParsableArguments {
  @Flag(help: "Print the list as CSV.")
  var csv = false
}

/// Whether a command changes something without asking.
struct ConfirmationOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Don't ask for confirmation.")
  var force = false

  /// - Throws: `CommandFailure` if the question can't be asked.
  func confirm(_ question: StyledText, _ subject: String) throws -> Bool {
    if force { return true }
    guard Console.isInputTerminal else { throw CommandFailure(.recruitingUnconfirmed, ["subject": subject]) }
    return Console.confirm(question)
  }
}

extension OutputOptions {
  /// Fails if a list can't have both formats.
  func check(_ table: TableOptions) throws {
    if table.csv, json { throw ValidationError("--csv and --json cannot be combined.") }
  }
}

/// Times on the command line, in the local time zone unless the text contains one.
enum TimeArgument {
  static var zone: RecruitingTimeZone { RecruitingTimeZone(.current) }

  static func parse(_ text: String) throws -> Date { try zone.time(text) }
}

extension FamilyRole: ExpressibleByArgument {}
extension InteractionType: ExpressibleByArgument {}
extension PostSentiment: ExpressibleByArgument {}
extension SocialPlatform: ExpressibleByArgument {}
#endif
