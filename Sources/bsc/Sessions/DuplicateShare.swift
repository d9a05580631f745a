import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

/// What is known of earlier shares of a clip, or of clips together, in words.
enum DuplicateShare {
  static func again(_ files: [String]) -> String {
    files.count == 1
      ? "\(files[0]) was shared before; --force shares it once more"
      : "these clips were shared together before; --force shares them once more"
  }

  /// For a look at what a share would do.
  /// - Parameters:
  ///   - request: of this clip.
  ///   - force: what was shared is shared once more.
  /// - Throws: `CommandFailure` where a share would be refused for an unfinished job.
  /// - Returns: `nil` for a clip that nobody has shared from here.
  static func note(
    of file: String, request: ShareRequest, wishes: ExportedShareOptions, force: Bool, surroundings: CommandEnvironment
  ) async throws -> String? {
    let places = surroundings.places
    let path = absolutePath(file)
    guard !force else { return nil }
    let exported = try await exported(file, path, request, wishes, places)
    // A look makes no journal, and reads no clip through that cannot be in it.
    guard FileManager.default.fileExists(atPath: places.journalFile) else { return exported }
    let journal = try await Journal.open(places)
    let byteCount = try FileIdentity.of(path).byteCount
    guard try await journal.readable().contains(where: { $0.source.byteCount == byteCount }) else { return exported }
    let registry = JobRegistry(journal: journal, places: places)
    let source = try await registry.source(path)
    let clips = [ShareClip(source, request)]
    let opening = try await registry.find(
      clips, backend: surroundings.configuration.backend.value.rawValue,
      highlightID: request.cut == nil ? wishes.highlightID(of: source) : nil)
    switch opening {
    case .shared: return again([file])
    case .continued(let jobs):
      let job = jobs[0]
      return "\(file) goes on after \"\(job.stage.name)\" (job \(job.id.uuidString.lowercased().prefix(8)))"
    case .rival(let job):
      throw ShareRefusal.rival(job).failure(file)
    case .other(let jobs): return exported ?? note(of: jobs, from: clips, subject: file)
    case .new, nil: return exported
    }
  }

  /// The same of clips that become one highlight; `nil` for what nobody has shared from here.
  static func note(
    ofPost clips: [ShareClip], highlightID: UUID?, surroundings: CommandEnvironment
  ) async throws -> String? {
    let places = surroundings.places
    guard highlightID == nil, FileManager.default.fileExists(atPath: places.journalFile) else { return nil }
    let registry = JobRegistry(journal: try await Journal.open(places), places: places)
    let backend = surroundings.configuration.backend.value.rawValue
    switch try await registry.find(clips, backend: backend) {
    case .shared: return Self.again(clips.map(\.source.path))
    case .other(let jobs): return note(of: jobs, from: clips, subject: "the clips together")
    case .continued, .rival, .new, nil: return nil
    }
  }

  private static func note(of jobs: [ShareJob], from clips: [ShareClip], subject: String) -> String {
    let differences = ShareDifference.all(of: jobs, nil, from: clips)
    guard !differences.isEmpty else { return "\(subject) was shared before; --force shares it once more" }
    let refusal = ShareRefusal.differs(jobs[0], differences, clipCount: jobs.count).failure(subject)
    return "\(subject): \(refusal.explanation.why); where that is still there, nothing is sent without --force"
  }

  /// The backend is not asked whether it is still there.
  private static func exported(
    _ file: String, _ path: String, _ request: ShareRequest, _ wishes: ExportedShareOptions, _ places: Places
  ) async throws -> String? {
    guard request.cut == nil, let id = wishes.highlightID, wishes.post == nil,
      try await FileDigest.sha256(path: path) == wishes.clipSHA256
    else { return nil }
    let note =
      "\(file) was exported from highlight \(id.uuidString.lowercased().prefix(8)): where that is still there, nothing is sent"
    return note
  }
}
