import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// What is known of earlier shares of a clip, in words.
enum SharedBefore {
  /// A clip that is a highlight already, with another wish: two of it, perhaps one of them for fewer people, are nobody's
  /// accident.
  /// - Parameter file: as it was named.
  static func other(_ file: String, _ earlier: ShareJob, _ request: ShareRequest) -> UsageFailure {
    let id = earlier.highlightID.uuidString.lowercased().prefix(8)
    var (differences, flags) = ([String](), [String]())
    if earlier.request.caption != request.caption {
      differences.append("another caption")
      if request.caption != nil { flags.append("--caption …") }
    }
    if earlier.request.privacy != request.privacy {
      differences.append("privacy \(earlier.request.privacy.rawValue)")
      flags.append("--privacy \(request.privacy.rawValue)")
    }
    if earlier.request.hideLikes != request.hideLikes {
      differences.append(earlier.request.hideLikes ? "hidden likes" : "likes that are shown")
      if request.hideLikes { flags.append("--hide-likes") }
    }
    let edit = flags.isEmpty ? "" : "correct that one (bsc highlights edit \(id) \(flags.joined(separator: " "))), or "
    return UsageFailure(
      what: "cannot share \(file)",
      why:
        "it is highlight \(id) already, with \(differences.isEmpty ? "other settings" : differences.joined(separator: ", "))",
      next: "\(edit)share it once more with --force", category: .rejected)
  }

  static func again(_ file: String) -> String {
    let note = "\(file) was shared before; --force shares it once more"
    return note
  }

  /// For a look at what a share would do.
  /// - Parameters:
  ///   - request: of this clip.
  ///   - force: what was shared is shared once more.
  /// - Throws: `UsageFailure` where a share would be refused for an unfinished job.
  /// - Returns: `nil` for a clip that nobody has shared from here.
  static func note(
    of file: String, request: ShareRequest, wishes: SidecarWishes, force: Bool, surroundings: Surroundings
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
    let desk = JobDesk(journal: journal, places: places)
    let source = try await desk.source(path)
    let (opening, earlier) = try await desk.look(
      source, request: request, backend: surroundings.configuration.backend.value.rawValue,
      highlightID: request.cut == nil ? wishes.highlightID(of: source) : nil)
    switch opening {
    case .shared: return again(file)
    case .continued(let job):
      return "\(file) goes on after \"\(job.stage.name)\" (job \(job.id.uuidString.lowercased().prefix(8)))"
    case .rival(let job):
      throw OrderDesk.rival(job, file)
    case .new:
      return exported
        ?? earlier.map {
          let other = other(file, $0, request)
          return "\(file): \(other.why); where that is still there, nothing is sent without --force"
        }
    }
  }

  /// The backend is not asked whether it is still there.
  private static func exported(
    _ file: String, _ path: String, _ request: ShareRequest, _ wishes: SidecarWishes, _ places: Places
  ) async throws -> String? {
    guard request.cut == nil, let id = wishes.highlightID, wishes.post == nil,
      try await FileDigest.sha256(path: path) == wishes.clipSHA256
    else { return nil }
    let note =
      "\(file) was exported from highlight \(id.uuidString.lowercased().prefix(8)): where that is still there, nothing is sent"
    return note
  }
}
