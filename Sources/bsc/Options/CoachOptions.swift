#if Recruiting
import ArgumentParser
import ClipModel
import Recruiting
import ShareEngine

/// Options for sending a shared highlight to coaches.
struct CoachOptions: ParsableArguments {
  @Option(
    name: .customLong("coach"),
    help: ArgumentHelp(
      "For athletes: create a link to the highlight for this coach, as \"bsc recruiting send\" does. Can be repeated.",
      valueName: "name-or-id"))
  var coaches: [String] = []

  @Option(help: "How you send the links: email, dm, tweet or text. (default: email)")
  var via: HighlightLink.Channel?

  @Option(help: FamilyOptions.help)
  var family: String?

  static let example = "\n  bsc share clip.mp4 --coach \"Ann Lee\""

  static let defaultChannel = HighlightLink.Channel.email

  func validate() throws {
    if coaches.isEmpty, via != nil || family != nil {
      throw ValidationError("--via and --family require --coach.")
    }
  }

  /// Adds the coaches to the request.
  /// - Returns: the coaches' names.
  /// - Throws: the error with which sending would fail, before any work is done.
  func addRecipients(
    to request: inout ShareRunRequest, _ environment: EngineEnvironment, _ output: OutputOptions
  ) async throws -> [String] {
    if coaches.isEmpty { return [] }
    let session = try RecruitingSession(
      environment, signIn: .promptOnTerminal(Reporter(output), for: "use your account"))
    let found = try await session.runAndClose {
      try await session.recipients(named: coaches, in: family, by: via ?? Self.defaultChannel)
    }
    request.clipRequest.recipients = found.recipients
    return found.coaches.map(\.fullName)
  }
}
#else
import ArgumentParser
import ShareEngine

/// Without recruiting, highlights are not sent to coaches.
struct CoachOptions: ParsableArguments {
  static let example = ""

  func addRecipients(to request: inout ShareRunRequest, _: EngineEnvironment, _: OutputOptions) async throws -> [String]
  {
    []
  }
}
#endif
