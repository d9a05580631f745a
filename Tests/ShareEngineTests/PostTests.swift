import ClipModel
import Foundation
import Highlights
import ShareEngine
import TestSupport
import Testing

/// Posts: highlights with several clips.
@Suite struct PostTests {
  private struct Post {
    var fixture: PipelineFixture
    var files: [String]

    /// - Parameter samples: the sample for each clip. The clips' bytes differ.
    init(_ servers: [FaultServer], samples: [String] = ["no-metadata", "no-metadata"]) async throws {
      fixture = try await PipelineFixture(MemoryBackend(servers: servers))
      files = []
      for (number, sample) in samples.enumerated() {
        let path = fixture.home.path("clip\(number).mp4")
        var bytes = try Data(contentsOf: URL(filePath: SharedMedia.sample(sample + ".mp4")))
        for _ in 0...number { bytes += Data([0, 0, 0, 8]) + Data("free".utf8) }
        try bytes.write(to: URL(filePath: path))
        files.append(path)
      }
    }

    func open(
      caption: String? = "Ace #serve", ignoresEarlierShares: Bool = false, id: UUID? = nil
    ) async throws -> JobRegistry.ShareMatch {
      var request = PipelineFixture.request
      request.caption = caption
      var clips: [ShareClip] = []
      for file in files { clips.append(ShareClip(try await fixture.registry.readSource(file), request)) }
      return try await fixture.registry.open(
        clips, backend: "local", ignoresEarlierShares: ignoresEarlierShares, highlightID: id)
    }

    func jobs() async throws -> [ShareJob] {
      guard case .new(let jobs) = try await open() else { throw CocoaError(.fileReadUnknown) }
      return jobs
    }

    func stored() async throws -> [ShareJob] {
      try await fixture.journal.loadAllJobs().sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }
    }
  }

  @Test func clipsAreProcessedThenUploadedThenRegistered() async throws {
    let servers = [try await FaultServer(), try await FaultServer(), try await FaultServer()]
    let post = try await Post(servers, samples: Array(repeating: "no-metadata", count: 3))
    let jobs = try await post.jobs()
    let pipeline = try post.fixture.pipeline()
    let finished = try await pipeline.uploadJobs(try await pipeline.prepareJobs(jobs))
    let steps = post.fixture.events.all.filter { $0.contains(": ") }.map { $0.prefix { $0 != ":" } }
    let checks: [Substring] = ["probe", "plan"]
    let order = checks + checks + checks + ["process", "process", "process"]
    #expect(Array(steps.prefix(9)) == order)
    #expect(Array(steps.dropFirst(9)) == Array(repeating: "upload", count: 6) + ["register", "register", "register"])
    #expect(post.fixture.backend.rows.map(\.id) == [jobs[0].highlightID])
    let drafts = post.fixture.backend.drafts.sorted { $0.part < $1.part }
    #expect(drafts.map(\.part) == [0, 1, 2] && drafts.allSatisfy { $0.partCount == 3 && $0.caption == "Ace #serve" })
    #expect(Set(drafts.map(\.highlightID)).count == 1 && Set(post.fixture.backend.keys).count == 3)
    #expect(finished.allSatisfy { $0.stage.isRegistered })
    #expect(try await post.stored() == finished)
  }

  @Test func libraryCallSharesClipsTogether() async throws {
    let post = try await Post([try await FaultServer(), try await FaultServer()])
    let pipeline = try post.fixture.pipeline()
    let jobs = try await pipeline.share(
      together: post.files, request: PipelineFixture.request, backendName: "local")
    #expect(jobs.map(\.stage.name) == ["registered", "registered"] && jobs.map(\.source.path) == post.files)
    #expect(post.fixture.backend.rows.map(\.id) == [jobs[0].highlightID])
  }

  @Test func rejectedClipEndsPostBeforeProcessing() async throws {
    let post = try await Post([], samples: ["no-metadata", "too-short", "no-metadata"])
    let prepared = try await post.fixture.pipeline().prepareJobs(try await post.jobs())
    #expect(prepared.map(\.stage.name) == ["cancelled", "rejected", "cancelled"])
    #expect(try await post.stored() == prepared)
    #expect(!post.fixture.events.all.contains("process: processed"))
    #expect(post.fixture.backend.keys.isEmpty)
    let error = await #expect(throws: ShareEngineError.self) { try await post.fixture.pipeline().prepareJobs(prepared) }
    #expect(error?.explanation.id == "share.post-incomplete")
  }

  /// The uploads of the other clips are cancelled, too.
  @Test func rejectedClipCancelsOtherUploads() async throws {
    let bad = try await FaultServer([.init(.status(400), on: .any, .always)])
    let post = try await Post([try await FaultServer(), bad])
    let pipeline = try post.fixture.pipeline()
    let prepared = try await pipeline.prepareJobs(try await post.jobs())
    await #expect(throws: (any Error).self) { try await pipeline.uploadJobs(prepared) }
    let stored = try await post.stored()
    #expect(stored.map(\.stage.name).sorted() == ["processed", "uploaded"])
    let sent = try #require(stored.first { $0.stage.name == "uploaded" })
    var left = stored.filter { $0.id != sent.id }
    left[0].stage = .rejected([])
    try await post.fixture.journal.save(left)
    await #expect(throws: ShareEngineError.self) { try await pipeline.prepareJobs(try await post.stored()) }
    #expect(try await post.stored().first { $0.id == sent.id }?.stage == .cancelled)
    #expect(post.fixture.backend.cancelled.count == 1)
  }

  @Test func failedUploadIsReplacedAndOthersAreKept() async throws {
    let refused = try await FaultServer([.init(.status(400), on: .any, .always)])
    let servers = [try await FaultServer(), refused, try await FaultServer()]
    let post = try await Post(servers)
    let pipeline = try post.fixture.pipeline(simultaneousUploads: 1)
    let prepared = try await pipeline.prepareJobs(try await post.jobs())
    await #expect(throws: (any Error).self) { try await pipeline.uploadJobs(prepared) }
    #expect(post.fixture.backend.rows.isEmpty)
    let finished = try await pipeline.uploadJobs(try await pipeline.prepareJobs(try await post.stored()))
    #expect(finished.allSatisfy { $0.stage.isRegistered } && finished.map(\.attempt).reduce(0, +) == 1)
    #expect(post.fixture.backend.rows.count == 1)
    #expect(post.fixture.backend.keys.count == 3)
  }

  @Test func clipRejectedByBackendEndsAllJobs() async throws {
    let post = try await Post([try await FaultServer(), try await FaultServer()])
    post.fixture.backend.finalStatus = .errored
    let pipeline = try post.fixture.pipeline()
    let prepared = try await pipeline.prepareJobs(try await post.jobs())
    let error = await #expect(throws: HighlightsError.self) { try await pipeline.uploadJobs(prepared) }
    #expect(error?.explanation.category == .rejected)
    #expect(try await post.stored().map(\.stage.name) == ["rejected", "rejected"])
  }

  @Test func sameClipsAndOptionsAreSamePost() async throws {
    let post = try await Post([])
    let jobs = try await post.jobs()
    #expect(jobs.map(\.post) == [PostPart(part: 0, count: 2), PostPart(part: 1, count: 2)])
    #expect(Set(jobs.map(\.highlightID)).count == 1)
    guard case .continued(let again) = try await post.open() else { return #expect(Bool(false)) }
    #expect(again == jobs)
    guard case .conflict = try await post.open(caption: "Another") else { return #expect(Bool(false)) }
    guard
      case .conflict = try await post.fixture.registry.open(
        [ShareClip(try await post.fixture.registry.readSource(post.files[1]), PipelineFixture.request)],
        backend: "local")
    else { return #expect(Bool(false)) }
    var reversed = post
    reversed.files.reverse()
    guard case .conflict = try await reversed.open() else { return #expect(Bool(false)) }
    var finished = jobs
    for index in finished.indices { finished[index].stage = .registered(Jobs.highlight, Jobs.clip) }
    try await post.fixture.journal.save(finished)
    guard case .shared = try await post.open() else { return #expect(Bool(false)) }
    // A single clip of the post is another highlight.
    guard
      case .new = try await post.fixture.registry.open(
        [ShareClip(try await post.fixture.registry.readSource(post.files[0]), PipelineFixture.request)],
        backend: "local")
    else { return #expect(Bool(false)) }
    guard case .new(let newJobs) = try await post.open(ignoresEarlierShares: true, id: jobs[0].highlightID) else {
      return #expect(Bool(false))
    }
    #expect(newJobs[0].highlightID != jobs[0].highlightID)
  }

  @Test func cancellingOneClipCancelsPost() async throws {
    let post = try await Post([try await FaultServer(), try await FaultServer()])
    var pipeline = try post.fixture.pipeline()
    pipeline.waitsForHighlight = false
    let sent = try await pipeline.uploadJobs(try await pipeline.prepareJobs(try await post.jobs()))
    #expect(sent.allSatisfy { $0.stage.name == "uploaded" })
    let prefix = String(sent[1].id.uuidString.prefix(8))
    // Another process uses a job of the post.
    let lock = try JobLock(job: sent[0].id, places: post.fixture.places)
    let held = await #expect(throws: ShareEngineError.self) {
      try await post.fixture.registry.cancel(prefix) { _, _ in }
    }
    #expect(held?.explanation.category == .locked)
    lock.releaseAndRemove()
    // The first upload has timed out, so the other one is cancelled.
    var requested: [String] = []
    let cancelled = try await post.fixture.registry.cancel(prefix) { _, upload in
      requested.append(upload)
      if requested.count == 1 {
        throw HighlightsError.refused(operation: "cancel", status: 409, reason: "it timed out")
      }
    }
    #expect(requested.count == 2 && cancelled.map(\.id) == sent.map(\.id))
    #expect(try await post.stored().allSatisfy { $0.stage == .cancelled })
  }

  @Test func registeredPostCannotBeCancelled() async throws {
    let post = try await Post([])
    var jobs = try await post.jobs()
    jobs[0].stage = .registered(Jobs.highlight, Jobs.clip)
    jobs[1].stage = .uploaded(Jobs.clip, Jobs.receipt)
    try await post.fixture.journal.save(jobs)
    let error = await #expect(throws: ShareEngineError.self) {
      try await post.fixture.registry.cancel(String(jobs[1].id.uuidString.prefix(8))) { _, _ in }
    }
    #expect(error?.explanation.id == "job.post-registered")
    #expect(try await post.stored().last?.stage.name == "uploaded")
  }

  /// The stored JSON of single jobs is the same as before posts existed.
  @Test func singleJobsAreStoredWithoutPost() throws {
    let job = Jobs.job()
    let text = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
    #expect(!text.contains("\"post\""))
    #expect(try JSONDecoder().decode(ShareJob.self, from: Data(text.utf8)) == job)
    let draft = HighlightDraft(highlightID: UUID(), duration: 9)
    #expect(!String(decoding: try JSONEncoder().encode(draft), as: UTF8.self).contains("\"part"))
    let part = HighlightDraft(highlightID: UUID(), post: PostPart(part: 1, count: 3), duration: 9)
    #expect(try JSONDecoder().decode(HighlightDraft.self, from: try JSONEncoder().encode(part)) == part)
  }
}
