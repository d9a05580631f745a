import ArgumentParser
import ClipModel
import Reports
import ShareEngine

struct Jobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "List and manage running and interrupted shares",
    discussion: """
      EXAMPLES:
        bsc jobs                lists unfinished jobs
        bsc jobs show 3f2a      shows the details of a job
        bsc jobs cancel 3f2a    cancels a job
        bsc jobs prune          removes old finished jobs
      """,
    subcommands: [List.self, Show.self, Cancel.self, Forget.self, Prune.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List jobs, oldest first")

    @Flag(help: "Include finished and rejected jobs.")
    var all = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let list = try await JobList.load(try EngineEnvironment(), includesDone: all)
      if !list.jobs.isEmpty, !output.json, Console.isOutputTerminal {
        Console.write("\(JobSummary.heading, .faint)\n" as StyledText)
      }
      for job in list.jobs {
        if output.json { Console.writeJSON(job) } else { Console.write(job.line + "\n") }
      }
      if !output.json {
        for error in list.otherBackends {
          output.writeNote(error.explanation.why + (error.explanation.next.map { "; \($0)" } ?? ""))
        }
      }
      for error in list.damage { ErrorOutput.write(error.explanation, asJSON: output.json) }
      if list.jobs.isEmpty, list.damage.isEmpty { output.writeRemark("No unfinished jobs.") }
      try ExitStatusError.throwIfFailed(with: list.damage.first?.explanation.category)
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show job details")

    @OptionGroup var selection: JobSelection
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let environment = try EngineEnvironment()
      let selected = try await JobRegistry.loadSummaries(selection.jobs, in: environment.places)
      try await InputRunner.run(selected, named: \.prefix, asJSON: output.json) { entry in
        guard let job = try entry.result.get() else { return nil }
        let details = job.formatDetails(currentBackend: environment.configuration.backend.value.rawValue)
        if output.json { Console.writeJSON(job) } else { Console.write(details.lines) }
        return nil
      }
    }
  }
}

struct JobSelection: ParsableArguments {
  @Argument(help: "Job IDs or unique ID prefixes.", completion: Completions.jobs)
  var jobs: [String]
}
