import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

/// From the files of one `bsc share` to the jobs of its highlights.
struct ShareInputs {
  enum Answer {
    case work(ShareUnit)
    /// It was exported, or shared in another way, and is there.
    case existing(Highlight)
    /// Nothing is to be done, and why.
    case skipped(String)
  }

  private let registry: JobRegistry
  private let admission: ShareAdmission
  private let request: ShareRequest
  /// What was shared before is shared once more.
  private let force: Bool
  /// The command line sets the privacy level, whatever an export says.
  var isPrivacyGiven = false
  /// Pictures go beside the clip.
  var keepsPictures = false
  /// Which file of this run brought the bytes.
  private var files: [String: String] = [:]

  init(session: ShareSession, request: ShareRequest, force: Bool) {
    registry = JobRegistry(journal: session.journal, places: session.surroundings.places)
    admission = ShareAdmission(
      registry: registry, backend: session.api, backendName: session.surroundings.configuration.backend.value.rawValue,
      author: { [link = session.link] in try await link.author })
    self.request = request
    self.force = force
  }

  /// The jobs of one highlight.
  /// - Parameters:
  ///   - names: its clips as they were named, in order.
  ///   - caption: of a single clip alone.
  /// - Throws: for all of them, when one stands in the way.
  mutating func open(_ names: [String], caption: String? = nil) async throws -> Answer {
    // Before there is a job: one with a mistyped path could never be finished.
    if let metadata = request.metadata.path { _ = try FileIdentity.of(metadata) }
    var sources: [SourceFile] = []
    for name in names {
      try Self.requireFile(name)
      sources.append(try await registry.source(absolutePath(name)))
    }
    let wishes = sources.map { ExportedShareOptions.read(request.metadata, clipPath: $0.path) }
    // A part of an exported clip is another clip.
    let highlightID = request.cut == nil ? Self.highlightID(of: sources, wishes) : nil
    if names.count == 1 {
      // Two highlights can have been made of the same bytes, and both come back.
      let identity = sources[0].sha256 + (highlightID?.uuidString ?? "")
      if let first = files[identity] { return .skipped("\(names[0]) is the same clip as \(first); shared once") }
      files[identity] = names[0]
    } else if highlightID == nil {
      // What was one highlight may be so again, whatever it was made of.
      try Self.requireDistinct(names, sources)
    }
    var wanted = request
    wanted.caption = caption ?? wanted.caption
    // One highlight has one caption, that of the first clip which has any, and no clip is shown to more than it wants.
    let shared = wishes.reduce(wanted) { $1.applied(to: $0, isPrivacyGiven: isPrivacyGiven) }
    var order = ShareAdmission.Order(
      sources.map { source in
        var request = shared
        if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
        return ShareClip(source, request)
      })
    order.exportedID = highlightID
    order.isNewAnyway = force
    order.explicit.caption = wanted.caption
    order.explicit.privacy = isPrivacyGiven ? request.privacy : nil
    order.explicit.hideLikes = request.hideLikes
    do {
      switch try await admission.admit(order) {
      case .work(let jobs, let isContinued): return .work(ShareUnit(files: names, jobs: jobs, isContinued: isContinued))
      case .shared(let jobs):
        return .work(ShareUnit(files: names, jobs: jobs, isContinued: false, note: DuplicateShare.again(names)))
      case .existing(let highlight, _): return .existing(highlight)
      }
    } catch let refusal as ShareRefusal {
      var subject = names.count == 1 ? names[0] : "the clips together"
      if case .rival(let job) = refusal {
        subject = zip(names, sources).first { $0.1.sha256 == job.source.sha256 }?.0 ?? job.source.path
      }
      throw refusal.failure(subject)
    }
  }

  /// Elsewhere a folder stands for all that is in it; whether each of its clips is to be a highlight, nobody said.
  static func requireFile(_ path: String) throws {
    let values = try? URL(filePath: absolutePath(path)).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory == true else { return }
    let folder = path.hasSuffix("/") ? path : path + "/"
    throw CommandFailure(.folderAsClip, ["file": path, "word": shellWord(folder)])
  }

  static func requireDistinct(_ files: [String], _ sources: [SourceFile]) throws {
    for (place, source) in sources.enumerated() {
      guard let first = sources.firstIndex(where: { $0.sha256 == source.sha256 }), first != place else { continue }
      throw CommandFailure(.sameClips, ["file": files[place], "other": files[first]])
    }
  }

  /// The highlight that exported clips were, together in this order.
  static func highlightID(of sources: [SourceFile], _ wishes: [ExportedShareOptions]) -> UUID? {
    if sources.count == 1 { return wishes[0].highlightID(of: sources[0]) }
    let places = wishes.enumerated().map { PostPlace(part: $0.offset, count: sources.count) }
    guard wishes.map(\.post) == places, let id = wishes.first?.highlightID,
      zip(sources, wishes).allSatisfy({ $1.highlightID == id && $1.clipSHA256 == $0.sha256 })
    else { return nil }
    return id
  }
}
