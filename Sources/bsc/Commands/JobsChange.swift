import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

extension Jobs {
  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cancel", abstract: "Cancel unfinished jobs; the clips are kept",
      discussion: "If several clips are shared as one highlight (--together), all of their jobs are canceled.")

    @OptionGroup var selection: JobSelection
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let session = try await ShareSession(try EngineEnvironment(), report: output.notes)
      try await session.runAndClose {
        try await InputRunner.run(selection.jobs, named: \.self, asJSON: output.json) { prefix in
          for job in try await session.cancel(prefix) {
            let part = job.post.map { ", clip \($0.part + 1) of \($0.count)" } ?? ""
            output.write(job, text: "canceled \(job.id)\(part)\n")
          }
          return nil
        }
      }
    }
  }

  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget", abstract: "Remove jobs and their temporary files; the clips are kept")

    @OptionGroup var selection: JobSelection
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let selected = try await JobRegistry.forgetJobs(selection.jobs, in: try EngineEnvironment().places)
      try await InputRunner.run(selected, named: \.prefix, asJSON: output.json) { entry in
        let id = try entry.result.get().uuidString.lowercased()
        if !output.quiet, !output.json { Console.write("removed \(id)\n") }
        return nil
      }
    }
  }

  struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prune", abstract: "Remove finished jobs and leftover files",
      discussion: """
        EXAMPLES:
          bsc jobs prune
          bsc jobs prune --days 0 -n

        The highlights are kept, but bsc no longer recognizes their clips as shared, so sharing such a clip again \
        creates a second highlight.
        """)

    @Option(
      help: "Remove only jobs that ended at least this many days ago. (default: 30)",
      transform: NumericArgument.wholeNumberParser(0...36_500))
    var days = 30

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be removed.")
    var dryRun = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let removed = try await JobRegistry.pruneJobs(
        age: Int64(days) * 86_400, isDry: dryRun, in: try EngineEnvironment().places)
      let verb = dryRun ? "would remove" : "removed"
      output.write(
        PruneDocument(jobCount: removed.jobCount, byteCount: removed.byteCount, isDryRun: dryRun),
        text: "\(verb) \(removed.jobCount.withNoun("job")), \(ByteCount.text(removed.byteCount))\n")
    }
  }
}

private struct PruneDocument: Encodable {
  var schema = "bsc.jobs-prune/1"
  var jobCount: Int
  var byteCount: Int64
  var isDryRun: Bool
}
