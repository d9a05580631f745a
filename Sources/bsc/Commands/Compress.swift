import ArgumentParser
import ClipModel
import DurableFiles
import ShareEngine

struct Compress: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compress", abstract: "Compress clips to 1080p H.264, without location data",
    discussion: """
      EXAMPLES:
        bsc compress clip.mov                    writes clip-compressed.mp4
        bsc compress clip.mov -o small.mp4 --max-size 25MB
        bsc compress season/ -o small/           all videos; keeps the subfolders
        bsc compress season/ -o small/ --report html=report.html
        bsc compress season/ --replace           moves sources to season/.bsc/trash
        bsc compress match.mov --from 1:02 --to 1:15
        bsc compress clip.mov --kind poster --kind sheet

      Compatible video is copied without loss, and HDR is converted to SDR unless --keep-hdr is set. Results are not \
      larger than their sources, unless a smaller file would look bad. Source files are never changed. --replace moves \
      them to a trash folder, and "bsc batch undo" restores them. If a run is interrupted, run the same command again \
      to continue (see Docs/batch.md).

      Exit codes: 0 success; 4 some files were rejected; 3 some files failed or could not be checked.
      """)

  @Argument(help: "Video files or folders.", completion: .file())
  var paths: [String] = []

  @Option(name: .shortAndLong, help: "Output file, or output folder if there are several inputs or the path ends in /.")
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite existing files.")
  var force = false

  @Flag(help: "Replace the sources with the results, and move the sources to .bsc/trash.")
  var replace = false

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be done and why.")
  var dryRun = false

  @OptionGroup(title: "Part of the clip") var cut: CutOptions
  @OptionGroup(title: "Part of the clip") var rally: RallySelection
  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Pictures") var pictureSize: PictureSizeOptions
  @OptionGroup(title: "Folders") var batch: BatchFlags
  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    if batch.watch, batch.filesFrom != nil || dryRun || batch.failFast {
      throw ValidationError(
        "--watch requires folders, and cannot be combined with --files-from, --dry-run or --fail-fast.")
    }
    if paths.isEmpty, batch.filesFrom == nil { throw ValidationError("no clip or folder was specified.") }
    if replace, output != nil || force || rally.isGiven || cut.range != nil || !pictures.kinds.isEmpty {
      throw ValidationError(
        "--replace cannot be combined with --output, --force, --kind, --metadata, --rally, --from or --to.")
    }
    try pictureSize.validate(with: pictures)
    if rally.isGiven, cut.range != nil { throw ValidationError("--rally cannot be combined with --from or --to.") }
  }

  /// Converts the command-line options to a request.
  func makeRequest(_ environment: EngineEnvironment) throws -> CompressRunRequest {
    var drawn = pictures.makeSettings(environment, defaultKinds: [])
    pictureSize.apply(to: &drawn)
    let settings = processing.makeSettings(environment, pictures: drawn)
    var request = CompressRunRequest(
      paths: paths,
      clipRequest: ShareRequest(
        metadata: rally.makeRequest(isOptional: !rally.isGiven), settings: settings, cut: cut.range))
    request.shard = try batch.parseShard()
    request.listed = try batch.readListedPaths()
    request.output = output
    request.isRally = rally.isGiven
    request.replaces = replace
    request.includes = batch.include.compactMap(Glob.init)
    request.excludes = batch.exclude.compactMap(Glob.init)
    request.options = batch.makeOptions(force: force)
    request.isWatching = batch.watch
    request.settleTime = .seconds(batch.settle)
    return request
  }

  func run() async throws {
    let environment = try EngineEnvironment(flags: processing.flags)
    let request = try makeRequest(environment)
    if request.paths.isEmpty, request.listed.isEmpty {
      return reporting.writeRemark("nothing to do: the list of paths is empty")
    }
    let reports = BatchReports(files: batch.reports)
    let text = CompressOutput(reporting: reporting, showsTitle: batch.title, encoderFlags: processing.encoderFlags)
    let run = CompressRun(request, places: environment.places) { text.showEvent($0) }
    let targets = try run.findTargets(isDry: dryRun)
    for note in targets.notes + [batch.hint].compactMap(\.self) { reporting.writeNote(note) }
    if dryRun { return try await showPreview(targets, request) }
    try reports.validateTargets(inputs: targets.inputs.flatMap { [$0.source, $0.destination] })
    if batch.nice { ProcessPriority.lowerPriorityPermanently() }
    defer { text.end() }
    let outcome = try await run.run(targets) { pass in
      text.end()
      try await reports.write(pass.all, seconds: pass.totalSeconds)
      text.summarize(pass)
    }
    try ExitStatusError.throwIfFailed(with: outcome)
  }

  private func showPreview(_ targets: OutputTargets, _ request: CompressRunRequest) async throws {
    var sources = targets.inputs
    if replace {
      sources = CompressRun.removingResults(from: sources)
      let resultCount = targets.inputs.count - sources.count
      let results = resultCount > 0 ? "; \(resultCount.withNoun("result")) from earlier runs would be kept" : ""
      reporting.writeNote("would move \(sources.count.withNoun("source")) to the trash (.bsc/trash)\(results)")
    }
    try await InputRunner.run(
      sources.map(\.source), lost: targets.unreadable, named: \.self, asJSON: reporting.json
    ) { file in
      try await PlanPreview.make(
        file, request: request.clipRequest, purpose: .file(ofRally: rally.isGiven), rules: RuleSettings()
      ).showPlan(file, asJSON: reporting.json)
    }
  }
}

/// Prints the events of a `compress` run.
private final class CompressOutput: Sendable {
  private let reporting: OutputOptions
  /// The options on the command line that affect only encoded video.
  private let encoderFlags: [String]
  private let progress: BatchProgress

  init(reporting: OutputOptions, showsTitle: Bool, encoderFlags: [String]) {
    (self.reporting, self.encoderFlags) = (reporting, encoderFlags)
    progress = BatchProgress(reporting.progressMode, showsTitle: showsTitle)
  }

  func showEvent(_ activity: CompressEvent) {
    switch activity {
    case .batch(let event): progress.showEvent(event)
    case .ended(let record, let input, let output, let isSingleFile):
      progress.withProgressHidden {
        CompressResult(record: record, output: output, input: input).showResult(reporting, isSingleFile: isSingleFile)
      }
    case .failed(let error): ErrorOutput.write(error.explanation, asJSON: reporting.json)
    case .unreadableLedger(let folder, let lineCount):
      showNote("ignored \(lineCount.withNoun("unreadable line")) in the batch records in \(folder)/.bsc")
    case .folder(let path, let isPresent):
      showNote(isPresent ? "\(path) is available again" : "\(path) is missing; waiting until it is available again")
    }
  }

  func summarize(_ pass: CompressPass) {
    if !pass.isSingleFile, !reporting.quiet {
      Console.writeError(BatchText.makeSummary(pass.records, seconds: pass.seconds, areErrorsShown: true))
    } else if !pass.isSingleFile {
      // Failures from earlier runs affect the exit code, so they are printed as errors.
      for record in pass.records where record.isOld == true && record.failure != nil {
        ErrorOutput.write(BatchText.makeExplanation(ofOld: record), asJSON: false)
      }
    }
    let copyCount = pass.records.count { $0.status == .done && $0.isVideoCopied == true }
    if copyCount > 0, !encoderFlags.isEmpty {
      showNote(
        "\(encoderFlags.joined(separator: " and ")) had no effect on \(copyCount.withNoun("clip")) "
          + "whose video was copied; to make these clips smaller, use --max-size or --height")
    }
    for root in pass.trashFolders {
      showNote(
        "the sources are in \(root)/.bsc/trash until you delete that folder; to restore them: bsc batch undo \(root)")
    }
  }

  func end() { progress.end() }

  private func showNote(_ text: String) { progress.withProgressHidden { reporting.writeNote(text) } }
}
