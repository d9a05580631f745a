import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// What a share would do: each clip with its plan and its caption, and which of them become one highlight.
struct SharePreview {
  /// Of all clips.
  var request: ShareRequest
  var isPrivacyGiven: Bool
  /// Of each clip.
  var captions: CaptionList?
  /// What was shared before is shared once more.
  var force: Bool
  var decodes: Bool
  var surroundings: CommandEnvironment
  /// Pictures go beside the clip.
  var keepsPictures: Bool
  /// Notes are not told.
  var isQuiet: Bool

  private var dryRun: DryRun { DryRun(rules: surroundings.configuration.rules, decodes: decodes) }

  /// `share --dry-run`: ends with the exit code of the worst.
  /// - Parameter groups: the files of each highlight, as they were named.
  func run(_ groups: [[String]], asJSON: Bool) async throws {
    let code = try await InputRunner.run(groups, named: \.[0], asJSON: asJSON) { group in
      guard group.count > 1 else { return try await show(group[0], asJSON: asJSON, write: Console.write) }
      return try await showPost(group, asJSON: asJSON)
    }
    try ExitStatusError.end(with: code)
  }

  /// Shows one clip; returns why it is refused, if it is.
  func show(
    _ file: String, asJSON: Bool = false, write: (StyledText) -> Void
  ) async throws -> FailureCategory? {
    try ShareInputs.requireFile(file)
    var own = request
    own.caption = captions?[file] ?? own.caption
    let wishes = wishes(file)
    own = wishes.applied(to: own, isPrivacyGiven: isPrivacyGiven)
    let refusal = try await dryRun.show(file, request: own, asJSON: asJSON, write: write)
    guard refusal == nil else { return refusal }
    // As a share would ask the journal: with what goes beside the clip.
    if keepsPictures { own.pictureBase = (absolutePath(file) as NSString).deletingPathExtension }
    let note = try await DuplicateShare.note(
      of: file, request: own, wishes: wishes, force: force, surroundings: surroundings)
    if let note, !isQuiet { Console.note(note) }
    return nil
  }

  /// One highlight has one caption. A clip of it that nobody can use leaves nothing of the highlight.
  private func showPost(_ files: [String], asJSON: Bool) async throws -> FailureCategory? {
    let sources = try await sources(files)
    let shared = files.map(wishes).reduce(request) { $1.applied(to: $0, isPrivacyGiven: isPrivacyGiven) }
    if !asJSON {
      Console.write(Console.printable("one highlight of \(files.count) clips: \(files.joined(separator: ", "))\n"))
    }
    var failures: [FailureCategory] = []
    for file in files {
      do {
        try ShareInputs.requireFile(file)
        let refusal = try await dryRun.show(
          file, request: shared, asJSON: asJSON, together: files, write: Console.write)
        if let refusal { failures.append(refusal) }
      } catch let error as any ExplainedError {
        ErrorOutput.write(error.explanation, subject: file, names: true, asJSON: asJSON)
        failures.append(error.explanation.category)
      }
    }
    let refused = failures.count { $0 == .rejected }
    if refused > 0, refused == failures.count {
      throw PostError.refused(count: refused, of: files.count)
    }
    if failures.isEmpty, !force, !isQuiet, let note = try await note(files, sources, shared) { Console.note(note) }
    return failures.first { $0 != .rejected } ?? failures.first
  }

  /// What is known of these clips together.
  private func note(_ files: [String], _ sources: [SourceFile], _ shared: ShareRequest) async throws -> String? {
    let clips = sources.map { source in
      var request = shared
      if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
      return ShareClip(source, request)
    }
    return try await DuplicateShare.note(
      ofPost: clips, highlightID: ShareInputs.highlightID(of: sources, files.map(wishes)), surroundings: surroundings)
  }

  private func wishes(_ file: String) -> ExportedShareOptions {
    ExportedShareOptions.read(request.metadata, clipPath: absolutePath(file))
  }

  /// The files as jobs would know them, each another one as in `ShareInputs.open`; none where one cannot be read, which
  /// is told when it is looked at.
  private func sources(_ files: [String]) async throws -> [SourceFile] {
    var sources: [SourceFile] = []
    for file in files {
      let path = absolutePath(file)
      guard let identity = try? FileIdentity.of(path), let digest = try? await FileDigest.sha256(path: path) else {
        try Task.checkCancellation()
        return []
      }
      sources.append(SourceFile(path: path, byteCount: identity.byteCount, sha256: digest))
    }
    if ShareInputs.highlightID(of: sources, files.map(wishes)) == nil {
      try ShareInputs.requireDistinct(files, sources)
    }
    return sources
  }
}
