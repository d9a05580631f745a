import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

/// A file of `bsc share` with its job.
struct ShareOrder: Sendable {
  /// As it was named.
  var file: String
  var job: ShareJob
  var isContinued: Bool
  /// What people should know before.
  var note: String?
}

/// Makes the jobs of one `bsc share`, so that no clip is posted twice.
struct OrderDesk {
  enum Answer {
    case order(ShareOrder)
    /// Nothing is to be done, and why.
    case skipped(String)
  }

  var session: ShareSession
  var request: ShareRequest
  /// What was shared before is shared once more.
  var force: Bool
  /// The command line says who may see them, and no sidecar has a say in it.
  var isPrivacyGiven = false
  /// Pictures go beside the clip.
  var keepsPictures = false
  /// Which file of this run brought the bytes.
  private var files: [String: String] = [:]

  init(session: ShareSession, request: ShareRequest, force: Bool) {
    self.session = session
    self.request = request
    self.force = force
  }

  mutating func open(_ file: String) async throws -> Answer {
    // Before there is a job: one with a mistyped path could never be finished.
    if let metadata = request.metadata.path { _ = try FileIdentity.of(metadata) }
    let desk = JobDesk(journal: session.journal, places: session.surroundings.places)
    let backend = session.surroundings.configuration.backend.value.rawValue
    let source = try await desk.source(absolutePath(file))
    if let first = files[source.sha256] { return .skipped("\(file) is the same clip as \(first); shared once") }
    files[source.sha256] = file
    var request = request
    let wishes = SidecarWishes.read(request.metadata, clipPath: source.path)
    request = wishes.applied(to: request, isPrivacyGiven: isPrivacyGiven)
    if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
    let opening = try await desk.open(
      source, request: request, backend: backend, isNewAnyway: force, highlightID: wishes.highlightID(of: source))
    switch opening {
    case .new(let job): return .order(ShareOrder(file: file, job: job, isContinued: false))
    case .continued(let job): return .order(ShareOrder(file: file, job: job, isContinued: true))
    case .rival(let job):
      let id = job.id.uuidString.lowercased().prefix(8)
      throw UsageFailure(
        what: "cannot share \(file)",
        why: "an unfinished job of this rally (\(id)) has another caption or other settings, and both would be posted",
        next: "finish it (bsc resume \(id)), take it back (bsc jobs cancel \(id)), or share both with --force",
        category: .rejected)
    case .shared(let job):
      // Taken back since then, it may be shared again.
      guard case .registered(let highlight, _) = job.stage, try await session.api.exists(highlight) else {
        let again = try await desk.open(source, request: request, backend: backend, isNewAnyway: true)
        return .order(ShareOrder(file: file, job: again.job, isContinued: false))
      }
      return .order(
        ShareOrder(
          file: file, job: job, isContinued: false, note: "\(file) was shared before; --force shares it once more"))
    }
  }
}
