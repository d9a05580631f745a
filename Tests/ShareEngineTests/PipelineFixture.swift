import ClipModel
import DurableFiles
import Foundation
import Highlights
import LibCurl
import ShareEngine
import Synchronization
import TestSupport
import Upload

/// A pipeline in a separate folder, with a sample clip whose video is copied.
struct PipelineFixture {
  let home: ScratchFolder
  let places: ApplicationFolders
  let journal: Journal
  let secrets: SecretStore
  let backend: MemoryBackend
  let events = Events()
  let clip: String

  /// The reported events as text.
  final class Events: Sendable {
    private let state = Mutex([String]())
    var all: [String] { state.withLock { $0 } }
    func add(_ text: String) { state.withLock { $0.append(text) } }
  }

  /// - Parameter source: the file to share; `nil` for the sample.
  init(_ backend: MemoryBackend, source: String? = nil) async throws {
    let home = try ScratchFolder()
    self.home = home
    self.backend = backend
    places = try ApplicationFolders(environment: ["HOME": home.path])
    try places.createStateFolders()
    journal = try await Journal.open(places)
    secrets = SecretStore(places: places)
    clip = home.path("rally.mp4")
    try FileManager.default.copyItem(atPath: source ?? SharedMedia.sample("no-metadata.mp4"), toPath: clip)
  }

  var registry: JobRegistry { JobRegistry(journal: journal, places: places) }

  /// The job that `share` would create for the clip.
  func newJob() async throws -> ShareJob {
    try await registry.open([ShareClip(try await registry.readSource(clip), Self.request)], backend: "local").jobs[0]
  }

  static let request = ShareRequest(caption: "Ace #serve", metadata: MetadataRequest(isOptional: true))

  /// - Parameters:
  ///   - simultaneousUploads: the most uploads at the same time.
  ///   - resolve: called before each request of the upload.
  func pipeline(
    simultaneousUploads: Int = 2,
    resolve: @escaping @Sendable (_ url: String) async throws -> Void = { _ in }
  ) throws -> SharePipeline {
    let events = events
    var uploader = DirectUpload(transport: try TransferThread(), layout: ChunkLayout(chunkByteCount: 256 << 10))
    uploader.clock = FaultClock()
    return SharePipeline(
      journal: journal, places: places, backend: backend, uploader: uploader,
      simultaneousUploads: simultaneousUploads,
      resolveURL: { url in
        try await resolve(url)
        return url
      },
      report: { event in
        switch event {
        case .ended(let job, let step): events.add("\(step.rawValue): \(job.stage.name)")
        case .note(_, let text): events.add(text)
        case .warning(_, let text): events.add("warning: \(text)")
        case .opened, .began, .progressed: break
        }
      })
  }

  /// A job whose clip is processed and whose upload was interrupted before the first byte.
  func processedJob() async throws -> ShareJob {
    struct Stop: Error {}
    let job = try await newJob()
    do {
      _ = try await pipeline(resolve: { _ in throw Stop() }).run(job)
    } catch is Stop {}
    return try await stored(job)
  }

  func stored(_ job: ShareJob) async throws -> ShareJob {
    guard let stored = try await journal.load(job.id) else { throw CocoaError(.fileNoSuchFile) }
    return stored
  }
}

extension JobRegistry.ShareMatch {
  var jobs: [ShareJob] {
    switch self {
    case .new(let jobs), .continued(let jobs), .shared(let jobs), .sharedDifferently(let jobs): jobs
    case .conflict(let job): [job]
    }
  }
}

extension SharePipeline {
  /// A share of one clip.
  func run(_ job: ShareJob) async throws -> ShareJob { try await run([job])[0] }
}
