import ArgumentParser
import ClipMedia
import ClipModel
import Foundation
import ShareEngine

struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check clips and their rally metadata; findings set the exit code.",
    discussion: """
      EXAMPLES:
        bsc validate clip.mp4
        bsc validate season/            every video in the folder
        bsc validate --json season/ > findings.jsonl

      Exit codes: 0 nothing wrong, 4 findings, 3 some files could not be judged.
      """)

  @Argument(help: "Clips, or folders of clips.", completion: .file())
  var paths: [String]

  @OptionGroup(title: "Rally") var rally: RallyOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let request = ShareRequest(metadata: rally.request)
    let folders = try [MediaFolder](paths, to: "validate")
    let files = folders.flatMap(\.files)
    let lost = folders.flatMap(\.lost)
    var tally = Tally()
    let code = try await EachInput.run(files, lost: lost, named: \.self, asJSON: output.json) { file in
      tally.looked += 1
      let path = absolutePath(file)
      let probe = try await Prober.probe(path: path)
      let outcome = try SharePlan.make(path: path, probe: probe, request: request)
      show(ValidationDocument(file: file, outcome: outcome))
      tally.judged += 1
      guard outcome.plan == nil else { return nil }
      tally.refused += 1
      return .rejected
    }
    if files.count > 1, !output.quiet { Console.writeError(tally.text) }
    try ExitStatusError.end(with: code)
  }

  private struct Tally {
    var looked = 0
    var judged = 0
    var refused = 0

    var text: String {
      "\(looked) files: \(judged - refused) fit, \(refused) refused"
        + (looked > judged ? ", \(looked - judged) could not be judged" : "") + "\n"
    }
  }

  private func show(_ document: ValidationDocument) {
    if output.json { return Console.writeJSON(document) }
    guard !output.quiet || document.verdict == "fail" else { return }
    Console.write("\(document.verdict == "pass" ? "✓" : "✗") \(document.file)\n")
    for finding in document.findings { Console.write(FindingText.line(finding) + "\n") }
  }
}

struct ValidationDocument: Encodable {
  var schema = "bsc.validate/1"
  var file: String
  /// `pass` or `fail`.
  var verdict: String
  var findings: [Finding]

  init(file: String, outcome: SharePlan.Outcome) {
    self.file = file
    verdict = outcome.plan == nil ? "fail" : "pass"
    findings = outcome.findings
  }
}
