import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

extension HighlightCommands {
  struct Trim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim", abstract: "Shorten a highlight to a part of its video",
      discussion: """
        The highlight keeps its ID, likes and comments. The rest of the video is deleted from the backend.

        EXAMPLES:
          bsc highlights trim 3f2a --from 2.5 --to 9
        """)

    @Argument(help: "Highlight ID or unique ID prefix.", completion: Completions.highlights)
    var id: String

    @Option(help: "Start time, for example 2.5 or 0:02.5. (default: the start)", transform: ClockTime.parse)
    var from: ClockTime?

    @Option(help: "End time, for example 9 or 0:09. (default: the end)", transform: ClockTime.parse)
    var to: ClockTime?

    @Flag(name: .shortAndLong, help: "Trim the highlight without asking for confirmation.")
    var force = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      if from == nil, to == nil { throw ValidationError("nothing to trim; specify --from, --to or both.") }
      if let from, let to, to.seconds <= from.seconds { throw ValidationError("--to must be after --from.") }
    }

    func run() async throws {
      try await HighlightCommands.withSession(output) { session in
        let known = try await session.backend.findHighlight(id)
        let name = known.id.uuidString.lowercased()
        let start = from?.seconds ?? 0
        let duration = known.duration ?? .infinity
        // The last frame can end after the stored duration, so backends accept 0.2 s more.
        guard let end = to?.seconds ?? known.duration, end > start, end <= duration + 0.2 else {
          throw CommandFailure(.trimOutside, ["highlight": name])
        }
        guard RallyLimits.allows(seconds: end - start) else {
          let limits = RallyLimits.seconds
          throw CommandFailure(
            .trimLength,
            [
              "highlight": name, "seconds": decimal(end - start), "least": decimal(limits.lowerBound),
              "most": decimal(limits.upperBound),
            ])
        }
        if !force {
          guard Console.isInputTerminal else { throw CommandFailure(.trimUnconfirmed, ["highlight": name]) }
          guard
            Console.confirm(
              "Trim \(HighlightText.formatLine(known)) to \(decimal(end - start)) s? This cannot be undone.")
          else { return Console.writeError("Not trimmed.\n") }
        }
        guard let trimmed = try await session.backend.trimHighlight(known.id, to: start..<end) else {
          throw HighlightCommands.makeNotYoursError(known.id, "trim")
        }
        let links = try await session.connection.links(to: trimmed)
        output.write(HighlightDocument(trimmed, links), text: "trimmed \(HighlightText.formatLine(trimmed))\n")
      }
    }
  }
}
