import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Highlights
import LibCurl
import ShareEngine
import Synchronization
import TestSupport
import Testing
import Upload

/// The five steps, and their failures.
@Suite struct SharePipelineTests {
  /// A long batch can contain many rejected clips.
  @Test func rejectedClipIsClosed() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let clips = [ShareClip(try await fixture.registry.readSource(fixture.clip), ShareRequest())]
    let pipeline = try fixture.pipeline()
    let jobs = try await pipeline.run(try await fixture.registry.open(clips, backend: "local").jobs)
    #expect(jobs.map(\.stage.isRejected) == [true])
    #expect(OpenFiles.paths(withPrefix: fixture.clip).isEmpty)
  }

  /// Also if the file was written just before its digest was computed, and its size stays the same.
  @Test func changedSourceIsReported() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    var bytes = try Data(contentsOf: URL(filePath: fixture.clip))
    try bytes.write(to: URL(filePath: fixture.clip))
    let job = try await fixture.newJob()
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: fixture.clip))
    let error = await #expect(throws: ShareEngineError.self) { try await fixture.pipeline().run(job) }
    #expect(error?.explanation.id == "source.changed")
  }

  @Test func jobPassesStagesInOrder() async throws {
    let server = try await FaultServer()
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server]))
    let job = try await fixture.pipeline().run(fixture.newJob())
    #expect(
      fixture.events.all.filter { $0.contains(": ") } == [
        "probe: probed", "plan: planned", "process: processed", "upload: uploading", "upload: uploaded",
        "register: registered",
      ])
    #expect(try await fixture.stored(job) == job)
    #expect(fixture.backend.rows.map(\.id) == [job.highlightID])
    #expect(fixture.backend.drafts.first?.tags == ["serve"])
    guard case .registered(_, let clip) = job.stage else { return #expect(Bool(false)) }
    #expect(server.bytes.count == Int(clip.byteCount))
    // The job's files are removed after the report.
    try fixture.pipeline().removeFiles(of: job)
    #expect(!FileManager.default.fileExists(atPath: fixture.places.jobFolder(job.id)))
    #expect(try fixture.secrets.read(.uploadURL(job: job.id)) == nil)
  }

  @Test func journalAndUploadURLAreStoredBeforeFirstByte() async throws {
    let server = try await FaultServer()
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server]))
    let job = try await fixture.newJob()
    let (journal, secrets) = (fixture.journal, fixture.secrets)
    let pipeline = try fixture.pipeline { url in
      guard server.requests.isEmpty else { return }
      let (stage, secret) = (try await journal.load(job.id)?.stage, try secrets.read(.uploadURL(job: job.id)))
      #expect(stage?.name == "uploading" && secret?.revealed == url)
    }
    _ = try await pipeline.run(job)
    #expect(!server.requests.isEmpty)
  }

  @Test func expiredURLStartsNewUploadForSameHighlight() async throws {
    let servers = [
      try await FaultServer([.init(.status(410), on: .any, .always)]), try await FaultServer(),
    ]
    let fixture = try await PipelineFixture(MemoryBackend(servers: servers))
    let job = try await fixture.pipeline().run(fixture.newJob())
    #expect(job.attempt == 1)
    let id = job.id.uuidString.lowercased()
    #expect(fixture.backend.keys == ["\(id)-0", "\(id)-1"])
    #expect(Set(fixture.backend.drafts.map(\.highlightID)) == [job.highlightID])
    #expect(fixture.backend.rows.map(\.id) == [job.highlightID])
    #expect(servers[0].bytes.isEmpty && servers[1].isComplete)
  }

  @Test func repeatedlyExpiredUploadsEndRun() async throws {
    var servers: [FaultServer] = []
    for _ in 0..<5 { servers.append(try await FaultServer([.init(.status(403), on: .any, .always)])) }
    let fixture = try await PipelineFixture(MemoryBackend(servers: servers))
    let job = try await fixture.newJob()
    await #expect(throws: UploadError.urlExpired(status: 403)) { try await fixture.pipeline().run(job) }
    #expect(fixture.backend.keys.count == 3)
    #expect(try await !fixture.stored(job).stage.isFinal)
  }

  @Test func existingHighlightNeedsNoUpload() async throws {
    let server = try await FaultServer()
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server]))
    var job = try await fixture.processedJob()
    guard case .uploading(let clip, _) = job.stage else { return #expect(Bool(false)) }
    job.stage = .processed(clip)
    let row = Highlight(id: job.highlightID, authorID: "me", muxPlaybackID: "p", createdAt: "2026-01-02T03:04:05Z")
    var pipeline = try fixture.pipeline()
    let backend = MemoryBackend(servers: [server], rows: [row])
    pipeline.backend = backend
    let finished = try await pipeline.run(job)
    #expect(finished.stage == .registered(row, clip))
    #expect(backend.keys.isEmpty && server.requests.isEmpty)
  }

  @Test func missingProcessedClipIsProcessedAndUploadedAgain() async throws {
    // The first server has bytes that must not be mixed with those of the new clip.
    let servers = [try await FaultServer(stored: Array(repeating: 7, count: 256 << 10)), try await FaultServer()]
    let fixture = try await PipelineFixture(MemoryBackend(servers: servers))
    let job = try await fixture.processedJob()
    guard case .uploading(let clip, _) = job.stage else { return #expect(Bool(false)) }
    try FileManager.default.removeItem(atPath: clip.path)
    let finished = try await fixture.pipeline().run(job)
    #expect(fixture.events.all.filter { $0 == "process: processed" }.count == 2)
    #expect(finished.attempt == 1)
    #expect(fixture.backend.rows.map(\.id) == [job.highlightID])
    guard case .registered(_, let again) = finished.stage else { return #expect(Bool(false)) }
    #expect(servers[1].bytes.count == Int(again.byteCount))
  }

  @Test func missingProcessedClipWithChangedSourceIsRejected() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let job = try await fixture.processedJob()
    guard case .uploading(let clip, _) = job.stage else { return #expect(Bool(false)) }
    try FileManager.default.removeItem(atPath: clip.path)
    try fixture.home.write("something else", to: "rally.mp4")
    let error = await #expect(throws: ShareEngineError.self) { try await fixture.pipeline().run(job) }
    #expect(error?.explanation.category == .rejected)
    #expect(fixture.backend.keys.count == 1)
  }

  @Test func changedSourceIsRejectedUntilRestored() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let job = try await fixture.newJob()
    let bytes = try Data(contentsOf: URL(filePath: fixture.clip))
    try (bytes + [0]).write(to: URL(filePath: fixture.clip))
    let error = await #expect(throws: ShareEngineError.self) { try await fixture.pipeline().run(job) }
    #expect(error?.explanation.category == .rejected)
    #expect(try await fixture.stored(job).stage == .queued)
    try bytes.write(to: URL(filePath: fixture.clip))
    #expect(try await fixture.pipeline().run(job).stage.name == "registered")
  }

  @Test func nextRunReplacesTimedOutUpload() async throws {
    let server = try await FaultServer()
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server], finalStatus: .timedOut))
    let job = try await fixture.newJob()
    await #expect(throws: HighlightsError.uploadTimedOut) { try await fixture.pipeline().run(job) }
    let waiting = try await fixture.stored(job)
    #expect(waiting.stage.name == "processed" && waiting.attempt == 1)
  }

  /// A process that is killed while it stores a secret leaves a temporary file.
  @Test func abandonedSecretFilesAreRemoved() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let job = try await fixture.processedJob()
    let left = fixture.places.secretsFolder + "/.upload-url-\(UUID().uuidString).bsc-1f.tmp"
    try Data("https://host/?token=x".utf8).write(to: URL(filePath: left))
    #expect(try await fixture.pipeline().run(job).stage.name == "registered")
    try fixture.pipeline().removeFiles(of: try await fixture.stored(job))
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  /// The rules of a rejected job's findings. A clip that cannot be processed has one finding with the ID of the error.
  private func rejectedRules(_ job: ShareJob) -> [String]? {
    guard case .rejected(let findings) = job.stage else { return nil }
    return findings.map(\.rule)
  }

  @Test(arguments: ["not a clip", ""]) func nonVideoFileEndsJob(_ text: String) async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    try fixture.home.write(text, to: "rally.mp4")
    let job = try await fixture.newJob()
    let error = await #expect(throws: ClipMediaError.self) { try await fixture.pipeline().run(job) }
    #expect(error?.explanation.category == .unjudged)
    #expect(try await rejectedRules(fixture.stored(job)) == ["clip.not-media"])
  }

  @Test func truncatedClipIsRejectedPermanently() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let bytes = try Data(contentsOf: URL(filePath: fixture.clip))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: fixture.clip))
    let job = try await fixture.newJob()
    let error = await #expect(throws: ClipMediaError.self) { try await fixture.pipeline().run(job) }
    #expect(error == .cutOff(name: "rally.mp4"))
    #expect(try await rejectedRules(fixture.stored(job)) == ["clip.cut-off"])
    #expect(fixture.backend.keys.isEmpty)
  }

  @Test(arguments: [400, 409, 411, 412]) func nextRunReplacesRefusedUpload(status: Int) async throws {
    let servers = [
      try await FaultServer([.init(.status(status), on: .any, .always)]), try await FaultServer(),
    ]
    let fixture = try await PipelineFixture(MemoryBackend(servers: servers))
    let job = try await fixture.newJob()
    await #expect(throws: UploadError.refused(status: status, reason: "no reason given")) {
      try await fixture.pipeline().run(job)
    }
    #expect(servers[0].requests.count == 2)
    let finished = try await fixture.pipeline().run(try await fixture.stored(job))
    #expect(finished.attempt == 1 && finished.stage.name == "registered")
    #expect(servers[1].isComplete)
  }

  @Test func cancelledUploadEndsJob() async throws {
    let servers = [try await FaultServer([.init(.status(499), on: .any, .always)]), try await FaultServer()]
    let fixture = try await PipelineFixture(MemoryBackend(servers: servers))
    let job = try await fixture.newJob()
    await #expect(throws: UploadError.cancelledRemotely) { try await fixture.pipeline().run(job) }
    #expect(try await fixture.stored(job).stage == .cancelled)
    #expect(fixture.backend.keys.count == 1 && servers[1].requests.isEmpty)
    #expect(try fixture.secrets.read(.uploadURL(job: job.id)) == nil)
  }

  /// Trap 16: the upload host returns errors although the backend has the clip.
  @Test(arguments: [400, 404, 416]) func backendIsQueriedBeforeUploadIsReplaced(status: Int) async throws {
    // Every byte is stored, then every request fails with this status.
    let server = try await FaultServer([.init(.loseAnswer), .init(.status(status), on: .any, .always, skip: 1)])
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server]))
    let job = try await fixture.newJob()
    var pipeline = try fixture.pipeline()
    pipeline.uploader.layout = ChunkLayout(chunkByteCount: 64 << 20)
    let finished = try await pipeline.run(job)
    #expect(finished.stage.name == "registered" && finished.attempt == 0)
    #expect(fixture.backend.keys.count == 1 && fixture.backend.rows.count == 1)
  }

  /// The process is killed after the last journal entry and before it reports the result.
  @Test func unreportedResultIsReportedAgain() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let pipeline = try fixture.pipeline()
    let job = try await pipeline.run(fixture.newJob())
    let registry = JobRegistry(journal: fixture.journal, places: fixture.places)
    #expect(try await registry.unfinishedJobs(named: []).map(\.id) == [job.id])
    let source = try await registry.readSource(fixture.clip)
    let again = try await registry.open([ShareClip(source, PipelineFixture.request)], backend: "local")
    guard case .continued = again else { return #expect(Bool(false), "\(again)") }
    #expect(try await pipeline.run(again.jobs[0]) == job)
    pipeline.removeFiles(of: job)
    #expect(try await registry.unfinishedJobs(named: []).isEmpty)
    let shared = try await registry.open([ShareClip(source, PipelineFixture.request)], backend: "local")
    guard case .shared = shared else { return #expect(Bool(false), "\(shared)") }
  }

  /// Without a network, the clip is processed, and the job stores the reason.
  @Test func jobWaitsWithoutNetwork() async throws {
    let server = try await FaultServer()
    let backend = MemoryBackend(servers: [server])
    let fixture = try await PipelineFixture(backend)
    backend.isOutOfReach = true
    let job = try await fixture.newJob()
    let error = await #expect(throws: CurlError.self) { try await fixture.pipeline().run(job) }
    #expect(error?.explanation.category == .remote)
    let waiting = try await fixture.stored(job)
    #expect(waiting.stage.name == "processed" && waiting.attempt == 0)
    #expect(waiting.setback?.reason == "Could not resolve host" && waiting.setback?.retryAt == nil)
    try await fixture.registry.setRetryTime(of: [waiting], to: 5)
    #expect(try await fixture.stored(job).setback?.retryAt == 5)
    backend.isOutOfReach = false
    let finished = try await fixture.pipeline().run(try await fixture.stored(job))
    #expect(finished.stage.name == "registered" && finished.setback == nil)
    #expect(backend.keys.count == 1 && server.isComplete)
  }

  @Test func pausesAreStoredInJournal() async throws {
    let server = try await FaultServer([.init(.status(503), on: .any, .counted(2))])
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server]))
    let job = try await fixture.newJob()
    let journal = fixture.journal
    let seen = Mutex<[JobFailure?]>([])
    let pipeline = try fixture.pipeline { _ in
      let setback = try await journal.load(job.id)?.setback
      seen.withLock { $0.append(setback) }
    }
    #expect(try await pipeline.run(job).setback == nil)
    let setbacks = seen.withLock { $0 }
    #expect(setbacks.first == .some(nil))
    let first = try #require(setbacks.compactMap(\.self).first)
    #expect(first.reason.contains("503"))
    #expect(try #require(first.retryAt) - first.at >= 2)
    #expect(setbacks.last.flatMap(\.self) == nil, "a running upload has no setback")
  }

  /// Mux reports the reasons in each response. They are reported once and are part of the result.
  @Test func nonStandardInputIsReportedOnce() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    fixture.backend.setAsset(reasons: ["video_bitrate": "high", "new_reason": "odd"], pendingRequestCount: 2)
    let job = try await fixture.pipeline().run(try await fixture.newJob())
    let warnings = fixture.events.all.filter { $0.hasPrefix("warning: ") }
    #expect(warnings.count == 1, "\(fixture.events.all)")
    let warning = try #require(warnings.first)
    #expect(warning.contains("(video_bitrate: high)") && warning.contains("new_reason: odd"))
    guard case .registered(_, let clip) = job.stage else { return #expect(Bool(false), "\(job.stage)") }
    #expect(clip.notes.contains(.nonStandardInput(warning: String(warning.dropFirst("warning: ".count)))))
  }

  @Test func shareCanEndBeforeHighlightExists() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    fixture.backend.setAsset(pendingRequestCount: 1000)
    var pipeline = try fixture.pipeline()
    pipeline.waitsForHighlight = false
    let job = try await pipeline.run(try await fixture.newJob())
    #expect(job.stage.name == "uploaded" && fixture.backend.rows.isEmpty)
    pipeline.removeFiles(of: job)
    #expect(!FileManager.default.fileExists(atPath: fixture.places.jobFolder(job.id)))
    #expect(try fixture.secrets.read(.uploadURL(job: job.id)) == nil)
    fixture.backend.setAsset(pendingRequestCount: 0)
    let later = try await fixture.pipeline().run(try await fixture.stored(job))
    #expect(later.stage.name == "registered" && fixture.backend.rows.count == 1)
  }

  /// An earlier run sent all bytes, but its response was lost.
  @Test func alreadyUploadedClipIsNotSentAgain() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let sent = try await fixture.pipeline().run(try await fixture.newJob())
    guard case .registered(_, let clip) = sent.stage else { return #expect(Bool(false), "\(sent.stage)") }
    let requests = fixture.backend.requestCount
    fixture.backend.deleteRows(throwing: .alreadyUploaded(uploadID: "0"))
    var job = sent
    job.stage = .processed(clip)
    try await fixture.journal.save(job)
    #expect(try await fixture.pipeline().run(job).stage.name == "registered")
    #expect(fixture.backend.requestCount == requests && fixture.backend.rows.count == 1)
  }
}
