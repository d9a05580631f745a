import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

struct BatchUndo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Put back what \"compress --replace\" replaced.",
    discussion: """
      EXAMPLES:
        bsc batch undo season/

      The sources come back from season/.bsc/trash, and the results that took their places go. A result that \
      was changed since stays.
      """)

  @Argument(help: "The folder that was compressed.", completion: .directory)
  var folder: String

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func run() async throws {
    let root = URL(filePath: absolutePath(folder)).resolvingSymlinksInPath().path(percentEncoded: false)
    let place = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    guard Ledger.exists(in: place, kind: .beside) else {
      throw UsageFailure(
        what: "cannot undo in \(folder)", why: "no batch replaced anything there",
        next: "name the folder that was given to bsc compress --replace")
    }
    var (restored, left) = (0, 0)
    try await Undo.run(root: place) { name, outcome in
      switch outcome {
      case .restored:
        restored += 1
        if !reporting.quiet, !reporting.json { Console.write("✓ \(name) is back\n") }
      case .left(let why):
        left += 1
        Console.writeError(Console.printable("warning: \(name): \(why)\n"))
      }
    }
    if reporting.json { Console.writeJSON(UndoDocument(restored: restored, left: left)) }
    if !reporting.quiet { Console.writeError("\(restored) restored" + (left > 0 ? ", \(left) left\n" : "\n")) }
    if left > 0 { throw ExitStatusError(code: ExitStatus.code(for: .unjudged)) }
  }
}

private struct UndoDocument: Encodable {
  var schema = "bsc.undo/1"
  var restored: Int
  var left: Int
}
