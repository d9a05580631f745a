import ClipModel
import DurableFiles
import Foundation
import Highlights
import LibCurl
import ShareEngine
import Synchronization
import TestSupport
import Upload

/// A pipeline on a folder of its own, with a sample clip that is copied and not re-encoded.
struct PipelineFixture {
  let home: ScratchFolder
  let places: Places
  let journal: Journal
  let secrets: SecretStore
  let backend: MemoryBackend
  let events = Events()
  let clip: String

  /// What was reported, as words.
  final class Events: Sendable {
    private let state = Mutex([String]())
    var all: [String] { state.withLock { $0 } }
    func add(_ text: String) { state.withLock { $0.append(text) } }
  }

  init(_ backend: MemoryBackend) async throws {
    let home = try ScratchFolder()
    self.home = home
    self.backend = backend
    places = try Places(environment: ["HOME": home.path])
    try places.createStateFolders()
    journal = try await Journal.open(places)
    secrets = SecretStore(places: places)
    clip = home.path("rally.mp4")
    try FileManager.default.copyItem(atPath: SharedMedia.sample("no-metadata.mp4"), toPath: clip)
  }

  var registry: JobRegistry { JobRegistry(journal: journal, places: places) }

  /// The job that `share` would make for the clip.
  func newJob() async throws -> ShareJob {
    try await registry.open([ShareClip(try await registry.source(clip), Self.request)], backend: "local").jobs[0]
  }

  static let request = ShareRequest(caption: "Ace #serve", metadata: MetadataRequest(isOptional: true))

  /// - Parameter resolve: looked at before each request of the upload.
  func pipeline(
    resolve: @escaping @Sendable (_ url: String) async throws -> Void = { _ in }
  ) throws -> SharePipeline {
    let events = events
    let uploader = DirectUpload(
      transport: try TransferThread(), layout: ChunkLayout(chunkByteCount: 256 << 10), clock: FaultClock())
    return SharePipeline(
      journal: journal, places: places, secrets: secrets, backend: backend, uploader: uploader,
      resolveURL: { url in
        try await resolve(url)
        return url
      },
      report: { event in
        switch event {
        case .ended(let job, let arrow): events.add("\(arrow.rawValue): \(job.stage.name)")
        case .noted(_, let text): events.add(text)
        case .warned(_, let text): events.add("warning: \(text)")
        case .opened, .began, .progressed: break
        }
      })
  }

  /// A job whose clip is processed, and nothing more: the first upload breaks off in a way that a later run mends.
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

extension SharePipeline {
  /// A share of one clip.
  func run(_ job: ShareJob) async throws -> ShareJob { try await run([job])[0] }
}
