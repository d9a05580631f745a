import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct JobRegistryTests {
  @Test func sameFileAndOptionsAreSameJobUntilFinished() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let registry = JobRegistry(journal: fixture.journal, places: fixture.places)
    let request = PipelineFixture.request
    let source = try await registry.readSource(fixture.clip)
    func open(
      _ request: ShareRequest, backend: String = "local", ignoresEarlierShares: Bool = false
    ) async throws -> JobRegistry.ShareMatch {
      try await registry.open(
        [ShareClip(source, request)], backend: backend, ignoresEarlierShares: ignoresEarlierShares)
    }
    guard case .new(let created) = try await open(request) else { return #expect(Bool(false)) }
    let first = created[0]
    guard case .continued([first]) = try await open(request) else { return #expect(Bool(false)) }
    // Another caption conflicts with the unfinished job. Another rally or backend does not.
    var other = request
    other.caption = "Another"
    guard case .conflict(first) = try await open(other) else { return #expect(Bool(false)) }
    guard case .new = try await open(other, ignoresEarlierShares: true) else { return #expect(Bool(false)) }
    var rally = other
    rally.metadata.rallyIndex = 3
    guard case .new = try await open(rally) else { return #expect(Bool(false)) }
    guard case .new = try await open(request, backend: "mux") else { return #expect(Bool(false)) }
    // After a cancelled job, a new one is created. A finished share is returned.
    var finished = first
    finished.stage = .cancelled
    try await fixture.journal.save(finished)
    guard case .new(let newJobs) = try await open(request, ignoresEarlierShares: true) else {
      return #expect(Bool(false))
    }
    let second = newJobs[0]
    finished = second
    finished.stage = .registered(
      Highlight(id: second.highlightID, authorID: "me", muxPlaybackID: "p", createdAt: "2026-01-02T03:04:05Z"),
      Jobs.clip)
    try await fixture.journal.save(finished)
    for job in try await fixture.journal.loadAllJobs() where !job.stage.isFinal {
      try await fixture.journal.delete(job.id)
    }
    guard case .shared([finished]) = try await open(request) else { return #expect(Bool(false)) }
    guard case .new = try await open(request, ignoresEarlierShares: true) else { return #expect(Bool(false)) }
  }

  /// Jobs keep the setting of the share that created or continued them last.
  @Test func jobsHaveTheSettingOfTheirShare() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    var registry = fixture.registry
    let clips = [ShareClip(try await registry.readSource(fixture.clip), PipelineFixture.request)]
    for streaming in [.off, .on, nil] as [UploadStreaming?] {
      registry.streaming = streaming
      let jobs = try await registry.open(clips, backend: "local").jobs
      #expect(jobs.map(\.streaming) == [streaming ?? .off])
      // As the run does after it locked the jobs.
      #expect(try await fixture.journal.reloadJobs(jobs).map(\.streaming) == [streaming ?? .off])
    }
  }

  @Test func prefixMatchesOneJob() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let registry = JobRegistry(journal: fixture.journal, places: fixture.places)
    let job = try await fixture.newJob()
    #expect(try await registry.unfinishedJobs(named: [String(job.id.uuidString.prefix(6))]).map(\.id) == [job.id])
    #expect(try await registry.unfinishedJobs(named: []).map(\.id) == [job.id])
    let error = await #expect(throws: ShareEngineError.self) { try await registry.unfinishedJobs(named: ["zzzz"]) }
    #expect(error?.explanation.category == .noInput)
  }

  @Test func concurrentCallsCreateOneJob() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let registry = JobRegistry(journal: fixture.journal, places: fixture.places)
    let path = fixture.clip
    let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await registry.open(
            [ShareClip(try await registry.readSource(path), PipelineFixture.request)], backend: "local"
          ).jobs[
            0
          ].id
        }
      }
      return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }

  @Test func forgetDeletesUnlockedJob() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let registry = JobRegistry(journal: fixture.journal, places: fixture.places)
    let job = try await fixture.newJob()
    let prefix = String(job.id.uuidString.prefix(8))
    let lock = try JobLock(job: job.id, places: fixture.places)
    let error = await #expect(throws: ShareEngineError.self) { try await registry.forget(prefix) }
    #expect(error?.explanation.category == .locked)
    lock.releaseAndRemove()
    #expect(try await registry.forget(prefix) == job.id)
    #expect(try await fixture.journal.load(job.id) == nil)
  }

  /// An error for one job doesn't affect the others.
  @Test func selectedJobsHaveResultsInOrder() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let id = try await fixture.newJob().id
    let prefixes = ["zzzz", String(id.uuidString.prefix(8))]
    let shown = try await JobRegistry.loadSummaries(prefixes, in: fixture.places)
    let removed = try await JobRegistry.forgetJobs(prefixes, in: fixture.places)
    #expect(shown.map(\.prefix) == prefixes && removed.map(\.prefix) == prefixes)
    #expect(throws: ShareEngineError.self) { try shown[0].result.get() }
    #expect(throws: ShareEngineError.self) { try removed[0].result.get() }
    #expect(try shown[1].result.get()?.id == id.uuidString.lowercased())
    #expect(try removed[1].result.get() == id)
    #expect(try await fixture.journal.loadAllJobs().isEmpty)
  }

  /// The app names metadata by the ID of its video.
  @Test func metadataOfAnotherVideoIsIgnored() async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []))
    let metadata = try String(contentsOfFile: SharedMedia.sample("rally-4k.json"), encoding: .utf8)
    try fixture.home.write(metadata, to: "\(UUID().uuidString).json")
    let sidecar = try RallySidecar(MetadataRequest(), clipPath: fixture.clip)
    let answer = sidecar.chooseRally(seconds: 6, frameRate: nil)
    #expect(answer.path == nil)
    #expect(answer.findings.map(\.rule) == ["rally.metadata"])
  }
}
