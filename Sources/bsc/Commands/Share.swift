public import ArgumentParser
import ClipMedia
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

  /// The command line as a request; the backend has its say in what is allowed.
  func request(_ surroundings: CommandEnvironment) throws -> ShareRequest {
    var drawn = pictures.settings(surroundings, usual: [.poster])
    pictureLook.apply(to: &drawn)
    if rally.allowNoMetadata, surroundings.configuration.backend.value != .local {
      throw CommandFailure(.metadataRequired)
    }
    if post.together, surroundings.configuration.backend.value == .mux {
      throw CommandFailure(.noPostsAtMux)
    }
    return ShareRequest(
      caption: post.caption, privacy: post.privacy ?? surroundings.configuration.privacy.value,
      hideLikes: post.hideLikes,
      metadata: rally.request, settings: processing.settings(surroundings, pictures: drawn), cut: cut.range)
  }

  /// Once, and not for each clip.
  private func noteWhatMeansNothing(_ surroundings: CommandEnvironment) {
    let given = [post.privacy == nil ? nil : "--privacy", post.hideLikes ? "--hide-likes" : nil].compactMap(\.self)
    guard surroundings.configuration.backend.value == .mux, !given.isEmpty, !output.quiet else { return }
    Console.note(
      "\(given.joined(separator: " and ")) \(given.count == 1 ? "means" : "mean") nothing on the backend mux: "
        + "who has the address can watch")
  }

  func run() async throws {
    let clips = self.files.count > 1 ? self.files.filter { !MediaFolder.isSidecar($0) } : self.files
    guard !clips.isEmpty else {
      throw CommandFailure(.onlyMetadata, ["file": files.joined(separator: ", ")])
    }
    if clips.count < self.files.count {
      var command = self
      command.files = clips
      if !output.quiet {
        Console.note("\((self.files.count - clips.count).counting("file")) of rally metadata beside a clip left aside")
      }
      return try await command.run()
    }
    let surroundings = try CommandEnvironment(flags: processing.flags + transfer.flags + jobs.flags)
    let request = try request(surroundings)
    noteWhatMeansNothing(surroundings)
    let captions = try post.captions.map { try CaptionList(path: absolutePath($0), named: $0, for: self.files) }
    let preview = SharePreview(
      request: request, isPrivacyGiven: post.privacy != nil, captions: captions, force: force, decodes: decode,
      surroundings: surroundings,
      keepsPictures: !pictures.kinds.isEmpty, isQuiet: output.quiet)
    func groups(_ files: [String]) -> [[String]] {
      PostGroups.of(
        files, together: post.together, hasCaptions: captions != nil, request: request,
        backend: surroundings.configuration.backend.value)
    }
    if dryRun { return try await preview.run(groups(files), asJSON: output.json) }
    let (files, refused) = review ? try await reviewed(preview) : (self.files, [])
    if post.together, files.count < self.files.count {
      Console.writeError("Nothing is shared: the clips were to be one highlight.\n")
      try ExitStatusError.end(with: ExitStatus.code(forAll: refused))
    }
    guard !files.isEmpty else { return try ExitStatusError.end(with: ExitStatus.code(forAll: refused)) }
    let reporter = Reporter(output.progressMode, isMany: files.count > 1)
    let note = reporter.notice(isQuiet: output.quiet)
    var opened = try await ShareSession(
      surroundings, waits: !waiting.noWait, signIn: .onTerminal(reporter), notice: note
    ) { reporter.take($0) }
    opened.pace(pacing.choice)
    let session = opened
    let tell = reporter.tell(asJSON: output.json)
    let asJSON = output.json
    let code = try await session.use {
      // Beside the work: where the network is away, the clips are made all the same.
      let asking = Task { [count = post.together ? 1 : files.count] in
        if let text = await session.paceNote(count: count) { note(text) }
      }
      defer { asking.cancel() }
      // All of them first: whatever stops this run, `bsc resume` knows what is left.
      var (units, failed, settledCount) = ([ShareUnit](), refused, 0)
      var inputs = ShareInputs(session: session, request: request, force: force)
      inputs.isPrivacyGiven = post.privacy != nil
      if !pictures.kinds.isEmpty { inputs.keepsPictures = true }
      for group in groups(files) {
        do {
          switch try await inputs.open(group, caption: group.count == 1 ? captions?[group[0]] : nil) {
          case .work(let unit):
            units.append(unit)
            if let text = unit.note { note(text) }
          case .existing(let highlight):
            settledCount += 1
            let document = ExistingDocument(group, highlight, try await session.link.links(to: highlight))
            reporter.interrupting {
              if asJSON { Console.writeJSON(document) } else { Console.write(document.text) }
            }
          case .skipped(let text):
            settledCount += 1
            note(text)
          }
        } catch let error as any ExplainedError {
          tell(error.explanation, ShareUnit.name(of: group, in: error.explanation))
          failed.append(error.explanation.category)
        }
      }
      return try await session.run(
        units, failed: failed, settledCount: settledCount, reporter: reporter, asJSON: asJSON)
    }
    reporter.summarize()
    try ExitStatusError.end(with: code)
  }

  /// The files that somebody wants to share after a look at each, and why others were refused. Nothing is sent whose plan
  /// nobody saw.
  private func reviewed(
    _ preview: SharePreview
  ) async throws -> (wanted: [String], refused: [FailureCategory]) {
    guard Console.isInputTerminal else {
      throw CommandFailure(.noTerminal, ["option": "--review"])
    }
    var (wanted, refused) = ([String](), [FailureCategory]())
    for file in files {
      do {
        if let refusal = try await preview.show(file, write: Console.writeError) {
          refused.append(refusal)
          continue
        }
      } catch let error as any ExplainedError {
        ErrorOutput.write(error.explanation, subject: file, asJSON: output.json)
        refused.append(error.explanation.category)
        continue
      }
      Console.writeError("Share this? [y/N] ")
      guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
        Console.writeError("Not shared; nothing was sent.\n")
        continue
      }
      wanted.append(file)
    }
    return (wanted, refused)
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
