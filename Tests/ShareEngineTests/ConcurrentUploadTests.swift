import ClipMedia
import DurableFiles
import Foundation
import Highlights
import LibCurl
import Synchronization
import TestSupport
import Testing
import Upload

@testable import ClipModel
@testable import ShareEngine

/// Clips that are uploaded while they are encoded.
@Suite(.timeLimit(.minutes(10))) struct ConcurrentUploadTests {
  /// A clip whose result is far below its size, so that it's uploaded early. Its sound is too quiet for a strict rule.
  /// - Parameter busy: the seconds in which the bit rate is twice as high.
  private static func source(seconds: Int, busy: ClosedRange<Int> = 0...99) throws -> String {
    let range = "\(busy.lowerBound),\(busy.upperBound)"
    let noise = "noise=alls=15:allf=t,noise=alls=60:allf=t:enable='between(t,\(range))'"
    return try ClipFactory.clip(
      "noise.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=480x270:r=15:d=\(seconds),\(noise)", "-f", "lavfi", "-i",
        "sine=r=48000:d=\(seconds),volume=0.001", "-c:v", "mpeg4", "-q:v", "2", "-c:a", "aac",
      ])
  }

  private static func fixture(
    _ servers: [FaultServer], seconds: Int = 9, busy: ClosedRange<Int> = 0...99
  ) async throws -> PipelineFixture {
    try await PipelineFixture(MemoryBackend(servers: servers), source: source(seconds: seconds, busy: busy))
  }

  /// A planned job of a clip that must not exceed `limit` bytes.
  private static func limitedJob(_ fixture: PipelineFixture, limit: Int64) async throws -> ShareJob {
    var job = try await fixture.newJob()
    let probe = try await Prober.probe(path: fixture.clip)
    guard case .plan(let plan) = ClipRules().plan(probe, settings: ProcessingSettings()),
      var streamed = plan.streamed, case .transcode(let index, let steps, var encoding) = streamed.video
    else { throw ClipFactory.Failure(description: "no plan") }
    encoding.sizeCap = VideoEncoding.SizeCap(
      byteCount: limit, bitsPerSecond: limit * 7 / 9, floorBitsPerSecond: 1, isPromise: true)
    streamed.video = .transcode(trackIndex: index, steps: steps, encoding: encoding)
    job.stage = .planned(streamed, probe)
    return job
  }

  private static func pipeline(
    _ fixture: PipelineFixture, _ streaming: UploadStreaming = .on, host: String = "local",
    resolve: @escaping @Sendable (_ url: String) async throws -> Void = { _ in }
  ) throws -> SharePipeline {
    var pipeline = try fixture.pipeline(resolve: resolve)
    (pipeline.streaming, pipeline.backendHost) = (streaming, host)
    return pipeline
  }

  /// Interrupts a run before the request for which `isReached` is true.
  private static func interruptRun(
    of job: ShareJob, _ fixture: PipelineFixture, when isReached: @escaping @Sendable () -> Bool
  ) async throws -> ShareJob {
    let reached = AsyncStream<Void>.makeStream()
    let pipeline = try pipeline(fixture) { _ in
      guard isReached() else { return }
      reached.continuation.yield()
      // The upload is canceled, and then the rest of the run.
      throw CancellationError()
    }
    let run = Task {
      defer { reached.continuation.finish() }
      return try await pipeline.run(job)
    }
    for await _ in reached.stream { break }
    run.cancel()
    _ = await run.result
    return try await fixture.stored(job)
  }

  /// Runs a job.
  /// - Returns: the finished job, and for each request during the encode the size of what could be sent.
  private static func run(
    _ job: ShareJob, _ fixture: PipelineFixture, _ streaming: UploadStreaming = .on, host: String = "local"
  ) async throws -> (ShareJob, early: [Int64]) {
    let early = Mutex<[Int64]>([])
    let journal = fixture.journal
    let finished = try await pipeline(fixture, streaming, host: host) { _ in
      guard let stored = try await journal.load(job.id), stored.stage.name == "planned" else { return }
      early.withLock { $0.append(stored.startedUpload?.sent?.byteCount ?? 0) }
    }.run(job)
    return (finished, early.withLock(\.self))
  }

  /// Checks that the server has the finished clip of a registered job.
  @discardableResult
  private static func expectClip(
    _ job: ShareJob, on server: FaultServer, _ comment: Comment? = nil, location: SourceLocation = #_sourceLocation
  ) throws -> ProcessedClip {
    guard case .registered(_, let clip) = job.stage else {
      throw ClipFactory.Failure(description: "the job is \(job.stage.name)")
    }
    let isEqual = server.isComplete && FileDigest.sha256(of: server.bytes) == clip.sha256
    #expect(isEqual, comment, sourceLocation: location)
    #expect(job.startedUpload == nil, comment, sourceLocation: location)
    return clip
  }

  private static func sentByteCount(_ server: FaultServer) -> Int {
    server.requests.reduce(0) { $0 + $1.bodyByteCount }
  }

  // MARK: Without faults

  @Test func clipArrivesDuringEncode() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    let journal = fixture.journal
    let early = Mutex(0)
    let pipeline = try Self.pipeline(fixture) { _ in
      let stored = try await journal.load(job.id)
      guard stored?.stage.name == "planned" else { return }
      early.withLock { $0 += 1 }
      // The journal contains what can be sent, and the end isn't sent.
      #expect((stored?.startedUpload?.sent?.byteCount ?? 0) > server.byteCount && !server.isComplete)
    }
    let finished = try await pipeline.run(job)
    let clip = try Self.expectClip(finished, on: server)
    #expect(early.withLock(\.self) > 3)
    #expect(Self.sentByteCount(server) == clip.byteCount)
    #expect(fixture.backend.keys.count == 1 && fixture.backend.cancelled.isEmpty)
    #expect(clip.probe.isFastStart == false)
    #expect(server.requests.contains { $0.contentRange.hasSuffix("/*") && $0.bodyByteCount > 0 })
    #expect(
      fixture.events.all.filter { $0.contains(": ") }.suffix(3) == [
        "process: uploading", "upload: uploaded", "register: registered",
      ])
  }

  /// A clip whose result is estimated to have more than 4 MB.
  private static func largeSource() throws -> String {
    try ClipFactory.clip(
      "large.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=16,noise=alls=20:allf=t", "-c:v", "mpeg4", "-q:v", "2"])
  }

  @Test func largeClipIsUploadedEarlyByDefault() async throws {
    let server = try await FaultServer()
    let fixture = try await PipelineFixture(MemoryBackend(servers: [server]), source: Self.largeSource())
    let (finished, early) = try await Self.run(fixture.newJob(), fixture, .auto, host: "api.mux.com")
    try Self.expectClip(finished, on: server)
    #expect(early.contains { $0 > 0 })
  }

  /// The setting of the pipeline, the host, the setting of the job, and whether a large clip is uploaded early.
  @Test(
    arguments: [
      (.auto, "api.mux.com", nil, true), (.auto, "local", nil, false), (.on, "local", nil, true),
      (.off, "", nil, false),
      (.auto, "api.mux.com", .off, false), (.off, "local", .on, true),
    ] as [(UploadStreaming, String, UploadStreaming?, Bool)])
  func settingAndHostDecide(
    _ streaming: UploadStreaming, _ host: String, _ setting: UploadStreaming?, expected: Bool
  ) async throws {
    let fixture = try await PipelineFixture(MemoryBackend(servers: []), source: Self.largeSource())
    var job = try await fixture.newJob()
    job.streaming = setting
    let pipeline = try Self.pipeline(fixture, streaming, host: host)
    let planned = try await pipeline.performPlanning(of: job, Prober.probe(path: fixture.clip))
    guard case .planned(let plan, _) = planned.stage else { throw ClipFactory.Failure(description: "no plan") }
    #expect((plan.placesIndexAtEnd == true) == expected)
  }

  /// A job that was planned before the user turned early uploads off.
  @Test func aSettingOfTheJobEndsEarlyUploads() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    var job = try await Self.limitedJob(fixture, limit: 50_000_000)
    job.streaming = .off
    let (finished, early) = try await Self.run(job, fixture)
    try Self.expectClip(finished, on: server)
    #expect(early.isEmpty)
  }

  @Test func clipsAreSentAfterTheEncodeWithoutStreaming() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let clip = try Self.expectClip(try await fixture.pipeline().run(fixture.newJob()), on: server)
    #expect(clip.probe.isFastStart == true)
    #expect(!server.requests.contains { $0.contentRange.hasSuffix("/*") && $0.bodyByteCount > 0 })
  }

  /// The clips of a post are sent after all of them are finished.
  @Test func postsAreNotStreamed() async throws {
    let fixture = try await Self.fixture([try await FaultServer(), try await FaultServer()])
    let second = fixture.home.path("second.mp4")
    try FileManager.default.copyItem(atPath: SharedMedia.sample("no-metadata.mp4"), toPath: second)
    let jobs = try await Self.pipeline(fixture).share(
      together: [fixture.clip, second], request: PipelineFixture.request, backendName: "local")
    let clips = jobs.compactMap { job -> ProcessedClip? in
      if case .registered(_, let clip) = job.stage { clip } else { nil }
    }
    #expect(clips.map(\.probe.isFastStart) == [true, true])
  }

  // MARK: Nothing unchecked is published

  /// If the server has ended the upload early, only the highlight can be deleted.
  @Test(arguments: [false, true]) func rejectedClipCancelsUpload(endsEarly: Bool) async throws {
    let server = try await FaultServer(endsEarly ? [.init(.finishEarly)] : [])
    let fixture = try await Self.fixture([server])
    var pipeline = try Self.pipeline(fixture)
    pipeline.rules = RuleSettings(["clip.loudness": RuleSetting(grade: .error)])
    let job = try await fixture.newJob()
    let finished = try await pipeline.run(job)
    #expect(finished.stage.isRejected)
    #expect(server.byteCount > 0 && server.isComplete == endsEarly)
    #expect(fixture.backend.cancelled == ["0"] && fixture.backend.rows.isEmpty)
    #expect(fixture.backend.deleted == (endsEarly ? [job.highlightID] : []))
    #expect(try fixture.secrets.read(.uploadURL(job: job.id)) == nil)
    #expect(try await fixture.stored(job).startedUpload == nil)
  }

  /// A byte of the file changes after it was written, so the finished clip fails its check.
  @Test func failedCheckCancelsUpload() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    let folder = fixture.places.jobFolder(job.id)
    let changed = Mutex(false)
    let pipeline = try Self.pipeline(fixture) { _ in
      guard
        changed.withLock({ isChanged in
          defer { isChanged = true }
          return !isChanged
        })
      else { return }
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix(".bsc-encoding") {
        let file = try FileHandle(forUpdating: URL(filePath: "\(folder)/\(name)"))
        try file.seek(toOffset: 100_000)
        try file.write(contentsOf: [0xA5, 0x5A])
        try file.close()
      }
    }
    let error = await #expect(throws: ClipMediaError.self) { _ = try await pipeline.run(job) }
    #expect(error?.explanation.id == "clip.verification-failed")
    #expect(server.byteCount > 0 && !server.isComplete && fixture.backend.cancelled == ["0"])
    #expect(try fixture.secrets.read(.uploadURL(job: job.id)) == nil)
    #expect(try await fixture.stored(job).startedUpload == nil)
  }

  /// Without a chunk that follows, only the last response shows that the server has other bytes.
  @Test(arguments: [.on, .off] as [UploadStreaming]) func otherBytesAreNotPublished(streaming: UploadStreaming)
    async throws
  {
    let server = try await FaultServer([.init(.addHeaders(["x-goog-hash": "crc32c=AAAAAA=="]), .always)])
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    let error = await #expect(throws: UploadError.self) { _ = try await Self.pipeline(fixture, streaming).run(job) }
    #expect(error?.explanation.id == "upload.content-mismatch")
    #expect(server.isComplete && fixture.backend.cancelled == ["0"] && fixture.backend.deleted == [job.highlightID])
    #expect(try await fixture.stored(job).stage.name == "cancelled")
  }

  /// The server ends the upload during the encode, so that the backend has only the start of the clip.
  @Test(arguments: [FaultScript.Kind.chunk, .query], [false, true])
  func earlyEndIsNotPublished(kind: FaultScript.Kind, namesSize: Bool) async throws {
    let server = try await FaultServer([.init(.finishEarly, on: kind)], traits: .init(namesSize: namesSize))
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    let error = await #expect(throws: UploadError.self) { _ = try await Self.pipeline(fixture).run(job) }
    #expect(error?.explanation.id == "upload.content-mismatch")
    #expect(fixture.backend.deleted == [job.highlightID] && fixture.backend.rows.isEmpty)
    #expect(try await fixture.stored(job).stage.name == "cancelled")
  }

  /// A second encode makes the bytes of the first one useless. The first encode has 4 MB per 9 s at first, and 5.8 MB in
  /// the end.
  @Test func secondEncodeCancelsUpload() async throws {
    let servers = [try await FaultServer(), try await FaultServer()]
    let fixture = try await Self.fixture(servers, busy: 6...99)
    let job = try await Self.limitedJob(fixture, limit: 5_200_000)
    let finished = try await Self.pipeline(fixture).run(job)
    #expect(fixture.backend.cancelled == ["0"] && !servers[0].isComplete && servers[0].byteCount > 0)
    try Self.expectClip(finished, on: servers[1])
    #expect(finished.attempt == 1 && fixture.backend.rows.count == 1)
  }

  /// While the finished part predicts that the clip exceeds its limit, nothing is sent.
  @Test func clipAboveItsLimitIsSentAfterwards() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let job = try await Self.limitedJob(fixture, limit: 3_000_000)
    let (finished, early) = try await Self.run(job, fixture)
    let clip = try Self.expectClip(finished, on: server)
    #expect(early.isEmpty && clip.byteCount <= 3_000_000)
    #expect(finished.attempt == 0 && fixture.backend.cancelled.isEmpty && fixture.backend.keys.count == 1)
  }

  /// The first encode has 5 MB per 11 s at first, 6.5 MB after 8 s, and 6.1 MB in the end.
  @Test func pausedUploadIsCompleted() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server], seconds: 11, busy: 6...8)
    let job = try await Self.limitedJob(fixture, limit: 6_500_000)
    let (finished, early) = try await Self.run(job, fixture)
    let clip = try Self.expectClip(finished, on: server)
    // The parts after 6 s are sent after the encode.
    let last = try #require(early.last)
    #expect(last > 2_000_000 && last < 3_500_000 && clip.byteCount > 5_000_000)
    #expect(finished.attempt == 0 && fixture.backend.cancelled.isEmpty && fixture.backend.keys.count == 1)
  }

  // MARK: Interruptions

  /// The next run continues the encode and the upload. A shorter encode starts again, and so may its upload. Without
  /// `--all`, only a short encode is interrupted at a random place; `resumeContinuesEncodeAndUpload` has a long one.
  @Test(arguments: TestScope.seeds(1, of: 24)) func interruptedShareContinues(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let servers = [try await FaultServer(), try await FaultServer()]
    let isLong = seed.isMultiple(of: 2)
    let fixture = try await Self.fixture(servers, seconds: isLong ? 24 : 9)
    let job = try await fixture.newJob()
    let count = Int.random(in: 1...20, using: &generator)
    let stored = try await Self.interruptRun(of: job, fixture) { servers[0].requests.count >= count }
    let finished = try await Self.pipeline(fixture).run(stored)
    let lostCount = fixture.backend.cancelled.count
    #expect(lostCount == finished.attempt && lostCount <= (isLong ? 0 : 1), "seed \(seed)")
    let clip = try Self.expectClip(finished, on: servers[lostCount], "seed \(seed)")
    #expect(lostCount == 0 || !servers[0].isComplete, "seed \(seed)")
    // Only the interrupted chunk is sent again.
    #expect(
      Self.sentByteCount(servers[lostCount]) <= Int(clip.byteCount) + Int(ChunkLayout.unit), "seed \(seed)")
    #expect(fixture.backend.rows.map(\.id) == [job.highlightID])
  }

  /// If the encode makes other bytes than those already sent, the upload is canceled and starts again.
  @Test func otherBytesStartANewUpload() async throws {
    let servers = [try await FaultServer(), try await FaultServer()]
    let fixture = try await Self.fixture(servers)
    var stored = try await Self.interruptRun(of: fixture.newJob(), fixture) { servers[0].byteCount > 0 }
    try #require(stored.startedUpload?.sent != nil)
    stored.startedUpload?.sent?.sha256 = FileDigest.sha256(of: [])
    let finished = try await Self.pipeline(fixture).run(stored)
    #expect(fixture.backend.cancelled == ["0"] && !servers[0].isComplete)
    try Self.expectClip(finished, on: servers[1])
    #expect(finished.attempt == 1 && fixture.backend.rows.count == 1)
  }

  /// Bytes that the encode never reaches, for example because an earlier version had other groups of pictures.
  @Test func longerSentPartStartsANewUpload() async throws {
    let servers = [try await FaultServer(), try await FaultServer()]
    let fixture = try await Self.fixture(servers)
    var stored = try await Self.interruptRun(of: fixture.newJob(), fixture) { servers[0].byteCount > 0 }
    stored.startedUpload?.sent?.byteCount = 1 << 40
    let finished = try await Self.pipeline(fixture).run(stored)
    #expect(fixture.backend.cancelled == ["0"] && !servers[0].isComplete)
    try Self.expectClip(finished, on: servers[1])
  }

  /// `jobs cancel` also cancels an upload that started before the clip was finished.
  @Test func cancelledJobCancelsStartedUpload() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let job = try await Self.interruptRun(of: fixture.newJob(), fixture) { server.byteCount > 0 }
    let uploads = Mutex([String]())
    let cancelled = try await fixture.registry.cancel(job.id.shortText) { _, upload in
      uploads.withLock { $0.append(upload) }
    }
    #expect(uploads.withLock(\.self) == ["0"])
    #expect(!server.isComplete && cancelled.map(\.startedUpload) == [nil])
  }

  // MARK: Servers and networks

  /// A host that requires the size gets the finished clip in the same run, with the same URL.
  @Test(arguments: TestScope.some(1, of: [400, 411, 416])) func refusedUnknownSizeIsSentAfterwards(status: Int)
    async throws
  {
    let server = try await FaultServer(traits: .init(unknownSizeRefusal: status))
    let fixture = try await Self.fixture([server])
    try Self.expectClip(try await Self.pipeline(fixture).run(fixture.newJob()), on: server)
    #expect(fixture.backend.keys.count == 1 && fixture.backend.cancelled.isEmpty)
    // Clips of other hosts are still uploaded early, and after a month also those of this host.
    let now = SharePipeline.currentTimestamp()
    let refusals = UnknownSizeRefusals(places: fixture.places, host: "local")
    #expect(refusals.isRefused(now: now) && !refusals.isRefused(now: now + 31 * 86_400))
    #expect(!UnknownSizeRefusals(places: fixture.places, host: "api.mux.com").isRefused(now: now))
  }

  /// A host that also rejects the clip with its size doesn't require the size.
  @Test func otherRefusalsAreNotRecorded() async throws {
    let server = try await FaultServer([.init(.status(400), .always)])
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    let error = await #expect(throws: UploadError.self) { _ = try await Self.pipeline(fixture).run(job) }
    #expect(error?.explanation.id == "upload.refused")
    #expect(server.requests.contains { $0.contentRange.hasSuffix("/*") && $0.bodyByteCount > 0 })
    #expect(!UnknownSizeRefusals(places: fixture.places, host: "local").isRefused())
  }

  @Test func refusedHostGetsFinishedClips() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    UnknownSizeRefusals(places: fixture.places, host: "local").record()
    let clip = try Self.expectClip(try await Self.pipeline(fixture).run(fixture.newJob()), on: server)
    #expect(clip.probe.isFastStart == true)
    #expect(!server.requests.contains { $0.contentRange.hasSuffix("/*") && $0.bodyByteCount > 0 })
  }

  /// Without a network, the clip is encoded. The next run sends it.
  @Test func encodeContinuesWithoutNetwork() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    fixture.backend.isOutOfReach = true
    let job = try await fixture.newJob()
    await #expect(throws: (any Error).self) { try await Self.pipeline(fixture).run(job) }
    let stored = try await fixture.stored(job)
    #expect(stored.stage.name == "processed" && stored.startedUpload?.session == nil)
    fixture.backend.isOutOfReach = false
    try Self.expectClip(try await Self.pipeline(fixture).run(stored), on: server)
  }

  /// A repeated request has the same draft, because backends reject a changed draft with the same key.
  @Test func repeatedRequestHasTheSameDraft() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    fixture.backend.losesNextResponse = true
    let finished = try await Self.pipeline(fixture).run(job)
    try Self.expectClip(finished, on: server)
    let drafts = fixture.backend.drafts
    #expect(drafts.count == 2 && drafts.first == drafts.last && Set(fixture.backend.keys).count == 1)
  }

  /// For example, the user is still signing in.
  @Test func requestCanLastLongerThanTheEncode() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let encode = AsyncStream<Void>.makeStream()
    fixture.backend.delayNextUpload { for await _ in encode.stream {} }
    var pipeline = try Self.pipeline(fixture)
    let report = pipeline.report
    pipeline.report = { event in
      report(event)
      if case .ended(_, .process) = event { encode.continuation.finish() }
    }
    try Self.expectClip(try await pipeline.run(fixture.newJob()), on: server)
    #expect(fixture.events.all.contains("process: processed"))
    #expect(fixture.backend.keys.count == 1 && fixture.backend.cancelled.isEmpty)
  }

  @Test func rejectedClipCancelsRequest() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    // Ends only if the request is canceled.
    let never = AsyncStream<Void>.makeStream()
    fixture.backend.delayNextUpload { for await _ in never.stream {} }
    var pipeline = try Self.pipeline(fixture)
    pipeline.rules = RuleSettings(["clip.loudness": RuleSetting(grade: .error)])
    let job = try await fixture.newJob()
    #expect(try await pipeline.run(job).stage.isRejected)
    #expect(server.byteCount == 0 && fixture.backend.cancelled == ["0"])
    #expect(try fixture.secrets.read(.uploadURL(job: job.id)) == nil)
    never.continuation.finish()
  }

  /// A server that loses its state, rejects or breaks connections during the encode.
  @Test(arguments: TestScope.seeds(2, of: 36)) func randomFaultsAreSurvived(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let faults: [Fault] = [
      .status(503), .reset(after: 9000, keeping: 5000), .keepOnly(1000), .loseAnswer, .closeAfter, .stayOpen,
    ]
    let rules = (0..<5).map { _ in
      FaultScript.Rule(
        faults.randomElement(using: &generator) ?? .closeAfter, .counted(1),
        skip: Int.random(in: 0...9, using: &generator))
    }
    let server = try await FaultServer(rules)
    let fixture = try await Self.fixture([server])
    try Self.expectClip(try await Self.pipeline(fixture).run(fixture.newJob()), on: server, "seed \(seed)")
    #expect(fixture.backend.rows.count == 1)
  }

  /// The server reports bytes that were never sent, for example those of another program.
  @Test func unsentBytesStartANewUpload() async throws {
    let servers = [try await FaultServer([.init(.claim(1 << 30), on: .query)]), try await FaultServer()]
    let fixture = try await Self.fixture(servers)
    let finished = try await Self.pipeline(fixture).run(fixture.newJob())
    try Self.expectClip(finished, on: servers[1])
    #expect(finished.attempt == 1 && servers[0].byteCount == 0 && fixture.backend.cancelled == ["0"])
    #expect(fixture.backend.rows.count == 1)
  }

  /// Also after the encode.
  @Test func violationAtTheEndStartsANewUpload() async throws {
    let servers = [try await FaultServer([.init(.claim(1 << 30), on: .lastChunk)]), try await FaultServer()]
    let fixture = try await Self.fixture(servers)
    let finished = try await Self.pipeline(fixture).run(fixture.newJob())
    try Self.expectClip(finished, on: servers[1])
    #expect(finished.attempt == 1 && servers[0].byteCount > 0 && fixture.backend.cancelled == ["0"])
    #expect(fixture.backend.rows.count == 1)
  }

  /// An error that isn't about the upload, such as a URL that can't be resolved during the encode.
  @Test func failedEarlyUploadIsCompleted() async throws {
    let server = try await FaultServer()
    let fixture = try await Self.fixture([server])
    let job = try await fixture.newJob()
    let journal = fixture.journal
    let failureCount = Mutex(0)
    let pipeline = try Self.pipeline(fixture) { _ in
      guard try await journal.load(job.id)?.stage.name == "planned", failureCount.withLock(\.self) == 0 else { return }
      failureCount.withLock { $0 += 1 }
      throw ShareEngineError(.journalBusy, ["what": "cannot read the journal"])
    }
    try Self.expectClip(try await pipeline.run(job), on: server)
    #expect(failureCount.withLock(\.self) == 1)
    #expect(fixture.backend.keys.count == 1 && fixture.backend.cancelled.isEmpty)
  }

  /// An upload that expires during the encode is replaced by a new one.
  @Test func expiredURLStartsNewUpload() async throws {
    let servers = [try await FaultServer([.init(.status(410), .always, skip: 3)]), try await FaultServer()]
    let fixture = try await Self.fixture(servers)
    let finished = try await Self.pipeline(fixture).run(fixture.newJob())
    try Self.expectClip(finished, on: servers[1])
    #expect(finished.attempt == 1 && !servers[0].isComplete && fixture.backend.rows.count == 1)
  }
}
