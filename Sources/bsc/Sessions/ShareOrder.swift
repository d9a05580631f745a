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

extension ShareJob {
  /// The highlight as it is by now.
  fileprivate mutating func tell(_ highlight: Highlight) {
    if case .registered(_, let clip) = stage { stage = .registered(highlight, clip) }
  }
}

/// Makes the jobs of one `bsc share`, so that no clip is posted twice.
struct OrderDesk {
  enum Answer {
    case order(ShareOrder)
    /// Of clips that become one highlight.
    case post([ShareOrder])
    /// It was exported, and never went away.
    case existing(Highlight)
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
  /// The backend is not asked once more about each clip.
  private var unreachable: (any ExplainedError)?

  init(session: ShareSession, request: ShareRequest, force: Bool) {
    self.session = session
    self.request = request
    self.force = force
  }

  /// - Parameter caption: of this clip alone.
  mutating func open(_ file: String, caption: String? = nil) async throws -> Answer {
    // Before there is a job: one with a mistyped path could never be finished.
    if let metadata = request.metadata.path { _ = try FileIdentity.of(metadata) }
    let desk = JobDesk(journal: session.journal, places: session.surroundings.places)
    let backend = session.surroundings.configuration.backend.value.rawValue
    try Self.requireFile(file)
    let source = try await desk.source(absolutePath(file))
    let wishes = SidecarWishes.read(request.metadata, clipPath: source.path)
    // A part of it is another clip.
    let highlightID = request.cut == nil ? wishes.highlightID(of: source) : nil
    // Two highlights can have been made of the same bytes, and both come back.
    let identity = source.sha256 + (highlightID?.uuidString ?? "")
    if let first = files[identity] { return .skipped("\(file) is the same clip as \(first); shared once") }
    files[identity] = file
    var request = request
    request.caption = caption ?? request.caption
    request = wishes.applied(to: request, isPrivacyGiven: isPrivacyGiven)
    if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
    // What was said on the command line, and not by the sidecar.
    let said = caption ?? self.request.caption
    // Where rows are kept, the exported one's own; on mux it is a clip like others.
    let rowID = backend == BackendKind.mux.rawValue ? nil : highlightID
    if let rowID,
      case .new = try await desk.look(source, request: request, backend: backend, highlightID: rowID),
      let highlight = try await existing(rowID, file, caption: said)
    {
      try requireNoOtherWish(highlight, caption: said, file)
      return .existing(highlight)
    }
    var gone: Set<UUID> = []
    while true {
      let opening = try await desk.open(
        source, request: request, backend: backend, isNewAnyway: force, highlightID: highlightID, gone: gone)
      switch opening {
      case .new(let job): return .order(ShareOrder(file: file, job: job, isContinued: false))
      case .continued(let job): return .order(ShareOrder(file: file, job: job, isContinued: true))
      case .rival(let job): throw Self.rival(job, file)
      case .shared(var job):
        if let highlight = try await standing(job, file) {
          try require(highlight, of: [job], for: [(source, request)], rowID, caption: said, file)
          job.tell(highlight)
          return .order(ShareOrder(file: file, job: job, isContinued: false, note: SharedBefore.again(file)))
        }
        gone.insert(job.id)
      case .other(let job):
        if let highlight = try await standing(job, file) {
          try require(highlight, of: [job], for: [(source, request)], rowID, caption: said, file)
          return .existing(highlight)
        }
        gone.insert(job.id)
      }
    }
  }

  /// What was registered, as it is now; `nil` once it was taken back, and where it is somebody else's: then it may be
  /// shared again.
  /// - Parameter file: what is to be shared.
  /// - Throws: where nobody can tell. Making a job all the same could post it twice.
  private mutating func standing(_ job: ShareJob, _ file: String) async throws -> Highlight? {
    guard case .registered(let told, _) = job.stage else { return nil }
    // Where no rows are kept, what was told is all there is.
    if job.backend == BackendKind.mux.rawValue {
      return try await asking(file) { try await $0.api.exists(told) ? told : nil }
    }
    return try await asking(file) { try await $0.own($0.api.highlight(told.id)) }
  }

  /// Asks the backend about what was shared before.
  private mutating func asking(
    _ file: String, _ body: (ShareSession) async throws -> Highlight?
  ) async throws -> Highlight? {
    do {
      if let unreachable { throw unreachable }
      return try await body(session)
    } catch let error as any ExplainedError where error.explanation.category == .remote {
      unreachable = error
      throw UsageFailure(
        what: "cannot share \(file)",
        why: "it was shared before, and whether that is still there cannot be asked (\(error.explanation.why))",
        next: "run the same command again when the backend can be reached", category: .remote)
    }
  }

  /// - Parameters:
  ///   - highlight: what there is of these jobs.
  ///   - rowID: of an exported highlight, of which the sidecar tells how it was; only what was said counts then.
  /// - Throws: `UsageFailure` when it is not what is wished.
  private func require(
    _ highlight: Highlight, of jobs: [ShareJob], for clips: [(source: SourceFile, request: ShareRequest)],
    _ rowID: UUID?, caption: String?, _ subject: String
  ) throws {
    if rowID != nil { return try requireNoOtherWish(highlight, caption: caption, subject) }
    if let refusal = SharedBefore(subject, jobs, highlight).refusal(of: clips) { throw refusal }
  }

  /// Elsewhere a folder stands for all that is in it; whether each of its clips is to be a highlight, nobody said.
  static func requireFile(_ path: String) throws {
    let values = try? URL(filePath: absolutePath(path)).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory == true else { return }
    let folder = path.hasSuffix("/") ? path : path + "/"
    throw UsageFailure(
      what: "cannot share \(path)", why: "it is a folder, and each clip becomes a highlight of its own",
      next: "name the clips: bsc share \(shellWord(folder))*.mp4", category: .noInput)
  }

  /// The jobs of several files that become one highlight.
  /// - Throws: for all of them, when one stands in the way.
  mutating func openPost(_ files: [String]) async throws -> Answer {
    if let metadata = request.metadata.path { _ = try FileIdentity.of(metadata) }
    let desk = JobDesk(journal: session.journal, places: session.surroundings.places)
    let backend = session.surroundings.configuration.backend.value.rawValue
    var sources: [SourceFile] = []
    for file in files {
      try Self.requireFile(file)
      sources.append(try await desk.source(absolutePath(file)))
    }
    let wishes = sources.map { SidecarWishes.read(request.metadata, clipPath: $0.path) }
    let highlightID = Self.highlightID(of: sources, wishes)
    // What was one highlight may be so again, whatever it was made of.
    if highlightID == nil { try Self.requireDistinct(files, sources) }
    // One highlight has one caption, that of the first clip which has any, and no clip is shown to more than it wants.
    let shared = wishes.reduce(request) { $1.applied(to: $0, isPrivacyGiven: isPrivacyGiven) }
    let clips = sources.map { source in
      var request = shared
      if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
      return (source: source, request: request)
    }
    let known = try await session.journal.jobs(ofSource: sources.first?.sha256 ?? "")
    let isKnown = known.contains {
      $0.highlightID == highlightID && $0.backend == backend && (!$0.stage.isFinal || $0.stage.isRegistered)
    }
    let together = "the clips together"
    if let highlightID, !isKnown, let highlight = try await existing(highlightID, together, caption: request.caption) {
      try requireNoOtherWish(highlight, caption: request.caption, files[0])
      return .existing(highlight)
    }
    var gone: Set<UUID> = []
    while true {
      let opening = try await desk.openPost(
        clips, backend: backend, isNewAnyway: force, highlightID: highlightID, gone: gone)
      switch opening {
      case .new(let jobs): return .post(Self.orders(files, jobs, isContinued: false))
      case .continued(let jobs): return .post(Self.orders(files, jobs, isContinued: true))
      case .rival(let job):
        let file = zip(files, sources).first { $0.1.sha256 == job.source.sha256 }?.0 ?? job.source.path
        throw Self.rival(job, file)
      case .shared(var jobs):
        if let lead = jobs.first, let highlight = try await standing(lead, together) {
          try require(highlight, of: jobs, for: clips, highlightID, caption: request.caption, together)
          for index in jobs.indices { jobs[index].tell(highlight) }
          return .post(Self.orders(files, jobs, isContinued: false, note: SharedBefore.againTogether()))
        }
        gone.formUnion(jobs.map(\.highlightID))
      case .other(let jobs):
        if let lead = jobs.first, let highlight = try await standing(lead, together) {
          try require(highlight, of: jobs, for: clips, highlightID, caption: request.caption, together)
          return .existing(highlight)
        }
        gone.formUnion(jobs.map(\.highlightID))
      }
    }
  }

  /// What was exported and never went away need not come back. Where nobody can tell, sending it does no harm: the
  /// backend keeps the row that it has; unless something else was said, which would be lost.
  private mutating func existing(_ id: UUID, _ subject: String, caption: String?) async throws -> Highlight? {
    guard !force else { return nil }
    do {
      return try await asking(subject) { try await $0.own($0.api.highlight(id)) }
    } catch let error as any ExplainedError {
      guard caption == nil, !isPrivacyGiven, !request.hideLikes else { throw error }
      return nil
    }
  }

  /// What was said on the command line is not dropped silently.
  private func requireNoOtherWish(_ highlight: Highlight, caption: String?, _ file: String) throws {
    let id = highlight.id.uuidString.lowercased().prefix(8)
    var changes: [String] = []
    if let caption, caption != highlight.caption ?? "" { changes.append("--caption") }
    if isPrivacyGiven, request.privacy != highlight.privacy { changes.append("--privacy \(request.privacy.rawValue)") }
    if request.hideLikes, !highlight.hideLikes { changes.append("--hide-likes") }
    guard !changes.isEmpty else { return }
    throw UsageFailure(
      what: "cannot share \(file)", why: "it is highlight \(id), which is there and says something else",
      next:
        "correct that (bsc highlights edit \(id) \(changes.joined(separator: " "))), or share it once more with --force",
      category: .rejected)
  }

  static func requireDistinct(_ files: [String], _ sources: [SourceFile]) throws {
    for (place, source) in sources.enumerated() {
      guard let first = sources.firstIndex(where: { $0.sha256 == source.sha256 }), first != place else { continue }
      throw UsageFailure(
        what: "cannot share the clips together", why: "\(files[place]) is the same clip as \(files[first])",
        next: "name each clip once")
    }
  }

  private static func orders(
    _ files: [String], _ jobs: [ShareJob], isContinued: Bool, note: String? = nil
  ) -> [ShareOrder] {
    zip(files, jobs).map { ShareOrder(file: $0, job: $1, isContinued: isContinued, note: note) }
  }

  /// The highlight that exported clips were together, in this order.
  static func highlightID(of sources: [SourceFile], _ wishes: [SidecarWishes]) -> UUID? {
    let places = wishes.enumerated().map { PostPlace(part: $0.offset, count: sources.count) }
    guard wishes.map(\.post) == places, let id = wishes.first?.highlightID,
      zip(sources, wishes).allSatisfy({ $1.highlightID == id && $1.clipSHA256 == $0.sha256 })
    else { return nil }
    return id
  }

  /// Why an unfinished job stands in the way of another share.
  static func rival(_ job: ShareJob, _ file: String) -> UsageFailure {
    let id = job.id.uuidString.lowercased().prefix(8)
    return UsageFailure(
      what: "cannot share \(file)", why: conflict(with: job),
      next: "finish it (bsc resume \(id)), take it back (bsc jobs cancel \(id)), or share both with --force",
      category: .rejected)
  }

  private static func conflict(with job: ShareJob) -> String {
    let id = job.id.uuidString.lowercased().prefix(8)
    return job.post == nil
      ? "an unfinished job of this rally (\(id)) has another caption or other settings, and both would be posted"
      : "it is part of an unfinished post of several clips (\(id)), and both would be posted"
  }
}
