import ClipModel
import Foundation
import Highlights
import ShareEngine
import TestSupport
import Testing
import Upload

/// `SharePipeline.share`.
@Suite struct SingleShareTests {
  @Test func repeatedShareReturnsSameJob() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let pipeline = try fixture.pipeline()
    let job = try await pipeline.share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    #expect(job.stage.name == "registered")
    #expect(try await pipeline.share(fixture.clip, request: PipelineFixture.request, backendName: "local") == job)
    #expect(fixture.backend.rows.map(\.id) == [job.highlightID])
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.places.jobsFolder).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.places.locksFolder).isEmpty)
  }

  /// The journal still contains the share that the backend has deleted.
  @Test func deletedHighlightIsSharedAgain() async throws {
    let fixture = try await PipelineFixture(
      MemoryBackend(servers: [try await FaultServer(), try await FaultServer()]))
    let pipeline = try fixture.pipeline()
    let first = try await pipeline.share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    fixture.backend.deleteRows()
    let second = try await pipeline.share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    #expect(second.id != first.id && second.highlightID != first.highlightID)
    #expect(fixture.backend.rows.map(\.id) == [second.highlightID])
  }

  @Test func existingHighlightWithOtherOptionsIsReported() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let pipeline = try fixture.pipeline()
    let job = try await pipeline.share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    var other = PipelineFixture.request
    other.caption = "Another one"
    other.privacy = .onlyMe
    let error = await #expect(throws: ShareRefusal.self) {
      try await pipeline.share(fixture.clip, request: other, backendName: "local")
    }
    guard case .differs(let known, let differences, 1) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(known.id == job.id)
    #expect(differences == [.caption("Another one"), .privacy(now: .everyone, wanted: .onlyMe)])
  }

  @Test func interruptedShareContinuesSameJob() async throws {
    struct Stop: Error {}
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    await #expect(throws: Stop.self) {
      _ = try await fixture.pipeline(resolve: { _ in throw Stop() })
        .share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    }
    let waiting = try #require(try await fixture.journal.loadAllJobs().first)
    let job = try await fixture.pipeline()
      .share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    #expect(job.id == waiting.id && job.stage.name == "registered")
    #expect(fixture.events.all.filter { $0 == "process: processed" }.count == 1)
  }

  @Test func unfinishedShareWithOtherOptionsIsConflict() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let waiting = try await fixture.newJob()
    let other = ShareRequest(caption: "Another one", metadata: PipelineFixture.request.metadata)
    let pipeline = try fixture.pipeline()
    let error = await #expect(throws: ShareRefusal.self) {
      try await pipeline.share(fixture.clip, request: other, backendName: "local")
    }
    guard case .conflict(waiting) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try await fixture.journal.loadAllJobs() == [waiting])
  }

  /// As for `bsc share`, and before a job is created.
  @Test(arguments: [
    ("supabase", 1, true, "share.metadata-required"), ("mux", 1, true, "share.metadata-required"),
    ("mux", 2, false, "share.no-posts"),
  ])
  func unsupportedRequestIsRefused(backend: String, clipCount: Int, isMetadataOptional: Bool, id: String) async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let pipeline = try fixture.pipeline()
    let clips = Array(repeating: fixture.clip, count: clipCount)
    let request = ShareRequest(metadata: MetadataRequest(isOptional: isMetadataOptional))
    let error = await #expect(throws: ShareEngineError.self) {
      try await pipeline.share(together: clips, request: request, backendName: backend)
    }
    #expect(error?.explanation.id == id)
    #expect(try await fixture.journal.loadAllJobs().isEmpty)
  }

  @Test func lockedJobIsNotShared() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: [try await FaultServer()]))
    let waiting = try await fixture.newJob()
    let lock = try JobLock(job: waiting.id, places: fixture.places)
    let pipeline = try fixture.pipeline()
    let error = await #expect(throws: ShareEngineError.self) {
      try await pipeline.share(fixture.clip, request: PipelineFixture.request, backendName: "local")
    }
    #expect(error?.explanation.category == .locked)
    lock.releaseAndRemove()
  }

  @Test func localEndpointAddresses() {
    let endpoint = BackendEndpoint.localBackend(baseURL: "http://127.0.0.1:7437", token: "hush")
    #expect(endpoint.functionsURL == "http://127.0.0.1:7437" && endpoint.restURL == "http://127.0.0.1:7437/rest/v1")
    #expect(endpoint.headers == ["Authorization": "Bearer hush"])
    #expect(endpoint.resolveURL("/uploads/1/data") == "http://127.0.0.1:7437/uploads/1/data")
  }
}
