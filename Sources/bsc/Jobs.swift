import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

struct Jobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What is under way or was interrupted.",
    subcommands: [List.self, Forget.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List jobs, oldest first.")

    @Flag(help: "Finished and refused ones too.")
    var all = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let places = try Surroundings().places
      let desk = JobDesk(journal: try await Journal.open(places), places: places)
      let jobs = try await desk.journal.readable().filter { all || desk.isWaiting($0) }
      for job in jobs {
        let row = JobDocument(job)
        if output.json { Console.writeJSON(row) } else { Console.write(row.text) }
      }
      if jobs.isEmpty, !output.json, !output.quiet { Console.writeError("No unfinished jobs.\n") }
    }
  }

  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget jobs: what they made so far is removed, the clips stay.")

    @Argument(help: "Beginnings of job ids.")
    var jobs: [String]

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let places = try Surroundings().places
      let desk = JobDesk(journal: try await Journal.open(places), places: places)
      let code = try await EachInput.run(jobs, named: \.self, asJSON: output.json) { prefix in
        let id = try await desk.forget(prefix).uuidString.lowercased()
        if !output.quiet, !output.json { Console.write("forgot \(id)\n") }
        return nil
      }
      try ExitStatusError.end(with: code)
    }
  }
}

/// A job as a row.
private struct JobDocument: Encodable {
  var schema = "bsc.job/1"
  var id: String
  var state: String
  var backend: String
  var source: String
  /// Unix seconds.
  var updatedAt: Int64

  init(_ job: ShareJob) {
    id = job.id.uuidString.lowercased()
    state = job.stage.name
    backend = job.backend
    source = job.source.path
    updatedAt = job.updatedAt
  }

  var text: String {
    let date = Date(timeIntervalSince1970: Double(updatedAt)).formatted(.iso8601)
    return "\(id)  \(state.padded(11))\(date)  \(source)\n"
  }
}
