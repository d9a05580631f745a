import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check clips and their rally metadata",
    discussion: """
      EXAMPLES:
        bsc validate clip.mp4
        bsc validate season/                      all videos in the folder
        bsc validate season/ --format junit > report.xml
        bsc validate season/ --report sarif=bsc.sarif --report junit=bsc.xml
        bsc validate clip.mp4 --rules published --fail-on warning
        bsc validate clip.mp4 --deep              decodes everything
        bsc validate --explain clip.duration

      Applies rules for clips, containers, privacy and rally metadata, and Mux's rules for video that it streams \
      without transcoding. A .bsc.toml file can change a rule's severity and limits:

        [rules."clip.duration"]
        max = 90
        severity = "warning"

      Exit codes: 0 no findings at or above --fail-on; 4 findings at or above it; 3 some files could not be checked.
      """)

  @Argument(help: "Clips, or folders of clips.", completion: .file())
  var paths: [String] = []

  @Option(help: "Report format: text, json, jsonl, junit, sarif, github or tap. (default: text)")
  var format: ReportKind?

  @Option(
    name: .customLong("report"), help: "Also write a report to a file, for example junit=FILE. Can be repeated.",
    transform: ReportFile<ReportKind>.parse)
  var reports: [ReportFile<ReportKind>] = []

  @Option(name: .customLong("rules"), help: RuleSelection.help)
  var ruleSelections: [RuleSelection] = []

  @Option(help: "Lowest severity that counts as a failure: info, warning or error.")
  var failOn: Finding.Severity = .error

  @Option(
    name: .shortAndLong, help: "Maximum number of files to check in parallel. (default: the number of CPU cores)",
    transform: NumericArgument.wholeNumberParser(1...64))
  var jobs: Int?

  @Option(
    help: "Time limit for each file, in seconds. (default: 60, or 3600 with --deep)",
    transform: NumericArgument.decimalParser(0.1...86_400, of: "seconds"))
  var timeout: Double?

  @Flag(help: "Decode the first frame, the last frame and some frames in between.")
  var decode = false

  @Flag(help: "Decode everything, and show the position of each error.")
  var deep = false

  @Flag(help: "List all rules.")
  var listRules = false

  @Option(help: "Explain a rule.", completion: Completions.rules)
  var explain: String?

  @OptionGroup(title: "Rally") var rally: RallySelection
  @OptionGroup(title: "Rally") var metadata: MetadataOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if explain == nil, !listRules, paths.isEmpty { throw ValidationError("no clip or folder was specified.") }
    if output.json, let format, format != .jsonl { throw ValidationError("--json requires --format jsonl.") }
  }

  /// Converts the command-line options to a request.
  func makeRequest(_ environment: EngineEnvironment) -> ValidationBatch {
    let validator = Validator(
      evaluator: RuleSelection.makeEvaluator(ruleSelections, settings: environment.configuration.rules),
      metadata: metadata.makeRequest(rally),
      depth: deep ? .everything : decode ? .frames : .samples)
    return ValidationBatch(
      validator: validator, timeout: .seconds(timeout ?? (deep ? 3600 : 60)),
      jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  func run() async throws {
    if let explain { return try RuleText.explainRule(explain) }
    if listRules { return RuleText.listRules(asJSON: output.json) }
    let environment = try EngineEnvironment()
    let batch = makeRequest(environment)
    noteChangedRules(environment.configuration)
    let folders = try [MediaFolder](paths, to: "validate")
    let lost = folders.flatMap(\.unreadable)
    var writers = ReportWriters(kinds: kinds, files: reports, terms: terms)
    for explanation in lost.map(\.explanation) {
      try writers.add(ValidationResult(file: explanation.facts["file"] ?? "", failure: explanation))
    }
    if let skipped = folders.skippedSummary, !output.quiet { Console.writeError(skipped + "\n") }
    // The user can specify both a clip and its folder.
    var seen: Set<String> = []
    let files = folders.flatMap(\.files).filter { seen.insert(absolutePath($0)).inserted }
    let inputs = files.map(absolutePath)
    try ReportFile.validateTargets(
      reports, inputs: inputs + inputs.map { ($0 as NSString).deletingPathExtension + ".json" })
    let progress = FileProgress(output.progressMode, stage: "checking", finalStep: "done")
    defer { progress.end() }
    progress.begin(paths.count == 1 ? AddressRedaction.redactPath(paths[0]) : paths.count.withNoun("input"))
    var (failures, checkedCount) = (lost.map(\.explanation.category), 0)
    for try await result in batch.validateFiles(files) {
      try progress.withProgressHidden { try writers.add(result.withAdvice) }
      checkedCount += 1
      progress.update(checkedCount, of: files.count)
      if let failure = result.failure?.category ?? (result.fails(on: failOn) ? .rejected : nil) {
        failures.append(failure)
      }
    }
    // A canceled stream ends without an error, but the report is incomplete.
    try Task.checkCancellation()
    progress.end()
    try writers.end()
    try ExitStatusError.throwIfFailed(with: RunOutcome(count: files.count + lost.count, failures: failures))
  }

  /// Prints a note about changed rules, because clips that pass here may then fail elsewhere.
  private func noteChangedRules(_ configuration: Configuration) {
    let changed = configuration.ruleEntries
    guard !changed.isEmpty else { return }
    let rules = changed.map { "\($0.key) \($0.value ?? "") (\($0.summary))" }.joined(separator: ", ")
    output.writeNote(
      "rules changed by \(Set(changed.map(\.origin)).sorted().joined(separator: " and ")): \(rules)".printable)
  }

  /// The kinds of reports on stdout. In GitHub workflows, annotations are added to the text report.
  private var kinds: [ReportKind] {
    if output.json { return [.jsonl] }
    if let format { return [format] }
    return ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" ? [.text, .github] : [.text]
  }

  private var terms: ReportOptions {
    ReportOptions(
      rules: RuleCatalog.rules.map(\.withAdvice), threshold: failOn, version: BSC.configuration.version,
      isQuiet: output.quiet)
  }
}

extension ValidationResult {
  /// The result with advice in all findings. Commands in the advice name the file.
  fileprivate var withAdvice: ValidationResult {
    var result = self
    result.findings = findings.map { $0.withAdvice(clip: quoteForShell(file)) }
    return result
  }
}
