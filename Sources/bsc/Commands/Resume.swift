import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

struct Resume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finish what was interrupted; nothing is lost or posted twice.",
    discussion: """
      EXAMPLES:
        bsc resume              every unfinished job
        bsc resume 3f2a         the job whose id begins like this, and the other clips of its post
        bsc resume --watch      wait for the network, and go on until nothing is left
      """)

  @Argument(
    help: "Beginnings of job ids; all unfinished jobs when none is given.", completion: Completions.jobs)
  var jobs: [String] = []

  @Flag(help: "When the network is away, wait for it and go on.")
  var watch = false

  @OptionGroup(title: "Network") var parallel: ShareJobFlags
  @OptionGroup(title: "Network") var pacing: PaceFlags
  @OptionGroup(title: "Network") var transfer: TransferFlags

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let environment = try EngineEnvironment(flags: transfer.flags + parallel.flags)
    let reporter = Reporter(output, isMany: jobs.count != 1)
    var session = try await ShareSession(environment, signIn: .onTerminal(reporter)) { reporter.show($0) }
    session.pace(pacing.isPaced)
    let outcome = try await session.use { [session] in try await session.resume(jobs, watches: watch) }
    guard let outcome else {
      if !output.quiet { Console.writeError("Nothing to resume.\n") }
      return
    }
    // A watching run fails more often than it counts.
    if !watch { reporter.summarize() }
    try ExitStatusError.end(with: ExitStatus.code(for: outcome))
  }
}
