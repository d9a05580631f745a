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

  /// Between two looks for the network.
  private static let shortestPause = Duration.seconds(5)
  private static let longestPause = Duration.seconds(60)

  func run() async throws {
    let surroundings = try CommandEnvironment(flags: transfer.flags + parallel.flags)
    let asJSON = output.json
    let reporter = Reporter(output.progressMode, isMany: jobs.count != 1)
    var opened = try await ShareSession(
      surroundings, signIn: .onTerminal(reporter), notice: reporter.notice(isQuiet: output.quiet)
    ) { reporter.take($0) }
    opened.pace(pacing.choice)
    let session = opened
    let tell = reporter.tell(asJSON: asJSON)
    let code = try await session.use {
      let registry = JobRegistry(journal: session.journal, places: surroundings.places)
      let damaged = try await session.journal.entries().damage
      for error in damaged { tell(error.explanation, "") }
      var waiting = try await registry.unfinished(named: jobs)
      var foreign: [OtherBackendJobs] = []
      if jobs.isEmpty {
        foreign = OtherBackendJobs.groups(of: waiting, settings: surroundings.configuration)
        for group in foreign { tell(group.explanation, "") }
        waiting.removeAll { job in foreign.contains { $0.backend == job.backend } }
      }
      if waiting.isEmpty, foreign.isEmpty, !output.quiet { Console.writeError("Nothing to resume.\n") }
      let wanted = Set(waiting.map(\.id))
      var pause = Self.shortestPause
      while true {
        let units = try await ShareUnit.all(of: waiting, in: session.journal)
        let code = try await session.run(
          units, failed: damaged.map(\.explanation.category), reporter: reporter, asJSON: asJSON)
        // A job that another process holds may be left by it unfinished.
        guard watch, [.remote, .locked].map(ExitStatus.code(for:)).contains(code) else {
          return foreign.isEmpty ? code : ExitStatus.worse(code, ExitStatus.code(for: .notConfigured))
        }
        let left = try await registry.unfinished(named: []).filter { wanted.contains($0.id) }
        // Whoever got further need not wait as long the next time.
        pause = left.count < waiting.count ? Self.shortestPause : min(pause * 2, Self.longestPause)
        waiting = left
        if !output.quiet { Console.writeError("Waiting for the network; trying again in \(Int(pause.seconds)) s.\n") }
        try await registry.expectRetry(of: left, at: Int64(Date().timeIntervalSince1970 + pause.seconds))
        try await Task.sleep(for: pause)
      }
    }
    // Who watches has failed more often than it counts.
    if !watch { reporter.summarize() }
    try ExitStatusError.end(with: code)
  }
}
