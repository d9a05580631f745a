import ArgumentParser
import ClipModel
import Foundation

@main
struct BSC: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bsc",
    abstract: "Turn a volleyball rally into a highlight: no location, small, uploaded, registered.",
    discussion: """
      EXAMPLES:
        bsc share clip.mp4 --caption "Match point #spike"
        bsc cut match.mov -o rallies/
        bsc compress season/ -o small/
        bsc strip clip.mp4
        bsc validate season/
        bsc resume
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Share",
        subcommands: [Share.self, Resume.self, Jobs.self, UploadCommand.self, HighlightCommands.self, Serve.self]),
      CommandGroup(name: "Make", subcommands: [Cut.self, Compress.self, Thumbs.self, BatchCommand.self]),
      CommandGroup(name: "Look", subcommands: [Probe.self, Plan.self, Validate.self]),
      CommandGroup(name: "Protect", subcommands: [Audit.self, Strip.self]),
      CommandGroup(
        name: "Set up", subcommands: [Login.self, Logout.self, WhoAmI.self, Account.self, Config.self, Doctor.self]),
    ])

  static func main() async {
    // A reader that leaves is an error of writing, behind which the terminal is put in order.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    let isJSON = arguments.contains("--json")
    if arguments.first == "help", let unknown = UsageErrors.unknownCommand(arguments) {
      // The parser would show the help of everything instead.
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
    let signals = SignalWatch { work.cancel() }
    do {
      try await work.value
    } catch is CancellationError {
      let status = signals.exitStatus ?? ExitStatus.interrupted
      ErrorOutput.write(
        Explanation(.interrupted, ["command": arguments.first ?? ""]), asJSON: isJSON, exitCode: status)
      Foundation.exit(status)
    } catch let status as ExitStatusError {
      if !Console.hasWritten { ErrorOutput.write(missingMessage(status.code), asJSON: isJSON, exitCode: status.code) }
      Foundation.exit(status.code)
    } catch let error as any ExplainedError {
      for explanation in error.explanations {
        ErrorOutput.write(explanation.naming(asIn: arguments), asJSON: isJSON)
      }
      Foundation.exit(ExitStatus.code(for: error.explanation.category))
    } catch  where exitCode(for: error) == .success {
      // Help and version.
      exit(withError: error)
    } catch  where exitCode(for: error).rawValue == ExitStatus.usage {
      ErrorOutput.write(UsageErrors.explanation(arguments, message: message(for: error)), asJSON: isJSON)
      Foundation.exit(ExitStatus.usage)
    } catch {
      ErrorOutput.write(
        Explanation(.unexpected, ["reason": "\(error)"]), asJSON: isJSON)
      Foundation.exit(ExitStatus.code(for: .unexpected))
    }
  }

  /// The message of a command that ends with a failure and printed nothing.
  private static func missingMessage(_ code: Int32) -> Explanation {
    Explanation(.noMessage, ["status": "\(code)"])
  }
}
