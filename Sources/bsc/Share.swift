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

  @OptionGroup(title: "Network") var transfer: TransferFlags

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and stop.")
  var dryRun = false

  @Flag(help: "Show the plan and ask before anything is sent.")
  var review = false

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

  func run() async throws {
    let surroundings = try Surroundings(flags: processing.flags + transfer.flags)
    let request = try request(surroundings)
    if dryRun { return try await DryRun.run(files, request: request, asJSON: output.json) }
    let reporter = Reporter(style: output.progress, isQuiet: output.quiet)
    let session = try await ShareSession(surroundings) { reporter.take($0) }
    let code = try await session.use {
      try await EachInput.run(files, named: \.self, asJSON: output.json, beforeError: reporter.endLine) { file in
        try await share(file, request: request, session: session, reporter: reporter)
      }
    }
    try ExitStatusError.end(with: code)
  }

  /// Shares one file; returns why it was refused, if it was.
  private func share(
    _ file: String, request: ShareRequest, session: ShareSession, reporter: Reporter
  ) async throws -> FailureCategory? {
    if review {
      guard Console.isInputTerminal else {
        throw UsageFailure(
          what: "cannot ask", why: "--review needs a terminal", next: "look at the plan with --dry-run instead")
      }
      let refusal = try await DryRun.show(file, request: request, asJSON: false, write: Console.writeError)
      if let refusal { return refusal }
      Console.writeError("Share this? [y/N] ")
      guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
        Console.writeError("Not shared; nothing was sent.\n")
        return nil
      }
    }
    // Before there is a job: one with a mistyped path could never be finished.
    if let metadata = request.metadata.path { _ = try FileIdentity.of(metadata) }
    let desk = JobDesk(journal: session.journal, places: session.surroundings.places)
    var request = request
    if !pictures.kinds.isEmpty { request.pictureBase = (absolutePath(file) as NSString).deletingPathExtension }
    let opened = try await desk.open(
      path: absolutePath(file), request: request, backend: session.surroundings.configuration.backend.value.rawValue)
    return try await session.finish(
      opened.job, isContinued: opened.isContinued, input: file, reporter: reporter, asJSON: output.json)
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
  var explanation: Explanation { Explanation(what: what, why: why, next: next, category: .usage) }
}
