import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

struct Cut: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cut the rallies out of a match: a clip with its own metadata for each.",
    discussion: """
      EXAMPLES:
        bsc cut match.mov                        every rally of match.json, beside the match
        bsc cut match.mov --metadata match.json -o rallies/
        bsc cut match.mov --rally 1,4-7          these, counted from 0 as in the app
        bsc cut match.mov --saved --trims        as they were saved and trimmed in the app
        bsc cut match.mov -o rallies/ --share --privacy private

      Clips are named after the match and the rally: match-rally-07.mp4, with match-rally-07.json beside it, ready for \
      "bsc share". What every player takes already is copied without loss from the key frame before the rally; players \
      begin at the rally itself. Run again after an interruption, it goes on: clips that are there stay, and get the \
      metadata of a newer export.

      Exit codes: 0 done, 4 rallies or the metadata were refused, 3 some rallies could not be cut.
      """)

  @Argument(help: "The match.", completion: .file())
  var match: String

  @Option(help: "Rally metadata of the app. (default: the JSON file beside the match)", completion: .file())
  var metadata: String?

  @Option(name: .shortAndLong, help: "The folder of the clips; made when it is missing. (default: the match's)")
  var output: String?

  @Option(
    name: .customLong("rally"), help: "Which rallies, counted from 0: 1,4-7. (default: every one)",
    transform: RallyNumbers.read)
  var rallies: RallyNumbers?

  @Flag(help: "The rallies that were saved in the app.")
  var saved = false

  @Option(help: "Where the app's selections are. (default: beside the metadata)", completion: .file())
  var selections: String?

  @Flag(help: "As they were trimmed in the app.")
  var trims = false

  @Option(help: "Where the app's trims are. (default: beside the metadata)", completion: .file())
  var trimsFile: String?

  @Flag(help: "Encode what does not begin at a key frame, so that nothing which is not shown stays in a clip.")
  var reencode = false

  @Option(
    name: .shortAndLong,
    help: "So many clips at once; with --share as many uploads, 16 at most. (default: by the machine; 2 uploads)",
    transform: ArgumentNumber.whole(1...64))
  var jobs: Int?

  @Flag(name: .shortAndLong, help: "Overwrite existing clips.")
  var force = false

  @Flag(name: [.customShort("n"), .long], help: "Show what would be cut, what is there, and stop.")
  var dryRun = false

  @OptionGroup(title: "Sharing") var sharing: CutSharing
  @OptionGroup(title: "Sharing") var pacing: PaceFlags
  @OptionGroup(title: "Sharing") var waiting: WaitFlags
  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Output") var reporting: OutputOptions

  func validate() throws {
    let isSaved = saved || selections != nil
    if rallies != nil, isSaved { throw ValidationError("--rally and --saved exclude each other.") }
    if !sharing.share, sharing.isGiven || pacing.pace != nil || waiting.noWait {
      throw ValidationError("--caption, --privacy, --hide-likes, --pace and --no-wait go with --share.")
    }
  }

  /// The command line as an order.
  func order(_ environment: EngineEnvironment) throws -> CutOrder {
    var options = MatchCutOptions()
    if let rallies { options.rallies = .numbers(rallies) }
    if saved || selections != nil { options.rallies = .saved(selectionsPath: selections.map(absolutePath)) }
    if trims || trimsFile != nil { options.trims = .applied(path: trimsFile.map(absolutePath)) }
    options.reencodes = reencode
    options.settings = processing.settings(environment, pictures: PictureSettings(kinds: []))
    var order = CutOrder(match: match, options: options)
    order.metadata = metadata
    order.folder = output
    order.isForced = force
    order.width = jobs
    return order
  }

  /// The clips of the cut as an order of `bsc share`.
  func shareOrder(_ environment: EngineEnvironment, clips: [String]) throws -> ShareOrder {
    let pictures = try PictureOptions.parse([]).settings(environment, usual: [.poster])
    var order = ShareOrder(
      files: clips,
      request: ShareRequest(
        caption: sharing.caption, privacy: sharing.privacy ?? environment.configuration.privacy.value,
        hideLikes: sharing.hideLikes, settings: processing.settings(environment, pictures: pictures)))
    order.isPrivacyGiven = sharing.privacy != nil
    return order
  }

  func run() async throws {
    // The backend's bound, which the machine's cores do not know.
    let uploads = jobs.map { [FlagValue(key: "upload.jobs", flag: "--jobs", text: "\(min($0, 16))")] } ?? []
    let environment = try EngineEnvironment(flags: processing.flags + (sharing.share ? uploads : []))
    let tally = CutTally(match: match, reporting: reporting, isDry: dryRun)
    let run = try await CutRun(
      try order(environment), rules: environment.configuration.rules, places: environment.places
    ) { tally.show($0) }
    guard !tally.isRefused(run.plan) else { return try ExitStatusError.end(with: ExitStatus.code(for: .rejected)) }
    if dryRun { try run.preview() } else { try await run.cut() }
    tally.summarize()
    guard sharing.share, !dryRun, !tally.clips.isEmpty else { return try ExitStatusError.end(with: tally.exitCode) }
    let shares = Sharing(
      environment: environment, isPaced: pacing.isPaced, waits: !waiting.noWait, output: reporting)
    let clips = try shareOrder(environment, clips: tally.clips)
    shares.noteIgnoredOptions(of: clips)
    try ExitStatusError.end(with: ExitStatus.worse(tally.exitCode, try await shares.run(clips)))
  }
}

/// What becomes of the clips of a cut.
struct CutSharing: ParsableArguments {
  @Flag(help: "Share each clip when all are cut, as \"bsc share\" does.")
  var share = false

  @Option(help: "What people read under each clip. Hashtags become tags.")
  var caption: String?

  @Option(help: "Who may see them: public, followers_only or private. (default: public)")
  var privacy: PrivacyLevel?

  @Flag(help: "Do not show how many like them.")
  var hideLikes = false

  var isGiven: Bool { caption != nil || privacy != nil || hideLikes }
}

extension RallyNumbers {
  /// - Throws: `ArgumentFault`.
  fileprivate static func read(_ text: String) throws -> RallyNumbers {
    if let numbers = RallyNumbers(text) { return numbers }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let turned = parts.map { $0.split(separator: "-").reversed().joined(separator: "-") }.joined(separator: ",")
    // One range that goes backwards is turned by itself; of several, nobody can tell which.
    if parts.count == 1, RallyNumbers(turned) != nil {
      throw ArgumentFault(value: text, why: "it goes backwards", next: "did you mean \(turned)?")
    }
    throw ArgumentFault(value: text, why: "it is no list of rallies", next: "give numbers from 0 on, as in 1,4-7")
  }
}
