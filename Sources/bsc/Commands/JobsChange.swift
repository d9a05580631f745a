import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

extension Jobs {
  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take back jobs that are not finished: nothing of them is registered, the clips stay.",
      discussion: "A clip of a post of several (--together) takes the whole post with it.")

    @Argument(help: "Beginnings of job ids.", completion: Completions.jobs)
    var jobs: [String]

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let surroundings = try EngineEnvironment()
      let session = try await ShareSession(surroundings, report: output.notes)
      let registry = JobRegistry(journal: session.journal, places: surroundings.places)
      let code = try await session.use {
        try await InputRunner.run(jobs, named: \.self, asJSON: output.json) { prefix in
          let cancelled = try await registry.cancel(prefix) { job, upload in
            try session.requireBackend(of: job, to: "cancel")
            try await session.api.cancelUpload(upload)
          }
          for job in cancelled {
            let row = JobDocument(job, registry: registry)
            let place = job.post.map { ", clip \($0.part + 1) of \($0.count)" } ?? ""
            if output.json {
              Console.writeJSON(row)
            } else if !output.quiet {
              Console.write("cancelled \(row.id)\(place)\n")
            }
          }
          return nil
        }
      }
      try ExitStatusError.end(with: code)
    }
  }

  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget jobs: what they made so far is removed, the clips stay.")

    @Argument(help: "Beginnings of job ids.", completion: Completions.jobs)
    var jobs: [String]

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let registry = try await Jobs.registry(try EngineEnvironment().places)
      let code = try await InputRunner.run(jobs, named: \.self, asJSON: output.json) { prefix in
        let id = try await registry.forget(prefix).uuidString.lowercased()
        if !output.quiet, !output.json { Console.write("forgot \(id)\n") }
        return nil
      }
      try ExitStatusError.end(with: code)
    }
  }

  struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove jobs that are over, and what was left behind of others.",
      discussion: """
        EXAMPLES:
          bsc jobs prune
          bsc jobs prune --days 0 -n

        Highlights stay; what goes is this machine's memory of them. A clip whose job is gone is not known to be \
        shared any more: sharing it again makes a second highlight.
        """)

    @Option(
      help: "Only those that ended so many days ago. (default: 30)", transform: ArgumentNumber.whole(0...36_500))
    var days = 30

    @Flag(name: [.customShort("n"), .long], help: "Tell what would go, and stop.")
    var dryRun = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let registry = try await Jobs.registry(try EngineEnvironment().places)
      let removed = try await registry.prune(age: Int64(days) * 86_400, isDry: dryRun)
      if output.json {
        Console.writeJSON(PruneDocument(jobCount: removed.jobCount, byteCount: removed.byteCount, isDryRun: dryRun))
      } else if !output.quiet {
        let verb = dryRun ? "would remove" : "removed"
        Console.write("\(verb) \(removed.jobCount.counting("job")), \(ByteCount.text(removed.byteCount))\n")
      }
    }
  }
}

private struct PruneDocument: Encodable {
  var schema = "bsc.jobs-prune/1"
  var jobCount: Int
  var byteCount: Int64
  var isDryRun: Bool
}
