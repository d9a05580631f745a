public import ArgumentParser
public import ClipModel
import DurableFiles
import Foundation
import ShareEngine

struct Share: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Share a rally clip: check it, remove its location, compress it, upload it, register the highlight.",
    discussion: """
      EXAMPLES:
        bsc share clip.mp4 --caption "Match point #spike"
        bsc share match.mov --metadata match.json --rally 3
        bsc share a.mp4 b.mp4 c.mp4 --together --caption "Three aces"
        bsc share season/*.mp4 --captions captions.csv
        bsc share clip.mp4 --dry-run

      Rally metadata is looked for beside the clip (clip.json). Files are never changed. If anything stops the work, \
      "bsc resume" goes on where it stopped.
      """)

  @Argument(help: "Clips; each becomes a highlight of its own, unless --together.", completion: .file())
  var files: [String]

  @OptionGroup(title: "Highlight") var post: PostOptions

  @OptionGroup(title: "Rally") var rally: RallyOptions

  @OptionGroup(title: "Cut by hand") var cut: CutOptions

  @OptionGroup(title: "Processing") var processing: ProcessingOptions

  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Pictures") var pictureLook: PictureLookOptions

  @OptionGroup(title: "Network") var jobs: ShareJobFlags
  @OptionGroup(title: "Network") var pacing: PaceFlags
  @OptionGroup(title: "Network") var transfer: TransferFlags

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and stop.")
  var dryRun = false

  @Flag(help: "Show the plan and ask before anything is sent.")
  var review = false

  @Flag(help: "With --dry-run or --review: decode a sample of each clip, too.")
  var decode = false

  @OptionGroup var waiting: WaitFlags

  @Flag(name: .shortAndLong, help: "Share what was shared before once more.")
  var force = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Name a clip.") }
    if post.together, !(2...HighlightDraft.mostParts).contains(files.count { !MediaFolder.isSidecar($0) }) {
      throw ValidationError("--together takes 2 to \(HighlightDraft.mostParts) clips.")
    }
    if decode, !dryRun, !review { throw ValidationError("--decode goes with --dry-run or --review.") }
    try pictures.check(for: pictures.kinds)
    if pictures.kinds.isEmpty, pictureLook.isGiven {
      throw ValidationError("--picture-width and --picture-quality go with --kind.")
    }
  }

  /// The command line as an order. The backend limits what is allowed.
  func order(_ environment: EngineEnvironment) throws -> ShareOrder {
    let backend = environment.configuration.backend.value
    let clips = files.count > 1 ? files.filter { !MediaFolder.isSidecar($0) } : files
    guard !clips.isEmpty else {
      throw CommandFailure(.onlyMetadata, ["file": files.joined(separator: ", ")])
    }
    if rally.allowNoMetadata, backend != .local {
      throw CommandFailure(.metadataRequired)
    }
    if post.together, backend == .mux {
      throw CommandFailure(.noPostsAtMux)
    }
    var drawn = pictures.settings(environment, usual: [.poster])
    pictureLook.apply(to: &drawn)
    var order = ShareOrder(
      files: clips,
      request: ShareRequest(
        caption: post.caption, privacy: post.privacy ?? environment.configuration.privacy.value,
        hideLikes: post.hideLikes, metadata: rally.request,
        settings: processing.settings(environment, pictures: drawn), cut: cut.range))
    order.captions = try post.captions.map { try CaptionList(path: absolutePath($0), named: $0, for: clips) }
    order.isTogether = post.together
    order.isPrivacyGiven = post.privacy != nil
    order.isNewAnyway = force
    order.keepsPictures = !pictures.kinds.isEmpty
    return order
  }

  func run() async throws {
    let environment = try EngineEnvironment(flags: processing.flags + transfer.flags + jobs.flags)
    var order = try order(environment)
    if order.files.count < files.count, !output.quiet {
      Console.note("\((files.count - order.files.count).counting("file")) of rally metadata beside a clip left aside")
    }
    let sharing = Sharing(environment: environment, isPaced: pacing.isPaced, waits: !waiting.noWait, output: output)
    sharing.noteIgnoredOptions(of: order)
    let preview = SharePreview(order, environment: environment, decodes: decode)
    let previews = PreviewOutput(preview: preview, output: output)
    if dryRun { return try await previews.run() }
    var refused: [FailureCategory] = []
    if review {
      (order.files, refused) = try await previews.reviewed(order.files)
      if post.together, order.files.count < files.count {
        Console.writeError("Nothing is shared: the clips were to be one highlight.\n")
        return try ExitStatusError.end(with: ExitStatus.code(forAll: refused))
      }
      guard !order.files.isEmpty else { return try ExitStatusError.end(with: ExitStatus.code(forAll: refused)) }
    }
    try ExitStatusError.end(with: try await sharing.run(order, refused: refused))
  }
}

/// Shares an order, and shows what happens: `share` and `cut --share`.
struct Sharing {
  var environment: EngineEnvironment
  /// `nil` leaves it to the backend.
  var isPaced: Bool?
  /// For the highlights, and not only for the clips' bytes.
  var waits: Bool
  var output: OutputOptions

  /// Once, and not for each clip.
  func noteIgnoredOptions(of order: ShareOrder) {
    let given = [order.isPrivacyGiven ? "--privacy" : nil, order.request.hideLikes ? "--hide-likes" : nil]
      .compactMap(\.self)
    guard environment.configuration.backend.value == .mux, !given.isEmpty, !output.quiet else { return }
    Console.note(
      "\(given.joined(separator: " and ")) \(given.count == 1 ? "means" : "mean") nothing on the backend mux: "
        + "who has the address can watch")
  }

  /// - Returns: the exit code.
  func run(_ order: ShareOrder, refused: [FailureCategory] = []) async throws -> Int32 {
    let reporter = Reporter(output, isMany: order.files.count > 1)
    var session = try await ShareSession(environment, waits: waits, signIn: .onTerminal(reporter)) { reporter.show($0) }
    session.pace(isPaced)
    let outcome = try await session.use { [session] in try await session.share(order, refused: refused) }
    reporter.summarize()
    return ExitStatus.code(for: outcome)
  }
}

/// Which metadata and which rally.
struct RallyOptions: ParsableArguments {
  @Option(help: "Rally metadata of the app. (default: the JSON file beside the clip)", completion: .file())
  var metadata: String?

  @Option(help: "source: the times are inside this file; clip: this file is the rally; auto: found out.")
  var metadataMode: MetadataMode = .auto

  @Option(
    name: .customLong("rally"), help: "Which rally, counted from 0 as in the app.",
    transform: ArgumentNumber.rally)
  var rallyIndex: Int?

  @Flag(help: "Share a clip that has no metadata (local backend only).")
  var allowNoMetadata = false

  var request: MetadataRequest {
    MetadataRequest(
      path: metadata.map(absolutePath), mode: metadataMode, rallyIndex: rallyIndex, isOptional: allowNoMetadata)
  }
}

extension PrivacyLevel: ExpressibleByArgument {}
extension MetadataMode: ExpressibleByArgument {}
