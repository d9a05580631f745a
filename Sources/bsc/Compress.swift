import ArgumentParser
import ClipMedia
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
        bsc compress match.mov --from 1:02 --to 1:15
        bsc compress clip.mov --kind poster --kind sheet

      What already fits is copied without loss, and the result is not bigger than the \
      source unless it would look bad. HDR becomes SDR unless --keep-hdr. Where it was \
      filmed and with what camera is removed. Sources are never changed.

      Exit codes: 0 done, 4 refused, 3 some files could not be judged or failed.
      """)

  @Argument(help: "Files, or folders of videos.", completion: .file())
  var paths: [String]

  @Option(name: .shortAndLong, help: "Where to write: a file, or a folder (for several inputs, or ending in /).")
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite existing outputs.")
  var force = false

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and why.")
  var dryRun = false

  @OptionGroup(title: "Cut by hand") var cut: CutOptions

  @Option(help: "Cut a rally: the metadata of the app.", completion: .file())
  var metadata: String?

  @Option(name: .customLong("rally"), help: "Which rally, counted from 0 as in the app.")
  var rallyIndex: Int?

  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Pictures of the result") var pictures: PictureOptions
  @OptionGroup(title: "Pictures of the result") var pictureLook: PictureLookOptions
  @OptionGroup(title: "Output") var reporting: OutputOptions

  /// The rally is found in metadata, if one was asked for.
  private var isOfRally: Bool { metadata != nil || rallyIndex != nil }

  func validate() throws {
    try pictures.check(for: pictures.kinds)
    if pictures.kinds.isEmpty, pictureLook.isGiven {
      throw ValidationError("--picture-width and --picture-quality go with --kind.")
    }
    if isOfRally, cut.range != nil { throw ValidationError("--rally and --from or --to exclude each other.") }
  }

  func run() async throws {
    let surroundings = try Surroundings(flags: processing.flags)
    var drawn = pictures.settings(surroundings, usual: [])
    pictureLook.apply(to: &drawn)
    let settings = processing.settings(surroundings, pictures: drawn)
    let targets = try OutputTargets(paths, naming: .compressed, output: output)
    if let input = targets.inputs.first(where: { !$0.destination.lowercased().hasSuffix(".mp4") }) {
      throw UsageFailure(
        what: "cannot write \(input.destination)", why: "what is made is an MP4",
        next: "give it a name that ends in .mp4")
    }
    if !reporting.quiet {
      for note in targets.notes { Console.writeError(note + "\n") }
    }
    let request = ShareRequest(
      metadata: MetadataRequest(
        path: metadata.map(absolutePath), mode: .auto, rallyIndex: rallyIndex, isOptional: !isOfRally),
      settings: settings, cut: cut.range)
    if dryRun {
      return try await DryRun.run(
        targets.inputs.map(\.source), lost: targets.lost, request: request, asJSON: reporting.json,
        purpose: .file(ofRally: isOfRally))
    }
    let progress = FileProgress(style: reporting.progress, isQuiet: reporting.quiet, whenWritten: "checking")
    let code = try await EachInput.run(
      targets.inputs, lost: targets.lost, named: \.source, asJSON: reporting.json, beforeError: progress.end
    ) { input in
      try await compress(input, request: request, progress: progress)
    }
    try ExitStatusError.end(with: code)
  }

  /// Makes one file; returns why it was refused, if it was.
  private func compress(
    _ input: OutputTargets.Input, request: ShareRequest, progress: FileProgress
  ) async throws -> FailureCategory? {
    let clock = ContinuousClock.now
    let (path, destination) = (absolutePath(input.source), absolutePath(input.destination))
    let policy: ReplacePolicy = force ? .replace : .keepExisting
    try StagedFile.check(destination, replacing: policy)
    progress.begin(input.source)
    let probe = try await Prober.probe(path: path)
    let outcome = try SharePlan.make(path: path, probe: probe, request: request, purpose: .file(ofRally: isOfRally))
    guard let plan = outcome.plan else {
      Console.writeError(FindingText.rejection(of: input.source, to: "compress", outcome.findings))
      return .rejected
    }
    let base = (destination as NSString).deletingPathExtension
    let orders = plan.pictures.map { PictureOrder($0, base: base) }
    for path in orders.flatMap(\.paths) { try StagedFile.check(path, replacing: policy) }
    try OutputTargets.makeFolder(of: input)
    let result = try await ClipProcessor.process(
      path, probe: probe, plan: plan, destination: destination, pictures: orders, policy: policy,
      keepsAttributes: true, progress: { progress.move($0) })
    progress.end()
    show(
      input, plan: plan, result: result, findings: outcome.findings, sourceByteCount: probe.byteCount,
      seconds: (ContinuousClock.now - clock).seconds)
    return nil
  }

  private func show(
    _ input: OutputTargets.Input, plan: ProcessingPlan, result: ProcessedClip, findings: [Finding],
    sourceByteCount: Int64, seconds: Double
  ) {
    if reporting.json {
      return Console.writeJSON(
        CompressDocument(
          file: input.source, output: input.destination, sourceByteCount: sourceByteCount,
          byteCount: result.byteCount, sha256: result.sha256, decisions: plan.decisions, removed: result.removed,
          pictures: result.pictures, notes: result.notes, findings: findings, seconds: seconds))
    }
    guard !reporting.quiet else { return }
    let share = sourceByteCount > 0 ? Int((Double(result.byteCount) / Double(sourceByteCount) * 100).rounded()) : 100
    var lines = [
      "✓ \(input.destination), \(ByteCount.text(result.byteCount)) of \(ByteCount.text(sourceByteCount)) (\(share) %)"
    ]
    lines += plan.decisions.map { "  \($0.what)" }
    lines += result.notes.map { "  note: \($0)" }
    let folder = (input.destination as NSString).deletingLastPathComponent
    lines += result.pictures.flatMap { picture in
      let name = (picture.path as NSString).lastPathComponent
      return PictureText.lines(picture, name: folder.isEmpty ? name : "\(folder)/\(name)")
    }
    Console.write(lines.joined(separator: "\n") + "\n")
  }
}

struct CompressDocument: Encodable {
  var schema = "bsc.compress/1"
  var file: String
  var output: String
  var sourceByteCount: Int64
  var byteCount: Int64
  /// Of the output, lower-case hexadecimal.
  var sha256: String
  var decisions: [ProcessingPlan.Decision]
  var removed: [String]
  var pictures: [DrawnPicture]
  var notes: [String]
  var findings: [Finding]
  /// Wall clock of the whole.
  var seconds: Double
}
