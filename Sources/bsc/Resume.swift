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
        bsc resume 3f2a         the job whose id begins like this
      """)

  @Argument(help: "Beginnings of job ids; all unfinished jobs when none is given.")
  var jobs: [String] = []

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let surroundings = try Surroundings()
    let reporter = Reporter(style: output.progress, isQuiet: output.quiet)
    let session = try await ShareSession(surroundings) { reporter.take($0) }
    let code = try await session.use {
      let desk = JobDesk(journal: session.journal, places: surroundings.places)
      let waiting = try await desk.unfinished(named: jobs)
      if waiting.isEmpty, !output.quiet { Console.writeError("Nothing to resume.\n") }
      return try await EachInput.run(
        waiting, named: \.source.path, asJSON: output.json, beforeError: reporter.endLine
      ) { job in
        try await session.finish(
          job, isContinued: true, input: job.source.path, reporter: reporter, asJSON: output.json)
      }
    }
    try ExitStatusError.end(with: code)
  }
}
