import ArgumentParser
import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

struct Thumbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw pictures of clips: a poster, a contact sheet, a storyboard, an animation.",
    discussion: """
      EXAMPLES:
        bsc thumbs clip.mp4                        writes clip-poster.jpg beside it
        bsc thumbs clip.mp4 --best -o cover.webp
        bsc thumbs clip.mp4 --kind sheet --kind animated -o pictures/
        bsc thumbs season/ --kind storyboard -o pictures/
        bsc thumbs clip.mp4 --show                 draws it in the terminal

      Pictures are upright, with square pixels, in sRGB, and tell nothing of where or \
      with what the clip was filmed. A time behind the end means the last frame.

      The best frame is sharp, well exposed, and shows something happening; with rally \
      metadata (clip.json beside the clip, or --metadata) it is one in play.

      Of a folder, clips whose pictures are there already, and not older than the clip, \
      are left alone; --force draws them again, for instance in another size.

      Exit codes: 0 done, 4 refused, 3 some files could not be judged or failed.
      """)

  @Argument(help: "Files, or folders of videos.", completion: .file())
  var paths: [String]

  @Option(name: .shortAndLong, help: "Where to write: a file, or a folder (for several pictures, or ending in /).")
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite existing pictures.")
  var force = false

  @OptionGroup(title: "Pictures") var pictures: PictureOptions

  @Option(help: "Pixels of the width at most. (default: by kind)", transform: PictureLookOptions.width)
  var width: Int?

  @Option(
    help: "Of JPEG and WebP, 1 to 100. (default: 85, small frames 78)", transform: PictureLookOptions.quality)
  var quality: Int?

  @Flag(help: "Take the nearest key frames: much faster, and up to seconds away.")
  var fast = false

  @Flag(help: "Draw in the terminal instead; with --output as well.")
  var show = false

  @Option(help: "How --show draws: kitty, iterm2, sixel or blocks. (default: what the terminal can)")
  var terminal: TerminalProtocol?

  @Option(
    help: "Lines of text that a filmstrip takes in the terminal. (default: 1)",
    transform: ArgumentNumber.whole(1...200))
  var lines: Int?

  @Option(help: "Rally metadata of the app, for --best. (default: the JSON file beside the clip)", completion: .file())
  var metadata: String?

  @Option(
    name: .customLong("rally"), help: "Which rally, counted from 0 as in the app.",
    transform: ArgumentNumber.rally)
  var rallyIndex: Int?

  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    if fast, pictures.best { throw ValidationError("--fast and --best exclude each other.") }
    if metadata != nil || rallyIndex != nil, !pictures.best {
      throw ValidationError("--metadata and --rally go with --best.")
    }
    try pictures.check(for: kinds)
    if lines != nil, !isShown || !kinds.contains(.filmstrip) {
      throw ValidationError("--lines goes with a filmstrip in the terminal.")
    }
    if terminal != nil, !isShown { throw ValidationError("--terminal goes with --show.") }
    if show, reporting.json { throw ValidationError("--show and --json exclude each other.") }
    if show, kinds.contains(.animated) {
      throw ValidationError("Terminals show pictures that stand still: write the animation with -o, or show the sheet.")
    }
  }

  /// Each once, in the order of the command line.
  private var kinds: [PictureKind] {
    var seen: Set<PictureKind> = []
    return pictures.kinds.isEmpty ? [.poster] : pictures.kinds.filter { seen.insert($0).inserted }
  }

  /// A filmstrip is made for the terminal: it is drawn there unless it has another place to go.
  private var isStripShown: Bool { kinds == [.filmstrip] && output == nil && !reporting.json }
  private var isShown: Bool { show || isStripShown }

  func run() async throws {
    let surroundings = try EngineEnvironment()
    var settings = pictures.settings(surroundings, usual: [.poster])
    settings.kinds = kinds
    settings.width = width
    settings.quality = quality
    settings.usesKeyFrames = fast
    let naming = PictureNaming(output: output, isFormatGiven: pictures.isFormatGiven)
    naming.takeFormat(into: &settings)
    let targets = try OutputTargets(paths, naming: .pictures(settings), output: output)
    try naming.check(targets, settings)
    if !reporting.quiet {
      for note in targets.notes { Console.writeError(note + "\n") }
    }
    let screen = isShown ? try TerminalScreen(terminal) : nil
    let tally = ThumbsTally()
    let progress = FileProgress(reporting.progressMode, stage: "drawing", whenWritten: "storing")
    defer { progress.end() }
    let code = try await InputRunner.run(
      targets.inputs, lost: targets.lost, named: \.source, asJSON: reporting.json, beforeError: progress.end
    ) { input in
      let path = absolutePath(input.source)
      var rules = try await PictureRendering.rules(for: path)
      let answer = settings.picksBest ? try play(in: path, of: rules) : (play: nil, findings: [])
      if !answer.findings.isEmpty {
        Console.writeError(FindingText.rejection(of: input.source, to: "draw", answer.findings))
        return .rejected
      }
      rules = PictureRules(
        durationSeconds: rules.durationSeconds, shown: rules.shown, frameRate: rules.frameRate, play: answer.play)
      let plans = rules.plans(settings)
      if let screen {
        for plan in plans { try await draw(plan, of: input.source, on: screen) }
      }
      if screen == nil || output != nil {
        try await write(plans, of: input, progress: progress, tally)
      }
      tally.endedCount += 1
      return nil
    }
    if !reporting.quiet, let line = tally.line(of: targets.inputs.count + targets.lost.count) {
      Console.writeError(line + "\n")
    }
    try ExitStatusError.end(with: code)
  }

  /// When the ball is in play, if rally metadata tells.
  private func play(in path: String, of rules: PictureRules) throws -> (play: Range<Double>?, findings: [Finding]) {
    let isAsked = metadata != nil || rallyIndex != nil
    let answer = try RallySidecar.choose(
      MetadataRequest(
        path: metadata.map(absolutePath), mode: .auto, rallyIndex: rallyIndex, isOptional: !isAsked),
      clipPath: path, seconds: rules.durationSeconds, frameRate: rules.frameRate)
    let errors = answer.findings.filter { $0.severity == .error }
    // A sidecar that nobody asked for, and that does not fit, is as good as none.
    guard errors.isEmpty else {
      guard !isAsked else {
        return (
          nil,
          errors.map { error in
            var error = error
            error.next = "leave --metadata and --rally out: then all of the clip is looked at"
            return error
          }
        )
      }
      if let sidecar = answer.path, !reporting.quiet {
        Console.note(
          "\((sidecar as NSString).lastPathComponent) says nothing of this clip (\(errors[0].message))")
      }
      return (nil, [])
    }
    guard let rally = answer.rally else { return (nil, []) }
    let range = rally.cut ?? 0..<rules.durationSeconds
    let play = PictureRules.play(inRallyOf: range.upperBound - range.lowerBound)
    return (play.map { $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound }, [])
  }

  private func write(
    _ plans: [PicturePlan], of input: OutputTargets.Input, progress: FileProgress, _ tally: ThumbsTally
  ) async throws {
    let clock = ContinuousClock.now
    var orders = plans.map { plan in
      PictureRequest(
        plan, path: absolutePath(plans.count == 1 ? input.destination : PictureNaming.path(of: plan, for: input, kinds))
      )
    }
    let policy: ReplacePolicy = force ? .replace : .keepExisting
    var kept: [String] = []
    // Of a folder, each run draws what is left. What is there stays, also an old picture: it may be somebody's.
    if input.isOfFolder, !force {
      let there = orders.filter { ThumbsTally.isDrawn($0.paths) }
      kept = there.flatMap(\.paths)
      orders.removeAll { order in there.contains { $0.paths == order.paths } }
      let isStale = try ThumbsTally.areOlder(there.flatMap(\.paths), than: absolutePath(input.source))
      if isStale { tally.staleCount += 1 } else if orders.isEmpty { tally.keptCount += 1 }
      if orders.isEmpty {
        if reporting.json {
          Console.writeJSON(
            ThumbsDocument(
              file: input.source, pictures: [], areKeyFrames: fast, wasThere: true, kept: kept,
              seconds: 0))
        }
        return
      }
    }
    for path in orders.flatMap(\.paths) { try StagedFile.check(path, replacing: policy) }
    try OutputTargets.makeFolder(of: input)
    progress.begin(input.source)
    let drawn = try await PictureRendering.draw(
      orders, of: absolutePath(input.source), usesKeyFrames: fast, policy: policy, progress: { progress.move($0) })
    progress.end()
    tally.count(drawn)
    if reporting.json {
      Console.writeJSON(
        ThumbsDocument(
          file: input.source, pictures: drawn, areKeyFrames: fast, wasThere: false, kept: kept,
          seconds: (ContinuousClock.now - clock).seconds))
    } else if !reporting.quiet {
      let folder = (input.destination as NSString).deletingLastPathComponent
      for picture in drawn {
        let name = (picture.path as NSString).lastPathComponent
        let lines = PictureText.lines(picture, name: folder.isEmpty ? name : "\(folder)/\(name)", isKeyFrame: fast)
        Console.write(lines.lines)
      }
    }
  }

  private func draw(_ plan: PicturePlan, of source: String, on screen: TerminalScreen) async throws {
    let image = try await PictureRendering.image(plan, of: absolutePath(source), usesKeyFrames: fast)
    Console.writeRaw(screen.text(image, lines: plan.kind == .filmstrip ? lines ?? 1 : nil))
    guard !reporting.quiet else { return }
    for note in image.notes { Console.note(note) }
  }
}

struct ThumbsDocument: Encodable {
  var schema = "bsc.thumbs/1"
  var file: String
  var pictures: [RenderedPicture]
  /// The nearest key frames were taken, not the exact ones.
  var areKeyFrames: Bool
  /// An earlier run drew them: nothing was done.
  var wasThere: Bool
  /// Absolute paths of the pictures that an earlier run drew.
  var kept: [String]
  /// Wall clock of the whole.
  var seconds: Double
}
