import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Privacy
import Reports
import ShareEngine

struct Strip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove where files were filmed; picture, sound and everything else stay bit-identical.",
    discussion: """
      EXAMPLES:
        bsc strip clip.mp4                      writes clip-stripped.mp4 beside it
        bsc strip clip.mp4 -o public.mp4
        bsc strip season/ -o public/            every video, in the same folders
        bsc strip --in-place --prove clip.mp4

      The result is audited again and searched for every position that the source told; \
      anything left is an error (exit 4), and nothing is written. The source is never \
      changed, except with --in-place.

      In a folder, results of an earlier run are left aside: clip-stripped.mp4 beside \
      clip.mp4, and what is below the output folder.

      Exit codes: 0 done, 4 refused or something was left, 3 some files could not be \
      judged.
      """)

  @Argument(help: "Files, or folders of videos.", completion: .file())
  var paths: [String]

  @Option(name: .shortAndLong, help: "Where to write: a file, or a folder (for several inputs, or ending in /).")
  var output: String?

  @Flag(help: "Replace each file by its stripped copy once that is verified.")
  var inPlace = false

  @Flag(name: .shortAndLong, help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Serial numbers, camera, lens and owner go too.")
  var identifiers = false

  @Flag(help: "With --identifiers: make and model stay.")
  var keepModel = false

  @Flag(help: "Recording dates go too.")
  var dates = false

  @Flag(help: "Keep the motion data of GoPro tracks; only their positions go.")
  var keepMotion = false

  @Flag(help: "Compare every packet of picture and sound with the source, and print their digests.")
  var prove = false

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be removed, or why not.")
  var dryRun = false

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    if inPlace, output != nil { throw ValidationError("--in-place and --output exclude each other.") }
    if keepModel, !identifiers { throw ValidationError("--keep-model goes with --identifiers.") }
  }

  func run() async throws {
    let targets = try OutputTargets(paths, naming: .stripped, output: output, inPlace: inPlace)
    if !reporting.quiet {
      for note in targets.notes { Console.writeError(note + "\n") }
    }
    let progress = FileProgress(reporting.progressMode, whenWritten: "looking again")
    defer { progress.end() }
    let code = try await InputRunner.run(
      targets.inputs, lost: targets.lost, named: \.source, asJSON: reporting.json, beforeError: progress.end
    ) { input in
      let (source, destination) = (absolutePath(input.source), absolutePath(input.destination))
      if dryRun {
        let preview = try await Stripper.preview(
          source: source, destination: destination, options: options, policy: policy)
        show(input, preview)
        return nil
      }
      progress.begin(input.source)
      try OutputTargets.makeFolder(of: input)
      let result = try await Stripper.strip(
        source: source, destination: destination, options: options, policy: policy, proves: prove,
        progress: { progress.move($0) })
      progress.end()
      show(input, result)
      return nil
    }
    try ExitStatusError.end(with: code)
  }

  private var policy: ReplacePolicy { inPlace || force ? .replace : .keepExisting }

  private var options: StripOptions {
    var options = StripOptions()
    options.removesIdentifiers = identifiers
    options.keepsModel = keepModel
    options.removesDates = dates
    options.keepsMotion = keepMotion
    return options
  }

  private func show(_ input: OutputTargets.Input, _ preview: StripPreview) {
    if reporting.json { return Console.writeJSON(StripDocument(input: input, preview: preview)) }
    var lines: [StyledText] = ["\(whole: input.source.onOneLine, .strong): would become \(whole: input.destination)"]
    lines += changes(removed: preview.removed, cutPictures: preview.cutPictures, notes: preview.notes)
    if preview.removed.isEmpty { lines.append("  nothing to remove") }
    Console.write(lines.lines)
  }

  private func show(_ input: OutputTargets.Input, _ result: StripResult) {
    if reporting.json { return Console.writeJSON(StripDocument(input: input, result: result)) }
    guard !reporting.quiet else { return }
    var lines: [StyledText] = [
      "\("✓", .good) \(whole: input.destination, .strong), \(ByteCount.text(result.byteCount))"
    ]
    let kept = result.kept.filter { $0.carrier.disclosure == .identity }.count
    if result.removed.isEmpty {
      let nothing = kept > 0 ? "nothing in it told where it was filmed" : "nothing private was in it"
      lines.append("  \(nothing)\(leftOutSpace(result) ?? "")")
    }
    lines += changes(removed: result.removed, cutPictures: result.cutPictures, notes: result.notes)
    if kept > 0 {
      lines.append("  kept       \(kept.counting("name")) of camera or owner (--identifiers removes them)")
    }
    lines += (result.proof?.tracks ?? []).map {
      "  proved     \($0.track): \($0.packetCount.counting("packet")), \($0.sha256)"
    }
    lines.append("  verified   audited again, nothing is left")
    Console.write(lines.lines)
  }

  private func changes(removed: [FoundCarrier], cutPictures: [String: Int], notes: [String]) -> [StyledText] {
    removed.map {
      StyledText(
        CarrierText.line(
          $0.carrier, labelled: dryRun ? "goes" : "removed", near: CarrierText.position($0, exactly: false)))
    }
      + cutPictures.sorted(by: <).map { "  cut        \($0.key): \($0.value.counting("message")), pictures untouched" }
      + notes.map { "  note       \($0)" }
  }

  /// Why a movie with nothing private in it became smaller. Other kinds are written anew by their muxer.
  private func leftOutSpace(_ result: StripResult) -> String? {
    let isMovie = ["MP4", "QuickTime"].contains(result.container)
    return isMovie && result.byteCount < result.sourceByteCount ? "; free space and unused bytes were left out" : nil
  }
}

struct StripDocument: Encodable {
  var schema = "bsc.strip/1"
  var file: String
  /// `null` with `--dry-run`.
  var output: String?
  var byteCount: Int64?
  var removed: [CarrierDocument]
  var kept: [CarrierDocument]
  /// Access units that lost a message, by track.
  var cutPictures: [String: Int] = [:]
  var notes: [String] = []
  var proof: [PacketProof.Track]?
  /// Wall clock of each phase.
  var seconds: StripResult.Seconds?

  init(file: String, output: String?, removed: [FoundCarrier], kept: [FoundCarrier]) {
    self.file = file
    self.output = output
    self.removed = removed.map { CarrierDocument($0, exactly: false) }
    self.kept = kept.map { CarrierDocument($0, exactly: false) }
  }

  init(input: OutputTargets.Input, preview: StripPreview) {
    self.init(file: input.source, output: nil, removed: preview.removed, kept: preview.kept)
    cutPictures = preview.cutPictures
    notes = preview.notes
  }

  init(input: OutputTargets.Input, result: StripResult) {
    self.init(file: input.source, output: input.destination, removed: result.removed, kept: result.kept)
    byteCount = result.byteCount
    cutPictures = result.cutPictures
    notes = result.notes
    proof = result.proof?.tracks
    seconds = result.seconds
  }
}
