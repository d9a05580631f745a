public import ArgumentParser
import ClipMedia
public import ClipModel
import DurableFiles
import Foundation
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

  @Option(name: .customLong("report"), help: "A further report in a file, as junit=FILE. Repeat it for several.")
  var reports: [ReportFile] = []

  @Option(name: .customLong("rules"), help: RuleChoice.help)
  var ruleChoices: [RuleChoice] = []

  @Option(help: "Findings of at least this severity fail: info, warning or error.")
  var failOn: Finding.Severity = .error

  @Option(name: .shortAndLong, help: "Files that are judged at once. (default: one a core)")
  var jobs: Int?

  @Option(help: "Seconds that one file may take. (default: 60, with --deep 3600)")
  var timeout: Double?

  @Flag(help: "Decode the first frame, the last one and some between.")
  var decode = false

  @Flag(help: "Decode everything, and tell where each error is.")
  var deep = false

  @Flag(help: "List all rules and stop.")
  var listRules = false

  @Option(help: "Print what a rule is, why, and where it comes from, and stop.")
  var explain: String?

  @OptionGroup(title: "Rally") var rally: RallyOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if explain == nil, !listRules, paths.isEmpty { throw ValidationError("Name a clip or a folder.") }
    if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs is from 1 to 64.") }
    if let timeout, !(0.1...86_400).contains(timeout) {
      throw ValidationError("--timeout is from 0.1 to 86400 seconds.")
    }
    if output.json, let format, format != .jsonl { throw ValidationError("--json means --format jsonl.") }
  }

  func run() async throws {
    if let explain { return try RuleText.explain(explain) }
    if listRules { return RuleText.list(asJSON: output.json) }
    let surroundings = try Surroundings()
    let validator = Validator(
      judge: RuleChoice.judge(ruleChoices, settings: surroundings.configuration.rules), metadata: rally.request,
      depth: deep ? .everything : decode ? .frames : .samples)
    let folders = try [MediaFolder](paths, to: "validate")
    var writers = ReportWriters(kinds: kinds, files: reports, terms: terms)
    var failures: [FailureCategory] = []
    for error in folders.flatMap(\.lost) {
      failures.append(error.explanation.category)
      let name = error.explanation.what.replacing("cannot read ", with: "", maxReplacements: 1)
      try writers.add(Judgement(file: name, failure: error.explanation))
    }
    let files = folders.flatMap(\.files)
    try ReportWriters.check(reports, against: files)
    let batch = ValidationBatch(validator: validator, timeout: .seconds(timeout ?? (deep ? 3600 : 60)))
    for try await judgement in batch.judgements(of: files, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount) {
      try writers.add(judgement)
      if let failure = judgement.failure {
        failures.append(failure.category)
      } else if judgement.fails(on: failOn) {
        failures.append(.rejected)
      }
    }
    // A stream ends like a finished one when its task is cancelled: half a report must not look whole.
    try Task.checkCancellation()
    try writers.end()
    let isAlone = files.count + folders.flatMap(\.lost).count == 1
    try ExitStatusError.end(
      with: isAlone ? failures.first.map(ExitStatus.code(for:)) ?? 0 : ExitStatus.code(forAll: failures))
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
      rules: RuleCatalog.rules, threshold: failOn, version: BSC.configuration.version, width: nil,
      isQuiet: output.quiet)
  }
}

/// Which rules are asked besides the usual ones.
enum RuleChoice: String, ExpressibleByArgument, CaseIterable {
  case mux202510 = "mux-2025-10"
  case mux2025104k = "mux-2025-10-4k"
  case mux202406 = "mux-2024-06"
  case published

  static let help: ArgumentHelp =
    """
    mux-2025-10 (standard input for 1080p), mux-2025-10-4k, mux-2024-06 (H.264 only), or published (nothing may tell \
    a place). Repeat it for several. (default: mux-2025-10)
    """

  static func judge(_ choices: [RuleChoice], settings: RuleSettings) -> ClipJudge {
    let named = MuxStandard.all.filter { standard in choices.contains { $0.rawValue == standard.name } }
    return ClipJudge(
      standards: named.isEmpty ? [.october2025] : named, isPublished: choices.contains(.published), settings: settings)
  }
}

/// `junit=report.xml` on the command line.
struct ReportFile: ExpressibleByArgument {
  var kind: ReportKind
  var path: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = ReportKind(rawValue: String(parts[0])), !parts[1].isEmpty else { return nil }
    self.kind = kind
    path = String(parts[1])
  }
}

extension ReportKind: ExpressibleByArgument {}
extension Finding.Severity: ExpressibleByArgument {}

/// The reports of one run: those on stdout as they come, those in files at the end.
struct ReportWriters {
  private var shown: [any ValidationReport]
  private var stored: [(path: String, report: any ValidationReport, text: String)]

  init(kinds: [ReportKind], files: [ReportFile], terms: ReportTerms) {
    var wide = terms
    wide.width = Console.isErrorTerminal ? Console.width : nil
    shown = kinds.map { $0.report(wide) }
    stored = files.map { (absolutePath($0.path), $0.kind.report(terms), "") }
  }

  /// A report takes no clip's place, nor its metadata's, nor another report's, nor that of a device.
  static func check(_ reports: [ReportFile], against clips: [String]) throws {
    let taken = Set(
      clips.flatMap { clip in
        [absolutePath(clip), (absolutePath(clip) as NSString).deletingPathExtension + ".json"]
      })
    var seen: Set<String> = []
    for report in reports {
      let path = absolutePath(report.path)
      let identity = try? FileIdentity.of(path)
      let isClip = identity.map { own in clips.contains { (try? FileIdentity.of($0)).map(own.isSameFile) ?? false } }
      var why: String?
      if taken.contains(path) || isClip == true { why = "it is a clip that is judged, or its metadata" }
      if !seen.insert(path).inserted { why = "another report goes there" }
      if identity == nil, FileManager.default.fileExists(atPath: path) { why = "it is no regular file" }
      let folder = (path as NSString).deletingLastPathComponent
      if !FileManager.default.fileExists(atPath: folder) { why = "there is no folder \(folder)" }
      guard let why else { continue }
      throw UsageFailure(what: "cannot write the report \(report.path)", why: why, next: "name another file")
    }
  }

  mutating func add(_ judgement: Judgement) throws {
    for index in shown.indices { Console.writeRaw(try shown[index].add(judgement)) }
    for index in stored.indices { stored[index].text += try stored[index].report.add(judgement) }
  }

  mutating func end() throws {
    for index in shown.indices { Console.writeRaw(try shown[index].end()) }
    for index in stored.indices {
      stored[index].text += try stored[index].report.end()
      try DurableFile.write(Array(stored[index].text.utf8), to: stored[index].path)
    }
  }
}

/// Rules for people.
enum RuleText {
  static func list(asJSON: Bool) {
    for rule in RuleCatalog.rules {
      if asJSON {
        Console.writeJSON(
          ["schema": "bsc.rule/1", "id": rule.id, "severity": rule.severity.rawValue, "summary": rule.summary])
      } else {
        Console.write("\(rule.id.padded(24)) \(rule.severity.rawValue.padded(8)) \(rule.summary)\n")
      }
    }
  }

  static func explain(_ id: String) throws {
    guard let rule = RuleCatalog.rule(id) else {
      let nearest = Spelling.nearest(to: id, among: RuleCatalog.rules.map(\.id))
      throw UsageFailure(
        what: "cannot explain \(id)", why: "there is no such rule",
        next: nearest.map { "did you mean \"\($0)\"?" } ?? "run \"bsc validate --list-rules\"")
    }
    var lines = [
      "\(rule.id) (\(rule.severity.rawValue))", "  wants   \(rule.summary)", "  why     \(rule.reason)",
      "  source  \(rule.source)",
    ]
    if let mend = rule.mend { lines.append("  mend    \(mend)") }
    lines.append("  change  [rules.\"\(rule.id)\"] severity = \"off\" in .bsc.toml")
    Console.write(lines.joined(separator: "\n") + "\n")
  }
}
