import ArgumentParser
import ClipModel
import Privacy
import Reports
import ShareEngine

struct Strip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strip", abstract: "Remove location data from videos without re-encoding",
    discussion: """
      EXAMPLES:
        bsc strip clip.mp4                      writes clip-stripped.mp4 next to it
        bsc strip clip.mp4 -o public.mp4
        bsc strip season/ -o public/            all videos; keeps the subfolders
        bsc strip --in-place --prove clip.mp4

      Video, audio and all other data stay bit-identical. The result is audited and searched for every GPS position \
      that the source contains; if any location data remains, no file is written (exit code 4). Source files are \
      changed only with --in-place. In folders, results of earlier runs are skipped.

      Exit codes: 0 success; 4 a file was rejected or location data remains; 3 some files could not be checked.
      """)

  @Argument(help: "Video files or folders.", completion: .file())
  var paths: [String]

  @Option(name: .shortAndLong, help: "Output file, or output folder if there are several inputs or the path ends in /.")
  var output: String?

  @Flag(help: "Replace each file after its stripped copy is verified.")
  var inPlace = false

  @Flag(name: .shortAndLong, help: "Overwrite existing files.")
  var force = false

  @Flag(help: "Also remove serial numbers, and the names of the camera, lens and owner.")
  var identifiers = false

  @Flag(help: "With --identifiers, keep the camera's make and model.")
  var keepModel = false

  @Flag(help: "Also remove recording dates.")
  var dates = false

  @Flag(help: "Keep the motion data in GoPro tracks, and remove only the positions.")
  var keepMotion = false

  @Flag(help: "Compare every video and audio packet with the source, and print each track's digest.")
  var prove = false

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be removed, or why it can't be removed.")
  var dryRun = false

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    if inPlace, output != nil { throw ValidationError("--in-place and --output cannot be combined.") }
    if keepModel, !identifiers { throw ValidationError("--keep-model requires --identifiers.") }
  }

  /// Converts the command-line options to a request.
  func makeRequest() -> StripRequest {
    var request = StripRequest()
    request.options.removesIdentifiers = identifiers
    request.options.keepsModel = keepModel
    request.options.removesDates = dates
    request.options.keepsMotion = keepMotion
    request.policy = inPlace || force ? .replace : .keepExisting
    request.verifiesPackets = prove
    return request
  }

  func run() async throws {
    let targets = try OutputTargets(paths, naming: .stripped, output: output, inPlace: inPlace)
    for note in targets.notes { reporting.writeNote(note) }
    let request = makeRequest()
    let progress = FileProgress(reporting.progressMode, finalStep: "verifying")
    defer { progress.end() }
    try await InputRunner.run(
      targets.inputs, lost: targets.unreadable, named: \.source, asJSON: reporting.json, beforeError: progress.end
    ) { input in
      if dryRun {
        showPreview(input, try await request.preview(input))
      } else {
        progress.begin(input.source)
        let result = try await request.strip(input) { progress.update($0) }
        progress.end()
        showResult(input, result)
      }
      return nil
    }
  }

  private func showPreview(_ input: OutputTargets.Input, _ preview: StripPreview) {
    var document = StripDocument(file: input.source, removed: preview.removed, kept: preview.kept)
    (document.cutPictures, document.notes) = (preview.cutPictures, preview.notes)
    if reporting.json { return Console.writeJSON(document) }
    var lines: [StyledText] = ["\(whole: input.source.onOneLine, .strong): would write \(whole: input.destination)"]
    lines += formatChanges(preview.removed, document)
    if preview.removed.isEmpty { lines.append("  nothing to remove") }
    Console.write(lines.lines)
  }

  private func showResult(_ input: OutputTargets.Input, _ result: StripResult) {
    var document = StripDocument(file: input.source, removed: result.removed, kept: result.kept)
    (document.output, document.byteCount) = (input.destination, result.byteCount)
    (document.cutPictures, document.notes) = (result.cutPictures, result.notes)
    (document.proof, document.seconds) = (result.proof?.tracks, result.seconds)
    var lines: [StyledText] = [
      "\("✓", .good) \(whole: input.destination, .strong), \(ByteCount.text(result.byteCount))"
    ]
    let kept = result.kept.count { $0.carrier.disclosure == .identity }
    if result.removed.isEmpty {
      // MP4 and MOV files are copied without unused bytes; other containers are rewritten by their muxers.
      let isSmaller = ["MP4", "QuickTime"].contains(result.container) && result.byteCount < result.sourceByteCount
      lines.append(
        "  no \(kept > 0 ? "location data" : "private metadata") found\(isSmaller ? "; unused bytes were removed" : "")"
      )
    }
    lines += formatChanges(result.removed, document)
    if kept > 0 {
      lines.append("  kept       \(kept.withNoun("camera or owner detail")) (--identifiers removes them)")
    }
    lines += (result.proof?.tracks ?? []).map {
      "  proved     \($0.track): \($0.packetCount.withNoun("packet")), \($0.sha256)"
    }
    lines.append("  verified   no location data is left")
    reporting.write(document, text: lines.lines)
  }

  private func formatChanges(_ removed: [FoundCarrier], _ document: StripDocument) -> [StyledText] {
    removed.map {
      StyledText(
        CarrierText.formatLine($0.carrier, label: dryRun ? "remove" : "removed", near: CarrierText.formatPosition($0)))
    }
      + document.cutPictures.sorted(by: <).map {
        "  removed    \($0.key): \($0.value.withNoun("metadata message")) from frames whose image data is unchanged"
      }
      + document.notes.map { "  note       \($0)" }
  }
}

struct StripDocument: Encodable {
  var schema = "bsc.strip/1"
  var file: String
  /// The path of the output file; `null` with `--dry-run`.
  var output: String?
  var byteCount: Int64?
  var removed: [CarrierDocument]
  var kept: [CarrierDocument]
  /// The number of frames from which a metadata message was removed, by track.
  var cutPictures: [String: Int] = [:]
  var notes: [String] = []
  var proof: [PacketProof.Track]?
  /// The elapsed time of each phase, in seconds.
  var seconds: StripResult.Seconds?

  init(file: String, removed: [FoundCarrier], kept: [FoundCarrier]) {
    self.file = file
    self.removed = removed.map { CarrierDocument($0) }
    self.kept = kept.map { CarrierDocument($0) }
  }
}
