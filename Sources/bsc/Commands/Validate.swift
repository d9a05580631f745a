import ArgumentParser
import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check clips and their rally metadata; findings set the exit code.",
    discussion: """
      EXAMPLES:
        bsc validate clip.mp4
        bsc validate season/                      every video in the folder
        bsc validate season/ --format junit > report.xml
        bsc validate season/ --report sarif=bsc.sarif --report junit=bsc.xml
        bsc validate clip.mp4 --rules published --fail-on warning
        bsc validate clip.mp4 --deep              decodes everything
        bsc validate --explain clip.duration

      Asked are the rules for clips, containers, privacy, rally metadata, and Mux's \
      standard input of today. .bsc.toml turns rules off, grades or bounds them:

        [rules."clip.duration"]
        max = 90
        severity = "warning"

      Exit codes: 0 nothing wrong, 4 findings, 3 some files could not be judged.
      """)

  @Argument(help: "Clips, or folders of clips.", completion: .file())
  var paths: [String] = []

  @Option(help: "text, json, jsonl, junit, sarif, github or tap. (default: text)")
  var format: ReportKind?

  @Option(
    name: .customLong("report"), help: "A further report in a file, as junit=FILE. Repeat it for several.",
    transform: ReportFile.read)
  var reports: [ReportFile] = []

  @Option(name: .customLong("rules"), help: RuleChoice.help)
  var ruleChoices: [RuleChoice] = []

  @Option(help: "Findings of at least this severity fail: info, warning or error.")
  var failOn: Finding.Severity = .error

  @Option(
    name: .shortAndLong, help: "Files that are judged at once. (default: one a core)",
    transform: ArgumentNumber.whole(1...64))
  var jobs: Int?

  @Option(
    help: "Seconds that one file may take. (default: 60, with --deep 3600)",
    transform: ArgumentNumber.decimal(0.1...86_400, of: "seconds"))
  var timeout: Double?

  @Flag(help: "Decode the first frame, the last one and some between.")
  var decode = false

  @Flag(help: "Decode everything, and tell where each error is.")
  var deep = false

  @Flag(help: "List all rules and stop.")
  var listRules = false

  @Option(help: "Print what a rule is, why, and where it comes from, and stop.", completion: Completions.rules)
  var explain: String?

  @OptionGroup(title: "Rally") var rally: RallyOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if explain == nil, !listRules, paths.isEmpty { throw ValidationError("Name a clip or a folder.") }
    if output.json, let format, format != .jsonl { throw ValidationError("--json means --format jsonl.") }
  }

  func run() async throws {
    if let explain { return try RuleText.explain(explain) }
    if listRules { return RuleText.list(asJSON: output.json) }
    let surroundings = try EngineEnvironment()
    let validator = Validator(
      judge: RuleChoice.judge(ruleChoices, settings: surroundings.configuration.rules), metadata: rally.request,
      depth: deep ? .everything : decode ? .frames : .samples)
    if !output.quiet, let note = Self.note(on: surroundings.configuration) {
      Console.writeError("note: \(note)\n".printable)
    }
    let folders = try [MediaFolder](paths, to: "validate")
    var writers = ReportWriters(kinds: kinds, files: reports, terms: terms)
    var failures: [FailureCategory] = []
    for error in folders.flatMap(\.lost) {
      failures.append(error.explanation.category)
      let explanation = error.explanation
      try writers.add(Judgement(file: explanation.facts["file"] ?? "", failure: explanation))
    }
    if let leftAside = folders.leftAside, !output.quiet { Console.writeError(leftAside + "\n") }
    // A clip that is named by itself and by its folder is one clip.
    var seen: Set<String> = []
    let files = folders.flatMap(\.files).filter { seen.insert(absolutePath($0)).inserted }
    try ReportWriters.check(reports, against: files)
    let batch = ValidationBatch(validator: validator, timeout: .seconds(timeout ?? (deep ? 3600 : 60)))
    let progress = FileProgress(output.progressMode, stage: "judging", whenWritten: "done")
    defer { progress.end() }
    progress.begin(paths.count == 1 ? Address.shown(paths[0]) : paths.count.counting("place"))
    var judgedCount = 0
    for try await judgement in batch.judgements(of: files, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount) {
      try progress.interrupting { try writers.add(judgement) }
      judgedCount += 1
      progress.move(judgedCount, of: files.count)
      if let failure = judgement.failure {
        failures.append(failure.category)
      } else if judgement.fails(on: failOn) {
        failures.append(.rejected)
      }
    }
    // A stream ends like a finished one when its task is cancelled: half a report must not look whole.
    try Task.checkCancellation()
    progress.end()
    try writers.end()
    let isAlone = files.count + folders.flatMap(\.lost).count == 1
    try ExitStatusError.end(
      with: isAlone ? failures.first.map(ExitStatus.code(for:)) ?? 0 : ExitStatus.code(forAll: failures))
  }

  /// Which rules a file has made other ones: a clip that passes here may be refused elsewhere.
  private static func note(on configuration: Configuration) -> String? {
    let changed = configuration.ruleEntries
    guard !changed.isEmpty else { return nil }
    let rules = changed.map { "\($0.key) \($0.value ?? "") (\($0.summary))" }
    let files = Set(changed.map(\.origin)).sorted()
    let note = "not the usual rules: \(rules.joined(separator: ", ")), by \(files.joined(separator: " and "))"
    return note
  }

  /// On stdout. Inside of a GitHub workflow its annotations come with the text.
  private var kinds: [ReportKind] {
    if output.json { return [.jsonl] }
    if let format { return [format] }
    let isWorkflow = ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true"
    return isWorkflow ? [.text, .github] : [.text]
  }

  private var terms: ReportTerms {
    ReportTerms(
      rules: RuleCatalog.rules, threshold: failOn, version: BSC.configuration.version, isQuiet: output.quiet)
  }
}
