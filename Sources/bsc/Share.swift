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
        bsc share clip.mp4 --dry-run

      Rally metadata is looked for beside the clip (clip.json). Files are never changed. If anything stops the work, \
      "bsc resume" goes on where it stopped.
      """)

  @Argument(help: "Clips; each becomes a highlight of its own.", completion: .file())
  var files: [String]

  @Option(help: "What people read under the clip. Hashtags become tags.")
  var caption: String?

  @Option(help: "Who may see it: public, followers_only or private. (default: public)")
  var privacy: Privacy?

  @Flag(help: "Do not show how many like it.")
  var hideLikes = false

  @OptionGroup(title: "Rally") var rally: RallyOptions

  @OptionGroup(title: "Cut by hand") var cut: CutOptions

  @OptionGroup(title: "Processing") var processing: ProcessingOptions

  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Pictures") var pictureLook: PictureLookOptions

  @OptionGroup(title: "Network") var jobs: ShareJobFlags
  @OptionGroup(title: "Network") var transfer: TransferFlags

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and stop.")
  var dryRun = false

  @Flag(help: "Show the plan and ask before anything is sent.")
  var review = false

  @Flag(help: "Stop once all of the clip is there; the backend makes the highlight by itself.")
  var noWait = false

  @Flag(name: .shortAndLong, help: "Share what was shared before once more.")
  var force = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Name a clip.") }
    try pictures.check(for: pictures.kinds)
    if pictures.kinds.isEmpty, pictureLook.isGiven {
      throw ValidationError("--picture-width and --picture-quality go with --kind.")
    }
  }

  /// The command line as a request; the backend has its say in what is allowed.
  func request(_ surroundings: Surroundings) throws -> ShareRequest {
    var drawn = pictures.settings(surroundings, usual: [.poster])
    pictureLook.apply(to: &drawn)
    if rally.allowNoMetadata, surroundings.configuration.backend.value != .local {
      throw UsageFailure(
        what: "cannot share without metadata", why: "the backend accepts only rallies that the app found",
        next: "name the metadata: --metadata FILE")
    }
    return ShareRequest(
      caption: caption, privacy: privacy ?? surroundings.configuration.privacy.value, hideLikes: hideLikes,
      metadata: rally.request, settings: processing.settings(surroundings, pictures: drawn), cut: cut.range)
  }

  /// Once, and not for each clip.
  private func noteWhatMeansNothing(_ surroundings: Surroundings) {
    let given = [privacy == nil ? nil : "--privacy", hideLikes ? "--hide-likes" : nil].compactMap(\.self)
    guard surroundings.configuration.backend.value == .mux, !given.isEmpty, !output.quiet else { return }
    Console.writeError(
      "note: \(given.joined(separator: " and ")) \(given.count == 1 ? "means" : "mean") nothing on the backend mux: "
        + "who has the address can watch\n")
  }

  func run() async throws {
    let surroundings = try Surroundings(flags: processing.flags + transfer.flags + jobs.flags)
    let request = try request(surroundings)
    noteWhatMeansNothing(surroundings)
    if dryRun { return try await DryRun.run(files, request: request, asJSON: output.json) }
    let files = review ? try await reviewed(request) : self.files
    let reporter = Reporter(style: output.progress, isQuiet: output.quiet, isMany: files.count > 1)
    let session = try await ShareSession(
      surroundings, waits: !noWait, signIn: .onTerminal(reporter)
    ) { reporter.take($0) }
    let tell = reporter.tell(asJSON: output.json)
    let asJSON = output.json
    let code = try await session.use {
      // All of them first: whatever stops this run, `bsc resume` knows what is left.
      var (orders, failed) = ([ShareOrder](), [FailureCategory]())
      var desk = OrderDesk(session: session, request: request, force: force)
      desk.isPrivacyGiven = privacy != nil
      if !pictures.kinds.isEmpty { desk.keepsPictures = true }
      for file in files {
        do {
          switch try await desk.open(file) {
          case .order(let order):
            orders.append(order)
            if let note = order.note { reporter.interrupting { Console.writeError("note: \(note)\n") } }
          case .skipped(let note): reporter.interrupting { Console.writeError("note: \(note)\n") }
          }
        } catch let error as any ExplainedError {
          tell(error.explanation, file)
          failed.append(error.explanation.category)
        }
      }
      return try await EachInput.run(
        orders, width: session.width, named: \.file, failed: failed, tell: tell,
        make: { try await session.begin($0.job, isContinued: $0.isContinued, reporter: reporter) },
        finish: { try await session.finish($1, input: $0.file, reporter: reporter, asJSON: asJSON) })
    }
    reporter.summarize()
    try ExitStatusError.end(with: code)
  }

  /// The files that somebody wants to share after a look at each.
  private func reviewed(_ request: ShareRequest) async throws -> [String] {
    guard Console.isInputTerminal else {
      throw UsageFailure(
        what: "cannot ask", why: "--review needs a terminal", next: "look at the plan with --dry-run instead")
    }
    var wanted: [String] = []
    for file in files {
      // A refused one is refused again, with its exit code.
      if try await DryRun.show(file, request: request, asJSON: false, write: Console.writeError) == nil {
        Console.writeError("Share this? [y/N] ")
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
          Console.writeError("Not shared; nothing was sent.\n")
          continue
        }
      }
      wanted.append(file)
    }
    return wanted
  }
}

/// Which metadata and which rally.
struct RallyOptions: ParsableArguments {
  @Option(help: "Rally metadata of the app. (default: the JSON file beside the clip)", completion: .file())
  var metadata: String?

  @Option(help: "source: the times are inside this file; clip: this file is the rally; auto: found out.")
  var metadataMode: MetadataMode = .auto

  @Option(name: .customLong("rally"), help: "Which rally, counted from 0 as in the app.")
  var rallyIndex: Int?

  @Flag(help: "Share a clip that has no metadata (local backend only).")
  var allowNoMetadata = false

  var request: MetadataRequest {
    MetadataRequest(
      path: metadata.map(absolutePath), mode: metadataMode, rallyIndex: rallyIndex, isOptional: allowNoMetadata)
  }
}

extension Privacy: ExpressibleByArgument {}
extension MetadataMode: ExpressibleByArgument {}

/// A command line that asks for something impossible.
struct UsageFailure: ExplainedError {
  var what: String
  var why: String
  var next: String
  var category = FailureCategory.usage
  var explanation: Explanation { Explanation(what: what, why: why, next: next, category: category) }
}
