import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

/// What is known of earlier shares of a clip, or of clips together, in words.
struct SharedBefore {
  /// What is to be shared: a file as it was named, or `the clips together`.
  var subject: String
  /// Of the earlier share: one, or those of a post in order.
  var jobs: [ShareJob]
  /// As it is now; `nil` where nobody was asked, and the journal alone knows.
  var highlight: Highlight?

  init(_ subject: String, _ jobs: [ShareJob], _ highlight: Highlight? = nil) {
    (self.subject, self.jobs, self.highlight) = (subject, jobs, highlight)
  }

  /// What is a highlight already, with another wish: two of it, perhaps one of them for fewer people, are nobody's
  /// accident.
  /// - Parameter clips: what is asked for now, at least one.
  /// - Returns: `nil` where the highlight is as it is wished.
  func refusal(of clips: [(source: SourceFile, request: ShareRequest)]) -> UsageFailure? {
    guard let lead = jobs.first, let wish = clips.first?.request else { return nil }
    // A video of Mux has a title, and no rows that say who may see it or could be changed.
    let isRow = lead.backend != BackendKind.mux.rawValue
    let known = isRow ? highlight : nil
    var (differences, flags) = ([String](), [String]())
    if (known.map(\.caption) ?? lead.request.caption) ?? "" != wish.caption ?? "" {
      differences.append("another caption")
      flags.append(wish.caption == nil ? "--caption \"\"" : "--caption …")
    }
    if isRow {
      let (privacy, hidesLikes) = (
        known?.privacy ?? lead.request.privacy, known?.hideLikes ?? lead.request.hideLikes
      )
      if privacy != wish.privacy {
        differences.append("privacy \(privacy.rawValue)")
        flags.append("--privacy \(wish.privacy.rawValue)")
      }
      if hidesLikes != wish.hideLikes {
        differences.append(hidesLikes ? "hidden likes" : "likes that are shown")
        flags.append(wish.hideLikes ? "--hide-likes" : "--show-likes")
      }
    }
    if jobs.map(\.source.sha256) != clips.map(\.source.sha256) { differences.append("another order") }
    if hasOtherSettings(clips) { differences.append("other settings") }
    guard !differences.isEmpty else { return nil }
    let id = lead.highlightID.uuidString.lowercased().prefix(8)
    let (they, it) = jobs.count > 1 ? ("they are", "them") : ("it is", "it")
    let edit =
      isRow && !flags.isEmpty
      ? "correct that one (bsc highlights edit \(id) \(flags.joined(separator: " "))), or " : ""
    return UsageFailure(
      what: "cannot share \(subject)",
      why:
        "\(they) \(isRow ? "highlight \(id)" : "a video at Mux") already, with \(differences.joined(separator: ", "))",
      next: "\(edit)share \(it) once more with --force", category: .rejected)
  }

  /// Whatever a highlight does not say of itself: how the clip was made.
  private func hasOtherSettings(_ clips: [(source: SourceFile, request: ShareRequest)]) -> Bool {
    clips.contains { clip in
      guard var made = jobs.first(where: { $0.source.sha256 == clip.source.sha256 })?.request else { return true }
      made.caption = clip.request.caption
      made.privacy = clip.request.privacy
      made.hideLikes = clip.request.hideLikes
      return made != clip.request
    }
  }

  static func again(_ file: String) -> String {
    let note = "\(file) was shared before; --force shares it once more"
    return note
  }

  static func againTogether() -> String {
    let note = "these clips were shared together before; --force shares them once more"
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
    let opening = try await desk.look(
      source, request: request, backend: surroundings.configuration.backend.value.rawValue,
      highlightID: request.cut == nil ? wishes.highlightID(of: source) : nil)
    switch opening {
    case .shared: return again(file)
    case .continued(let job):
      return "\(file) goes on after \"\(job.stage.name)\" (job \(job.id.uuidString.lowercased().prefix(8)))"
    case .rival(let job):
      throw OrderDesk.rival(job, file)
    case .other(let job):
      return exported ?? SharedBefore(file, [job]).note(of: [(source, request)])
    case .new: return exported
    }
  }

  /// The same of clips that become one highlight; `nil` for what nobody has shared from here.
  static func note(
    ofPost clips: [(source: SourceFile, request: ShareRequest)], highlightID: UUID?, surroundings: Surroundings
  ) async throws -> String? {
    let places = surroundings.places
    guard highlightID == nil, FileManager.default.fileExists(atPath: places.journalFile) else { return nil }
    let desk = JobDesk(journal: try await Journal.open(places), places: places)
    let backend = surroundings.configuration.backend.value.rawValue
    switch try await desk.lookAtPost(clips, backend: backend) {
    case .shared: return Self.againTogether()
    case .other(let jobs): return SharedBefore("the clips together", jobs).note(of: clips)
    case .continued, .rival, .new, nil: return nil
    }
  }

  private func note(of clips: [(source: SourceFile, request: ShareRequest)]) -> String {
    guard let refusal = refusal(of: clips) else { return Self.again(subject) }
    return "\(subject): \(refusal.why); where that is still there, nothing is sent without --force"
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
