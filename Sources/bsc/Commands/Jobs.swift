import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

struct Jobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What is under way or was interrupted.",
    discussion: """
      EXAMPLES:
        bsc jobs                what is not finished
        bsc jobs show 3f2a      all that is known of one
        bsc jobs cancel 3f2a    take it back
        bsc jobs prune          remove those that are over
      """,
    subcommands: [List.self, Show.self, Cancel.self, Forget.self, Prune.self], defaultSubcommand: List.self)

  static func registry(_ places: Places) async throws -> JobRegistry {
    JobRegistry(journal: try await Journal.open(places), places: places)
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List jobs, oldest first.")

    @Flag(help: "Finished and refused ones too.")
    var all = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let surroundings = try EngineEnvironment()
      let registry = try await Jobs.registry(surroundings.places)
      let (entries, damage) = try await registry.journal.entries()
      let jobs = entries.filter { all || registry.isWaiting($0) }
      if !jobs.isEmpty, !output.json, Console.isOutputTerminal {
        Console.write("\(JobDocument.heading, .faint)\n" as StyledText)
      }
      for job in jobs {
        let row = JobDocument(job, registry: registry)
        if output.json { Console.writeJSON(row) } else { Console.write(row.line + "\n") }
      }
      if !output.json, !output.quiet {
        for group in OtherBackendJobs.groups(of: jobs.filter(registry.isWaiting), settings: surroundings.configuration)
        {
          Console.writeError("note: \(group.note)\n")
        }
      }
      for error in damage { ErrorOutput.write(error.explanation, asJSON: output.json) }
      if let error = damage.first { try ExitStatusError.end(with: ExitStatus.code(for: error.explanation.category)) }
      if jobs.isEmpty, !output.json, !output.quiet { Console.writeError("No unfinished jobs.\n") }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Tell all that is known of jobs.")

    @Argument(help: "Beginnings of job ids.", completion: Completions.jobs)
    var jobs: [String]

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let surroundings = try EngineEnvironment()
      let registry = try await Jobs.registry(surroundings.places)
      let code = try await InputRunner.run(jobs, named: \.self, asJSON: output.json) { prefix in
        let id = try await registry.identifier(prefix, to: "show")
        guard let job = try await registry.journal.load(id) else { return nil }
        let row = JobDocument(job, registry: registry)
        let settings = surroundings.configuration.backend.value.rawValue
        if output.json {
          Console.writeJSON(row)
        } else {
          Console.write(row.details(settingsOf: settings).lines)
        }
        return nil
      }
      try ExitStatusError.end(with: code)
    }
  }
}
