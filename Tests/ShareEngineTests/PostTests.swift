import ClipModel
import Foundation
import Highlights
import ShareEngine
import TestSupport
import Testing

/// Several clips that become one highlight.
@Suite struct PostTests {
  private struct Post {
    var fixture: PipelineFixture
    var files: [String]

    /// - Parameter samples: a clip of its own bytes of each.
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
    ) async throws -> JobRegistry.Opening {
      var request = PipelineFixture.request
      request.caption = caption
      var clips: [ShareClip] = []
      for file in files { clips.append(ShareClip(try await fixture.registry.source(file), request)) }
      return try await fixture.registry.open(
        clips, backend: "local", ignoresEarlierShares: ignoresEarlierShares, highlightID: id)
    }

    func jobs() async throws -> [ShareJob] {
      guard case .new(let jobs) = try await open() else { throw CocoaError(.fileReadUnknown) }
      return jobs
    }

    func stored() async throws -> [ShareJob] {
      try await fixture.journal.all().sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }
    }
  }

  @Test func everyClipIsMadeBeforeOneIsSentAndSentBeforeOneIsRegistered() async throws {
    let servers = [try await FaultServer(), try await FaultServer(), try await FaultServer()]
    let post = try await Post(servers, samples: Array(repeating: "no-metadata", count: 3))
    let jobs = try await post.jobs()
    let pipeline = try post.fixture.pipeline()
    let finished = try await pipeline.send(try await pipeline.make(jobs))
    let arrows = post.fixture.events.all.filter { $0.contains(": ") }.map { $0.prefix { $0 != ":" } }
    let judging: [Substring] = ["probe", "plan"]
    let order = judging + judging + judging + ["process", "process", "process"]
    #expect(Array(arrows.prefix(9)) == order)
    #expect(Array(arrows.dropFirst(9)) == Array(repeating: "upload", count: 6) + ["register", "register", "register"])
    #expect(post.fixture.backend.rows.map(\.id) == [jobs[0].highlightID])
    let drafts = post.fixture.backend.drafts.sorted { $0.part < $1.part }
    #expect(drafts.map(\.part) == [0, 1, 2] && drafts.allSatisfy { $0.partCount == 3 && $0.caption == "Ace #serve" })
    #expect(Set(drafts.map(\.highlightID)).count == 1 && Set(post.fixture.backend.keys).count == 3)
    #expect(finished.allSatisfy { $0.stage.isRegistered })
    #expect(try await post.stored() == finished)
  }

  @Test func aRefusedClipEndsThePostBeforeAnythingIsMade() async throws {
    let post = try await Post([], samples: ["no-metadata", "too-short", "no-metadata"])
    let made = try await post.fixture.pipeline().make(try await post.jobs())
    #expect(made.map(\.stage.name) == ["cancelled", "rejected", "cancelled"])
    #expect(try await post.stored() == made)
    #expect(!post.fixture.events.all.contains("process: processed"))
    #expect(post.fixture.backend.keys.isEmpty)
    // Whoever goes on with it in another process finds it over.
    let error = await #expect(throws: PostError.self) { try await post.fixture.pipeline().make(made) }
    #expect(error?.explanation.category == .rejected)
  }

  /// What the clips before have sent already is taken back, too.
  @Test func aClipThatIsGoneEndsWhatWasBegun() async throws {
    let bad = try await FaultServer([.init(.status(400), on: .any, .always)])
    let post = try await Post([try await FaultServer(), bad])
    let pipeline = try post.fixture.pipeline()
    let made = try await pipeline.make(try await post.jobs())
    await #expect(throws: (any Error).self) { try await pipeline.send(made) }
    let stored = try await post.stored()
    #expect(stored.map(\.stage.name).sorted() == ["processed", "uploaded"])
    let sent = try #require(stored.first { $0.stage.name == "uploaded" })
    var left = stored.filter { $0.id != sent.id }
    left[0].stage = .rejected([])
    try await post.fixture.journal.save(left)
    await #expect(throws: PostError.self) { try await pipeline.make(try await post.stored()) }
    #expect(try await post.stored().first { $0.id == sent.id }?.stage == .cancelled)
    #expect(post.fixture.backend.cancelled.count == 1)
  }

  @Test func anUploadThatFailsIsBegunAnewAndTheOthersStay() async throws {
    let refused = try await FaultServer([.init(.status(400), on: .any, .always)])
    let servers = [try await FaultServer(), refused, try await FaultServer()]
    let post = try await Post(servers)
    var pipeline = try post.fixture.pipeline()
    pipeline.sending = AsyncSemaphore(1)
    let made = try await pipeline.make(try await post.jobs())
    await #expect(throws: (any Error).self) { try await pipeline.send(made) }
    #expect(post.fixture.backend.rows.isEmpty)
    let finished = try await pipeline.send(try await pipeline.make(try await post.stored()))
    #expect(finished.allSatisfy { $0.stage.isRegistered } && finished.map(\.attempt).reduce(0, +) == 1)
    #expect(post.fixture.backend.rows.count == 1)
    #expect(post.fixture.backend.keys.count == 3)
  }

  @Test func aClipThatTheBackendRejectsEndsAllJobs() async throws {
    let post = try await Post([try await FaultServer(), try await FaultServer()])
    post.fixture.backend.finalStatus = .errored
    let pipeline = try post.fixture.pipeline()
    let made = try await pipeline.make(try await post.jobs())
    let error = await #expect(throws: HighlightsError.self) { try await pipeline.send(made) }
    #expect(error?.explanation.category == .rejected)
    #expect(try await post.stored().map(\.stage.name) == ["rejected", "rejected"])
  }

  @Test func sameClipsAndWishAreTheSamePost() async throws {
    let post = try await Post([])
    let jobs = try await post.jobs()
    #expect(jobs.map(\.post) == [PostPart(part: 0, count: 2), PostPart(part: 1, count: 2)])
    #expect(Set(jobs.map(\.highlightID)).count == 1)
    guard case .continued(let again) = try await post.open() else { return #expect(Bool(false)) }
    #expect(again == jobs)
    guard case .rival = try await post.open(caption: "Another") else { return #expect(Bool(false)) }
    guard
      case .rival = try await post.fixture.registry.open(
        [ShareClip(try await post.fixture.registry.source(post.files[1]), PipelineFixture.request)], backend: "local")
    else { return #expect(Bool(false)) }
    var turned = post
    turned.files.reverse()
    guard case .rival = try await turned.open() else { return #expect(Bool(false)) }
    var finished = jobs
    for index in finished.indices { finished[index].stage = .registered(Jobs.highlight, Jobs.clip) }
    try await post.fixture.journal.save(finished)
    guard case .shared = try await post.open() else { return #expect(Bool(false)) }
    // One of them alone is another highlight, and so is another order.
    guard
      case .new = try await post.fixture.registry.open(
        [ShareClip(try await post.fixture.registry.source(post.files[0]), PipelineFixture.request)], backend: "local")
    else { return #expect(Bool(false)) }
    guard case .new(let anew) = try await post.open(ignoresEarlierShares: true, id: jobs[0].highlightID) else {
      return #expect(Bool(false))
    }
    #expect(anew[0].highlightID != jobs[0].highlightID)
  }

  @Test func oneClipTakesThePostBack() async throws {
    let post = try await Post([try await FaultServer(), try await FaultServer()])
    var pipeline = try post.fixture.pipeline()
    pipeline.waitsForHighlight = false
    let sent = try await pipeline.send(try await pipeline.make(try await post.jobs()))
    #expect(sent.allSatisfy { $0.stage.name == "uploaded" })
    let prefix = String(sent[1].id.uuidString.prefix(8))
    // Somebody works on another clip of it.
    let lock = try JobLock(job: sent[0].id, places: post.fixture.places)
    let held = await #expect(throws: ShareEngineError.self) {
      try await post.fixture.registry.cancel(prefix) { _, _ in }
    }
    #expect(held?.explanation.category == .locked)
    lock.releaseAndRemove()
    // The first upload has ended by itself: the other one is asked for.
    var asked: [String] = []
    let cancelled = try await post.fixture.registry.cancel(prefix) { _, upload in
      asked.append(upload)
      if asked.count == 1 { throw HighlightsError.refused(operation: "cancel", status: 409, reason: "it timed out") }
    }
    #expect(asked.count == 2 && cancelled.map(\.id) == sent.map(\.id))
    #expect(try await post.stored().allSatisfy { $0.stage == .cancelled })
  }

  @Test func nothingOfItIsCancelledWhereTheHighlightIs() async throws {
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

  /// Jobs of their own are stored as they always were, so an older bsc and an older journal understand each other.
  @Test func jobsOfTheirOwnAreStoredAsBefore() throws {
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
