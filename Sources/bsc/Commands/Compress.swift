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

  func run() async throws {
    let surroundings = try CommandEnvironment(flags: processing.flags)
    var drawn = pictures.settings(surroundings, usual: [])
    pictureLook.apply(to: &drawn)
    let settings = processing.settings(surroundings, pictures: drawn)
    let shard = try batch.shardOfThis()
    if batch.watch { try requireFolders() }
    let listed = try batch.listedPaths()
    if paths.isEmpty, listed.isEmpty {
      if !reporting.quiet { Console.writeError("nothing to do: the list is empty\n") }
      return
    }
    let request = ShareRequest(
      metadata: MetadataRequest(
        path: metadata.map(absolutePath), mode: .auto, rallyIndex: rallyIndex, isOptional: !isOfRally),
      settings: settings, cut: cut.range)
    let reports = BatchReports(files: batch.reports)
    var options = batch.options(force: force)
    options.replaces = replace
    let session = CompressSession(
      request: request, isOfRally: isOfRally, ledgerKind: isBeside ? .beside : .results, shard: shard,
      options: options, encoderFlags: processing.encoderFlags, isWatching: batch.watch, reports: reports,
      reporting: reporting, titles: batch.title)
    // What a killed run left half replaced is put right before anybody looks at the files.
    let unsettled = replace && !dryRun ? try session.settle(OutputTargets.places(of: paths + listed)) : []
    var targets = try look(paths, listed: listed, shard: shard, surroundings)
    targets.lost += unsettled
    let inputs = targets.inputs
    if let input = inputs.first(where: { !$0.destination.lowercased().hasSuffix(".mp4") }) {
      throw CommandFailure(.outputNotMP4, ["output": input.destination])
    }
    if !reporting.quiet {
      for note in targets.notes + [batch.hint].compactMap(\.self) { Console.writeError(note + "\n") }
    }
    if dryRun {
      let sources = replace ? sourcesAlone(inputs) : inputs
      return try await DryRun(purpose: .file(ofRally: isOfRally)).run(
        sources.map(\.source), lost: targets.lost, request: request, asJSON: reporting.json)
    }
    try reports.check(against: inputs.flatMap { [$0.source, $0.destination] })
    if batch.nice { ProcessPriority.yieldToOthers() }
    guard batch.watch else {
      return try ExitStatusError.end(with: try await session.run(inputs, lost: targets.lost))
    }
    try await watch(targets, session: session, surroundings: surroundings, shard: shard)
  }

  /// Without what an earlier run made of sources that are in the trash by now.
  private func sourcesAlone(_ inputs: [OutputTargets.Input]) -> [OutputTargets.Input] {
    let made = Dictionary(uniqueKeysWithValues: Set(inputs.compactMap(\.root)).map { ($0, Ledger.ownResults(in: $0)) })
    let sources = inputs.filter { input in input.root.map { made[$0]?.contains(input.name) != true } ?? true }
    if !reporting.quiet {
      let resultCount = inputs.count - sources.count
      let results = resultCount > 0 ? ", and \(resultCount.counting("result")) of earlier runs would stay" : ""
      Console.writeError("\(sources.count.counting("source")) would move to the trash (.bsc/trash)\(results)\n")
    }
    return sources
  }

  /// - Throws: `CommandFailure` when there is nothing to do, unless more may come.
  private func look(
    _ paths: [String], listed: [String] = [], shard: Shard?, _ surroundings: CommandEnvironment
  ) throws -> OutputTargets {
    let targets = try OutputTargets(
      paths, listed: listed, naming: replace ? .replaced : .compressed, output: output, shard: shard,
      filter: batch.filter(output: output, places: surroundings.places, replaces: replace), mayBeEmpty: batch.watch)
    if replace { try targets.checkPlaces() }
    return targets
  }

  /// Results are among their sources: the folder is no folder of results.
  private var isBeside: Bool {
    guard let output else { return true }
    let place = URL(filePath: absolutePath(output)).resolvingSymlinksInPath().standardizedFileURL.path
    return paths.contains {
      URL(filePath: absolutePath($0)).resolvingSymlinksInPath().standardizedFileURL.path == place
    }
  }

  private func requireFolders() throws {
    for path in paths {
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { continue }
      throw CommandFailure(.noFolder, ["file": path])
    }
  }

  /// What is there, and then what comes, until somebody ends it.
  private func watch(
    _ first: OutputTargets, session: CompressSession, surroundings: CommandEnvironment, shard: Shard?
  ) async throws {
    let watch = FolderWatch()
    var settling = StableFileFilter(patience: .seconds(batch.settle))
    var (inputs, lost, folders) = (first.inputs, first.lost, first.folders)
    var missing: Set<String> = []
    while true {
      let ready = settling.ready(inputs.map(\.source))
      let chosen = inputs.filter { ready.contains($0.source) }
      if !chosen.isEmpty || !lost.isEmpty { _ = try await session.run(chosen, lost: lost) }
      settling.ended(chosen.map(\.source))
      _ = try await watch.change(in: folders, atMost: settling.isWaiting ? .seconds(1) : nil)
      // A disk that was taken out comes back.
      let gone = Set(paths.filter { !FileManager.default.fileExists(atPath: $0) })
      for path in gone.subtracting(missing) { session.note("\(path) is not there now: waiting for it") }
      for path in missing.subtracting(gone) { session.note("\(path) is there again") }
      missing = gone
      let present = paths.filter { !gone.contains($0) }
      let targets = try look(present, shard: shard, surroundings)
      (inputs, folders, lost) = (targets.inputs, targets.folders, [])
    }
  }
}
