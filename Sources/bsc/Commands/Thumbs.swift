import ArgumentParser
import ClipMedia
import ClipModel
import ShareEngine

struct Thumbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbs", abstract: "Create posters, contact sheets, storyboards, filmstrips and animations",
    discussion: """
      EXAMPLES:
        bsc thumbs clip.mp4                        writes clip-poster.jpg next to it
        bsc thumbs clip.mp4 --best -o cover.webp
        bsc thumbs clip.mp4 --kind sheet --kind animated -o pictures/
        bsc thumbs season/ --kind storyboard -o pictures/
        bsc thumbs clip.mp4 --show                 shows the poster in the terminal

      Pictures are upright and in sRGB, with square pixels and without metadata. If --at is after the clip's end, the \
      last frame is used. --best chooses a sharp, well-exposed frame that shows motion and, if there is rally \
      metadata, the ball in play.

      In folders, existing pictures are kept unless --force is set.

      Exit codes: 0 success; 4 some files were rejected; 3 some files failed or could not be checked.
      """)

  @Argument(help: "Video files or folders.", completion: .file())
  var paths: [String]

  @Option(
    name: .shortAndLong, help: "Output file, or output folder if there are several pictures or the path ends in /.")
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite existing pictures.")
  var force = false

  @OptionGroup(title: "Pictures") var pictures: PictureOptions

  @Option(
    help: "Maximum width in pixels. (default: depends on the picture kind)", transform: PictureSizeOptions.width)
  var width: Int?

  @Option(
    help: "Quality of JPEG and WebP pictures, 1 to 100. (default: 85; 78 for small frames)",
    transform: PictureSizeOptions.quality)
  var quality: Int?

  @Flag(help: "Use the nearest key frames: much faster, but up to a few seconds off.")
  var fast = false

  @Flag(help: "Show the pictures in the terminal; files are written only with --output.")
  var show = false

  @Option(help: "Graphics protocol for --show: kitty, iterm2, sixel or blocks. (default: detected automatically)")
  var terminal: TerminalProtocol?

  @Option(
    help: "Height of a filmstrip in the terminal, in lines. (default: 1)",
    transform: NumericArgument.wholeNumberParser(1...200))
  var lines: Int?

  @OptionGroup(title: "Rally for --best") var rally: RallySelection
  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    if fast, pictures.best { throw ValidationError("--fast and --best cannot be combined.") }
    if rally.isGiven, !pictures.best { throw ValidationError("--metadata and --rally require --best.") }
    try pictures.validateOptions(for: kinds)
    if lines != nil, !isShown || !kinds.contains(.filmstrip) {
      throw ValidationError("--lines can only be used when a filmstrip is shown in the terminal.")
    }
    if terminal != nil, !isShown { throw ValidationError("--terminal requires --show.") }
    if show, reporting.json { throw ValidationError("--show and --json cannot be combined.") }
    if show, kinds.contains(.animated) {
      throw ValidationError(
        "animations cannot be shown in the terminal; write them with --output, or show a contact sheet."
      )
    }
  }

  private var kinds: [PictureKind] {
    var seen: Set<PictureKind> = []
    return pictures.kinds.isEmpty ? [.poster] : pictures.kinds.filter { seen.insert($0).inserted }
  }

  /// A filmstrip without an output path is shown in the terminal.
  private var isShown: Bool { show || (kinds == [.filmstrip] && output == nil && !reporting.json) }

  private var naming: PictureNaming { PictureNaming(output: output, isFormatGiven: pictures.isFormatGiven) }

  /// Converts the command-line options to a request.
  func makeRequest(_ environment: EngineEnvironment) -> PictureRun {
    var settings = pictures.makeSettings(environment, defaultKinds: [.poster])
    (settings.kinds, settings.width, settings.quality, settings.usesKeyFrames) = (kinds, width, quality, fast)
    naming.applyFormat(to: &settings)
    return PictureRun(settings, isForced: force, metadata: rally.makeRequest(isOptional: !rally.isGiven))
  }

  func run() async throws {
    let run = makeRequest(try EngineEnvironment())
    let targets = try OutputTargets(paths, naming: .pictureNaming(run.settings), output: output)
    try naming.validateOutput(targets, run.settings)
    for note in targets.notes { reporting.writeNote(note) }
    let screen = isShown ? try TerminalScreen(terminal) : nil
    let progress = FileProgress(reporting.progressMode, stage: "drawing", finalStep: "storing")
    defer { progress.end() }
    var (results, endedCount) = ([DrawnPictures](), 0)
    func summarize() {
      let count = targets.inputs.count + targets.unreadable.count
      guard !reporting.quiet, let line = Self.makeSummary(results, endedCount: endedCount, of: count) else { return }
      Console.writeError(line + "\n")
    }
    try await InputRunner.run(
      targets.inputs, lost: targets.unreadable, named: \.source, asJSON: reporting.json, beforeError: progress.end,
      atEnd: summarize
    ) { input in
      switch try await run.planPictures(input.source) {
      case .refused(let findings):
        Console.writeError(FindingText.formatRejection(of: input.source, to: "draw", findings.map(Self.addAdvice)))
        return .rejected
      case .plans(let plans, let note):
        if let note { reporting.writeNote(note) }
        if let screen {
          for plan in plans { drawImage(try await run.renderImage(plan, of: input.source), plan.kind, on: screen) }
        }
        if screen == nil || output != nil {
          let drawn = try await run.renderPictures(plans, of: input) { fraction in
            if fraction == 0 { progress.begin(input.source) } else { progress.update(fraction) }
          }
          progress.end()
          results.append(drawn)
          showPictures(drawn, input)
        }
        endedCount += 1
        return nil
      }
    }
  }

  private static func addAdvice(_ finding: Finding) -> Finding {
    var finding = finding
    finding.next = "omit --metadata and --rally to search the entire clip"
    return finding
  }

  private func showPictures(_ drawn: DrawnPictures, _ input: OutputTargets.Input) {
    if reporting.json { return Console.writeJSON(drawn) }
    guard !reporting.quiet else { return }
    for picture in drawn.pictures {
      Console.write(PictureText.formatLines(picture, besides: input.destination, isKeyFrame: fast).lines)
    }
  }

  private func drawImage(_ image: PictureRendering.Image, _ kind: PictureKind, on screen: TerminalScreen) {
    Console.writeRawText(screen.render(image, lines: kind == .filmstrip ? lines ?? 1 : nil))
    for note in image.notes { reporting.writeNote(note) }
  }

  /// Returns the totals, for example `12 pictures of 12 clips, 1.5 MB; pictures of 3 clips exist (--force replaces
  /// them); 1 failed`; `nil` for a single clip.
  /// - Parameter count: the total number of inputs.
  private static func makeSummary(_ results: [DrawnPictures], endedCount: Int, of count: Int) -> String? {
    let drawn = results.filter { !$0.pictures.isEmpty }
    let staleCount = results.count(where: \.areStale)
    let keptCount = results.count { $0.wasThere && !$0.areStale }
    guard count > 1 || keptCount + staleCount > 0 else { return nil }
    let pictures = drawn.flatMap(\.pictures)
    let size = ByteCount.text(pictures.map(\.byteCount).reduce(0, +))
    let parts = [
      (pictures.count, "\(pictures.count.withNoun("picture")) of \(drawn.count.withNoun("clip")), \(size)"),
      (keptCount, "pictures of \(keptCount.withNoun("clip")) exist (--force replaces them)"),
      (staleCount, "pictures of \(staleCount.withNoun("clip")) are older than the clip (--force replaces them)"),
      (count - endedCount, "\(count - endedCount) failed"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? nil : parts.map(\.1).joined(separator: "; ")
  }
}
