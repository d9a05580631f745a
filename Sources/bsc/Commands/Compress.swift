import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

struct Compress: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make clips small without making them ugly: 1080p H.264 that every player takes, without location.",
    discussion: """
      EXAMPLES:
        bsc compress clip.mov                    writes clip-compressed.mp4 beside it
        bsc compress clip.mov -o small.mp4 --max-size 25MB
        bsc compress season/ -o small/           every video, in the same folders
        bsc compress season/ -o small/ --report html=report.html
        bsc compress season/ --replace           the sources go to season/.bsc/trash
        bsc compress match.mov --from 1:02 --to 1:15
        bsc compress clip.mov --kind poster --kind sheet

      What already fits is copied without loss, and the result is not bigger than the \
      source unless it would look bad. HDR becomes SDR unless --keep-hdr. Where it was \
      filmed and with what camera is removed. Sources are never changed; with --replace \
      they move to a trash, and "bsc batch undo" brings them back.

      Of a folder, each run does what is left to do: stop it at any time. What it knows is in .bsc of the \
      output folder; metadata beside a clip goes with it (Docs/batch.md).

      Exit codes: 0 done, 4 refused, 3 some files could not be judged or failed.
      """)

  @Argument(help: "Files, or folders of videos.", completion: .file())
  var paths: [String] = []

  @Option(name: .shortAndLong, help: "Where to write: a file, or a folder (for several inputs, or ending in /).")
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Put results in their sources' places; those move to .bsc/trash of the folder.")
  var replace = false

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and why.")
  var dryRun = false

  @OptionGroup(title: "Cut by hand") var cut: CutOptions

  @Option(help: "Cut a rally: the metadata of the app.", completion: .file())
  var metadata: String?

  @Option(
    name: .customLong("rally"), help: "Which rally, counted from 0 as in the app.",
    transform: ArgumentNumber.rally)
  var rallyIndex: Int?

  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Pictures of the result") var pictures: PictureOptions
  @OptionGroup(title: "Pictures of the result") var pictureLook: PictureLookOptions
  @OptionGroup(title: "Folders") var batch: BatchFlags
  @OptionGroup(title: "Output") var reporting: OutputOptions

  /// The rally is found in metadata, if one was asked for.
  private var isOfRally: Bool { metadata != nil || rallyIndex != nil }

  func validate() throws {
    if batch.watch, batch.filesFrom != nil || dryRun || batch.failFast {
      throw ValidationError("--watch is for folders, without --files-from, --dry-run or --fail-fast.")
    }
    if paths.isEmpty, batch.filesFrom == nil { throw ValidationError("Name a clip or a folder.") }
    try pictures.check(for: pictures.kinds)
    if pictures.kinds.isEmpty, pictureLook.isGiven {
      throw ValidationError("--picture-width and --picture-quality go with --kind.")
    }
    if replace, output != nil || force || isOfRally || cut.range != nil || !pictures.kinds.isEmpty {
      throw ValidationError(
        "--replace is for whole clips: it goes without -o, --force, --kind, --metadata, --rally, --from and --to.")
    }
    if isOfRally, cut.range != nil { throw ValidationError("--rally and --from or --to exclude each other.") }
  }

  /// The command line as an order.
  func order(_ environment: EngineEnvironment) throws -> CompressOrder {
    var drawn = pictures.settings(environment, usual: [])
    pictureLook.apply(to: &drawn)
    let settings = processing.settings(environment, pictures: drawn)
    var order = CompressOrder(
      paths: paths,
      request: ShareRequest(
        metadata: MetadataRequest(
          path: metadata.map(absolutePath), mode: .auto, rallyIndex: rallyIndex, isOptional: !isOfRally),
        settings: settings, cut: cut.range))
    order.shard = try batch.shardOfThis()
    order.listed = try batch.listedPaths()
    order.output = output
    order.isOfRally = isOfRally
    order.replaces = replace
    order.includes = batch.include.compactMap(Glob.init)
    order.excludes = batch.exclude.compactMap(Glob.init)
    order.options = batch.options(force: force)
    order.isWatching = batch.watch
    order.settleTime = .seconds(batch.settle)
    return order
  }

  func run() async throws {
    let environment = try EngineEnvironment(flags: processing.flags)
    let order = try order(environment)
    if order.paths.isEmpty, order.listed.isEmpty {
      if !reporting.quiet { Console.writeError("nothing to do: the list is empty\n") }
      return
    }
    let reports = BatchReports(files: batch.reports)
    let text = CompressOutput(reporting: reporting, titles: batch.title, encoderFlags: processing.encoderFlags)
    let run = CompressRun(order, places: environment.places) { text.show($0) }
    let targets = try run.targets(isDry: dryRun)
    if !reporting.quiet {
      for note in targets.notes + [batch.hint].compactMap(\.self) { Console.writeError(note + "\n") }
    }
    if dryRun { return try await preview(targets, order) }
    try reports.check(against: targets.inputs.flatMap { [$0.source, $0.destination] })
    if batch.nice { ProcessPriority.yieldToOthers() }
    defer { text.end() }
    let outcome = try await run.run(targets) { pass in
      text.end()
      try await reports.write(pass.all.map(\.record), outputs: pass.all.map(\.output), seconds: pass.totalSeconds)
      text.summarize(pass)
    }
    try ExitStatusError.end(with: ExitStatus.code(for: outcome))
  }

  private func preview(_ targets: OutputTargets, _ order: CompressOrder) async throws {
    var sources = targets.inputs
    if replace {
      sources = CompressRun.sources(of: sources)
      if !reporting.quiet {
        let resultCount = targets.inputs.count - sources.count
        let results = resultCount > 0 ? ", and \(resultCount.counting("result")) of earlier runs would stay" : ""
        Console.writeError("\(sources.count.counting("source")) would move to the trash (.bsc/trash)\(results)\n")
      }
    }
    let code = try await InputRunner.run(
      sources.map(\.source), lost: targets.lost, named: \.self, asJSON: reporting.json
    ) { file in
      try await PlanPreview.make(
        file, request: order.request, purpose: .file(ofRally: isOfRally), rules: RuleSettings()
      ).show(file, asJSON: reporting.json)
    }
    try ExitStatusError.end(with: code)
  }
}

/// A compress run on the console.
private final class CompressOutput: Sendable {
  private let reporting: OutputOptions
  /// Flags that were given and count only where video is encoded.
  private let encoderFlags: [String]
  private let progress: BatchProgress

  init(reporting: OutputOptions, titles: Bool, encoderFlags: [String]) {
    (self.reporting, self.encoderFlags) = (reporting, encoderFlags)
    progress = BatchProgress(reporting.progressMode, titles: titles)
  }

  func show(_ activity: CompressActivity) {
    switch activity {
    case .batch(let event): progress.take(event)
    case .ended(let record, let input, let output, let isAlone):
      progress.interrupting {
        CompressResult(record: record, output: output, input: input).show(reporting, isAlone: isAlone)
      }
    case .failed(let error): ErrorOutput.write(error.explanation, asJSON: reporting.json)
    case .unreadableLedger(let folder, let lineCount):
      note("\(lineCount.counting("line")) of the ledger in \(folder)/.bsc cannot be read and count for nothing")
    case .folder(let path, let isPresent):
      note(isPresent ? "\(path) is there again" : "\(path) is not there now: waiting for it")
    }
  }

  func summarize(_ pass: CompressPass) {
    if !pass.isAlone, !reporting.quiet {
      Console.writeError(BatchText.summary(pass.records, seconds: pass.seconds, areTold: true))
    } else if !pass.isAlone {
      // Failures of this run were reported; those of earlier runs count, too.
      for record in pass.records where record.isOld == true && record.failure != nil {
        ErrorOutput.write(BatchText.explanation(ofOld: record), asJSON: false)
      }
    }
    let copyCount = pass.records.count { record in
      record.status == .done && record.isVideoCopied == true
    }
    if copyCount > 0, !encoderFlags.isEmpty {
      note(
        "\(encoderFlags.joined(separator: " and ")) \(encoderFlags.count == 1 ? "means" : "mean") nothing for "
          + "\(copyCount.counting("clip")) that needed no encoding; --max-size or --height make smaller ones")
    }
    for root in pass.trashFolders {
      note("the sources are in \(root)/.bsc/trash until you remove it; to bring them back: bsc batch undo \(root)")
    }
  }

  func end() { progress.end() }

  private func note(_ text: String) {
    guard !reporting.quiet else { return }
    progress.interrupting { Console.note(text) }
  }
}
