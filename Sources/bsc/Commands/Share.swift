import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

struct Share: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Share a clip as a highlight",
    discussion: """
      EXAMPLES:
        bsc share clip.mp4 --caption "Match point #spike"
        bsc share match.mov --metadata match.json --rally 3
        bsc share a.mp4 b.mp4 c.mp4 --together --caption "Three aces"
        bsc share season/*.mp4 --captions captions.csv
        bsc share clip.mp4 --dry-run\(CoachOptions.example)

      Checks the clip, removes its location data, compresses and uploads the clip, and registers the highlight. The \
      rally metadata of clip.mp4 is read from clip.json. Your files are never changed. To continue after an \
      interruption, run "bsc resume".
      """)

  @Argument(help: "Clips to share; each becomes a separate highlight unless --together is set.", completion: .file())
  var files: [String]

  // Groups are not nested, because debug builds of ArgumentParser validate each nested group many times.
  @OptionGroup(title: "Highlight") var highlight: HighlightOptions
  @OptionGroup(title: "Highlight") var post: PostOptions
  @OptionGroup(title: "Coaches") var coaches: CoachOptions
  @OptionGroup(title: "Rally") var rally: RallySelection
  @OptionGroup(title: "Rally") var metadata: MetadataOptions
  @OptionGroup(title: "Part of the clip") var cut: CutOptions
  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Pictures") var pictureSize: PictureSizeOptions
  @OptionGroup(title: "Network") var jobs: ParallelUploadOptions
  @OptionGroup(title: "Network") var streaming: StreamingOptions
  @OptionGroup(title: "Network") var pacing: PacingOptions
  @OptionGroup(title: "Network") var transfer: NetworkOptions

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
  var dryRun = false

  @Flag(help: "Show the plan of each highlight, and ask before sharing it.")
  var review = false

  @Flag(help: "With --dry-run or --review, also decode a sample of each clip.")
  var decode = false

  @OptionGroup var waiting: WaitOptions

  @Flag(name: .shortAndLong, help: "Share clips even if they were already shared.")
  var force = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("no clip was specified.") }
    let limit = HighlightDraft.maximumPartCount
    if post.together, !(2...limit).contains(files.count { !MediaFolder.isSidecar($0) }) {
      throw ValidationError("--together requires 2 to \(limit) clips.")
    }
    try post.validate(with: highlight)
    try pictureSize.validate(with: pictures)
    if decode, !dryRun, !review { throw ValidationError("--decode requires --dry-run or --review.") }
  }

  /// Converts the command-line options to a request.
  /// - Throws: `CommandFailure` if no clip was specified, or `ShareEngineError` if the backend doesn't support the request
  ///   or the captions can't be used.
  func makeRequest(_ environment: EngineEnvironment) throws -> ShareRunRequest {
    let clips = files.count > 1 ? files.filter { !MediaFolder.isSidecar($0) } : files
    if clips.isEmpty { throw CommandFailure(.onlyMetadata, ["file": files.joined(separator: ", ")]) }
    var drawn = pictures.makeSettings(environment, defaultKinds: [.poster])
    pictureSize.apply(to: &drawn)
    var request = ShareRunRequest(
      clips, highlight, metadata: metadata.makeRequest(rally),
      settings: processing.makeSettings(environment, pictures: drawn), cut: cut.range, environment)
    request.isSingleHighlight = post.together
    // The session does the same, but only after coaches were looked up and the user has confirmed the highlights.
    try request.requireSupport(by: environment.configuration.backend.value)
    request.captions = try post.captions.map { try CaptionList(path: absolutePath($0), named: $0, for: clips) }
    request.ignoresEarlierShares = force
    request.keepsPictures = !pictures.kinds.isEmpty
    return request
  }

  func run() async throws {
    let environment = try EngineEnvironment(flags: processing.flags + transfer.flags + jobs.flags + streaming.flags)
    var request = try makeRequest(environment)
    if request.files.count < files.count {
      output.writeNote("skipped \((files.count - request.files.count).withNoun("rally metadata file"))")
    }
    let sharing = ShareRunner(environment: environment, isPaced: pacing.isPaced, waits: !waiting.noWait, output: output)
    sharing.noteIgnoredOptions(of: request)
    let coaches = try await self.coaches.addRecipients(to: &request, environment, output)
    let previews = PreviewOutput(
      preview: SharePreview(request, environment: environment, decodes: decode), coaches: coaches, output: output)
    if dryRun { return try await previews.run() }
    var refused: [FailureCategory] = []
    if review {
      (request.files, refused) = try await previews.review()
      if request.files.isEmpty {
        return try ExitStatusError.throwIfFailed(with: FailureCategory.worstCategory(of: refused))
      }
    }
    try ExitStatusError.throwIfFailed(with: try await sharing.run(request, refused: refused))
  }
}

extension ShareRunRequest {
  init(
    _ files: [String], _ highlight: HighlightOptions, metadata: MetadataRequest = MetadataRequest(),
    settings: ProcessingSettings, cut: Range<Double>? = nil, _ environment: EngineEnvironment
  ) {
    self.init(
      files: files,
      clipRequest: ShareRequest(
        caption: highlight.caption, privacy: highlight.privacy ?? environment.configuration.privacy.value,
        hideLikes: highlight.hideLikes, metadata: metadata, settings: settings, cut: cut))
    isPrivacyGiven = highlight.privacy != nil
    if !isPrivacyGiven, environment.configuration.privacy.origin == .byDefault,
      environment.configuration.backend.value != .mux
    {
      clipRequest.usesAccountPrivacy = true
    }
  }
}

/// Shares clips and prints the events, for `share` and `cut --share`.
struct ShareRunner {
  var environment: EngineEnvironment
  /// Whether to stay below the backend's rate limit; `nil` for the backend's default.
  var isPaced: Bool?
  /// Whether to wait until the highlights are registered.
  var waits: Bool
  var output: OutputOptions

  func noteIgnoredOptions(of request: ShareRunRequest) {
    let options = [request.isPrivacyGiven ? "--privacy" : nil, request.clipRequest.hideLikes ? "--hide-likes" : nil]
      .compactMap(\.self)
    guard environment.configuration.backend.value == .mux, !options.isEmpty else { return }
    output.writeNote(
      "the mux backend ignores \(options.joined(separator: " and ")): anyone with the link can watch the video")
  }

  func run(_ request: ShareRunRequest, refused: [FailureCategory] = []) async throws -> RunOutcome {
    let reporter = Reporter(output, isMany: request.files.count > 1)
    let session = try await ShareSession(
      environment, waitsForHighlights: waits, limitsRate: isPaced, signIn: .promptOnTerminal(reporter)
    ) { reporter.showActivity($0) }
    let outcome = try await session.runAndClose { () -> RunOutcome? in
      // Without a terminal, bsc doesn't ask.
      let isFirst =
        if Console.isInputTerminal, Console.isErrorTerminal { await session.isFirstPublicPost(request) } else { false }
      if isFirst, !confirmFirstPublicPost() { return nil }
      let outcome = try await session.share(request, refused: refused)
      if isFirst { await session.recordFirstPostConfirmation() }
      return outcome
    }
    guard let outcome else {
      Console.writeError("Not shared.\n")
      return RunOutcome(count: refused.count, failures: refused)
    }
    reporter.summarize()
    return outcome
  }

  private func confirmFirstPublicPost() -> Bool {
    let project = environment.configuration.supabaseURL.value?.host() ?? "the backend"
    return Console.confirm(
      "Everyone at \(project) can watch the highlight. To choose who can, use --privacy. Share it?")
  }
}
