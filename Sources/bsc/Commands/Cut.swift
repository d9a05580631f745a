import ArgumentParser
import ClipModel
import DurableFiles
import ShareEngine

struct Cut: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Cut a match into one clip per rally",
    discussion: """
      EXAMPLES:
        bsc cut match.mov                        all rallies in match.json
        bsc cut match.mov --metadata match.json -o rallies/
        bsc cut match.mov --rally 1,4-7          numbers start at 0 as in the app
        bsc cut match.mov --saved --trims        as saved and trimmed in the app
        bsc cut match.mov -o rallies/ --share --privacy private

      Each clip and its rally metadata are named after the match and the rally: match-rally-07.mp4 and \
      match-rally-07.json. Compatible video is copied without loss. Copies start at the key frame before the rally, \
      but video players start playback exactly at the rally. Existing clips are kept, so to continue an interrupted \
      cut, run the command again.

      Exit codes: 0 success; 4 the metadata or some rallies were rejected; 3 some rallies could not be cut.
      """)

  @Argument(help: "Video file of the match.", completion: .file())
  var match: String

  @Option(
    help: "Rally metadata exported from the app. (default: the JSON file with the match's name)", completion: .file())
  var metadata: String?

  @Option(name: .shortAndLong, help: "Output folder. (default: the match's folder)")
  var output: String?

  @Option(
    name: .customLong("rally"), help: "Rally numbers, starting at 0, for example 1,4-7. (default: all)",
    transform: RallyIndexSelection.parse)
  var rallies: RallyIndexSelection?

  @Flag(help: "Cut only the rallies that were saved in the app.")
  var saved = false

  @Option(help: "Selections exported from the app. (default: the file next to the metadata)", completion: .file())
  var selections: String?

  @Flag(help: "Apply the trims made in the app.")
  var trims = false

  @Option(help: "Trims exported from the app. (default: the file next to the metadata)", completion: .file())
  var trimsFile: String?

  @Flag(help: "Re-encode clips that don't start at a key frame, so that they contain no hidden frames.")
  var reencode = false

  @Option(
    name: .shortAndLong,
    help:
      "Maximum number of parallel cuts and uploads (up to 16 uploads). (default: depends on the machine; 2 uploads)",
    transform: NumericArgument.wholeNumberParser(1...64))
  var jobs: Int?

  @Flag(name: .shortAndLong, help: "Overwrite existing clips.")
  var force = false

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be cut.")
  var dryRun = false

  @Flag(help: "Share each clip after cutting it.")
  var share = false

  @OptionGroup(title: "Sharing") var highlight: HighlightOptions
  @OptionGroup(title: "Sharing") var pacing: PacingOptions
  @OptionGroup(title: "Sharing") var waiting: WaitOptions
  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Output") var reporting: OutputOptions

  private var isSaved: Bool { saved || selections != nil }

  func validate() throws {
    if rallies != nil, isSaved { throw ValidationError("--rally and --saved cannot be combined.") }
    if !share, highlight.isGiven || pacing.pace != nil || waiting.noWait {
      throw ValidationError("--caption, --privacy, --hide-likes, --pace and --no-wait require --share.")
    }
  }

  /// Converts the command-line options to a request.
  func makeRequest(_ environment: EngineEnvironment) throws -> CutRunRequest {
    var options = MatchCutOptions()
    if let rallies { options.rallies = .numbers(rallies) }
    if isSaved { options.rallies = .saved(selectionsPath: selections.map(absolutePath)) }
    if trims || trimsFile != nil { options.trims = .applied(path: trimsFile.map(absolutePath)) }
    options.reencodes = reencode
    options.settings = processing.makeSettings(environment, pictures: PictureSettings(kinds: []))
    var request = CutRunRequest(match: match, options: options)
    request.metadata = metadata
    request.folder = output
    request.isForced = force
    request.workerCount = jobs
    return request
  }

  /// Returns the `bsc share` request for the clips that were cut.
  func makeShareRequest(_ environment: EngineEnvironment, clips: [String]) throws -> ShareRunRequest {
    let pictures = try PictureOptions.parse([]).makeSettings(environment, defaultKinds: [.poster])
    return ShareRunRequest(
      clips, highlight, settings: processing.makeSettings(environment, pictures: pictures), environment)
  }

  func run() async throws {
    // At most 16 clips can be uploaded in parallel, and at most 64 can be cut.
    let uploads = share ? FlagValue.makeFlags(("upload.jobs", "--jobs", jobs.map { "\(min($0, 16))" })) : []
    let environment = try EngineEnvironment(flags: processing.flags + uploads)
    let text = CutOutput(match: match, reporting: reporting, isDry: dryRun)
    let run = try await CutRun(
      try makeRequest(environment), rules: environment.configuration.rules, places: environment.places
    ) { text.showEvent($0) }
    guard !text.reportRejection(of: run.plan) else { return try ExitStatusError.throwIfFailed(with: .rejected) }
    if dryRun { try run.preview() } else { try await run.cut() }
    text.summarize()
    guard share, !dryRun, !text.clips.isEmpty else { return try ExitStatusError.throwIfFailed(with: text.outcome) }
    let sharing = ShareRunner(
      environment: environment, isPaced: pacing.isPaced, waits: !waiting.noWait, output: reporting)
    let clips = try makeShareRequest(environment, clips: text.clips)
    sharing.noteIgnoredOptions(of: clips)
    let failures = [text.outcome.worst, try await sharing.run(clips).worst].compactMap(\.self)
    try ExitStatusError.throwIfFailed(with: RunOutcome(count: failures.count, failures: failures))
  }
}

extension RallyIndexSelection {
  /// - Throws: `ArgumentFault`.
  fileprivate static func parse(_ text: String) throws -> RallyIndexSelection {
    if let numbers = RallyIndexSelection(text) { return numbers }
    let reversed = text.split(separator: "-").reversed().joined(separator: "-")
    if !text.contains(","), RallyIndexSelection(reversed) != nil {
      throw ArgumentFault(value: text, why: "the range is reversed", next: "did you mean \(reversed)?")
    }
    throw ArgumentFault(
      value: text, why: "it is not a list of rally numbers", next: "enter rally numbers starting at 0, as in 1,4-7")
  }
}
