import ArgumentParser
import ClipModel
import Foundation

@main
struct BSC: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bsc",
    abstract: "Share volleyball rallies without location data",
    discussion: """
      EXAMPLES:
        bsc share clip.mp4 --caption "Match point #spike"
        bsc cut match.mov -o rallies/
        bsc compress season/ -o small/
        bsc strip clip.mp4
        bsc validate season/
        bsc resume
      """,
    version: PackageVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Share",
        subcommands: [Share.self, Resume.self, Jobs.self, UploadCommand.self, HighlightCommands.self, Serve.self]),
      CommandGroup(name: "Community", subcommands: community),
      CommandGroup(name: "Create", subcommands: [Cut.self, Compress.self, Thumbs.self, BatchCommand.self]),
      CommandGroup(name: "Inspect", subcommands: [Probe.self, Plan.self, Validate.self]),
      CommandGroup(name: "Privacy", subcommands: [Audit.self, Strip.self]),
      CommandGroup(
        name: "Setup", subcommands: [Login.self, Logout.self, WhoAmI.self, Account.self, Config.self, Doctor.self]),
    ])

  #if Recruiting
  private static let community: [any ParsableCommand.Type] = [SocialCommands.self, RecruitingCommands.self]
  #else
  private static let community: [any ParsableCommand.Type] = [SocialCommands.self]
  #endif

  static func main() async {
    // If SIGPIPE is ignored, writing to a closed pipe returns an error, so that the terminal can be restored.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    // For `help` with an unknown command, the parser would show bsc's own help instead of an error.
    if arguments.first == "help", let unknown = UsageErrors.detectUnknownCommand(arguments) {
      ErrorOutput.write(unknown, asJSON: false)
      Foundation.exit(ExitStatus.usage)
    }
    let work = Task {
      var command = try await asyncParseAsRoot(arguments)
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    }
    let signals = SignalHandler { work.cancel() }
    do {
      try await work.value
    } catch  where exitCode(for: error) == .success {
      // The user requested help or the version.
      exit(withError: error)
    } catch {
      Foundation.exit(reportError(error, arguments, signalStatus: signals.exitStatus))
    }
  }

  /// Prints the error that ended the command.
  /// - Returns: the exit code.
  private static func reportError(_ error: any Error, _ arguments: [String], signalStatus: Int32?) -> Int32 {
    var code: Int32?
    var explanations: [Explanation]
    switch error {
    case is CancellationError:
      code = signalStatus ?? ExitStatus.interrupted
      explanations = [Explanation(.interrupted, ["command": arguments.first ?? ""])]
    case let status as ExitStatusError:
      code = status.code
      explanations = Console.hasWritten ? [] : [Explanation(.noMessage, ["status": "\(status.code)"])]
    case let error as any ExplainedError: explanations = error.explanations.map { $0.withPathsAsEntered(in: arguments) }
    case _ where exitCode(for: error).rawValue == ExitStatus.usage:
      explanations = [UsageErrors.explain(arguments, error)]
    default: explanations = [Explanation(.unexpected, ["reason": "\(error)"])]
    }
    for explanation in explanations {
      ErrorOutput.write(explanation, asJSON: arguments.contains("--json"), exitCode: code)
    }
    return code ?? ExitStatus.exitCode(for: explanations[0].category)
  }
}
