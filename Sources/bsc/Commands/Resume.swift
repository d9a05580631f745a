import ArgumentParser
import ClipModel
import ShareEngine
import Social

struct Resume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume interrupted shares, and send waiting likes, comments and follows",
    discussion: """
      EXAMPLES:
        bsc resume              all unfinished jobs
        bsc resume 3f2a         one job, and the other clips of its highlight
        bsc resume --watch      waits for the network until all jobs are finished
      """)

  @Argument(help: "Job IDs or unique ID prefixes. (default: all unfinished jobs)", completion: Completions.jobs)
  var jobs: [String] = []

  @Flag(help: "Wait for the network and retry until all jobs are finished.")
  var watch = false

  @OptionGroup(title: "Network") var parallel: ParallelUploadOptions
  @OptionGroup(title: "Network") var pacing: PacingOptions
  @OptionGroup(title: "Network") var transfer: NetworkOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let environment = try EngineEnvironment(flags: transfer.flags + parallel.flags)
    let reporter = Reporter(output, isMany: jobs.count != 1)
    let session = try await ShareSession(
      environment, limitsRate: pacing.isPaced, signIn: .promptOnTerminal(reporter)
    ) { reporter.showActivity($0) }
    let outcome = try await session.runAndClose { try await session.resume(jobs, watches: watch) }
    let sent = jobs.isEmpty ? try await SocialCommands.sendWaitingActions(environment, output) : nil
    if outcome == nil, sent == nil, !output.quiet { Console.writeError("Nothing to resume.\n") }
    if let outcome {
      // With --watch, the totals would include failures that were retried.
      if !watch { reporter.summarize() }
      try ExitStatusError.throwIfFailed(with: outcome)
    }
    if let failure = sent?.failure { throw failure }
    if let sent, sent.refusedCount > 0 { try ExitStatusError.throwIfFailed(with: .rejected) }
  }
}
