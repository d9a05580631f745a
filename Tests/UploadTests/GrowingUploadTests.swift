import ClipModel
import TestSupport
import Testing
import Upload

/// Uploads of files that are still being written.
@Suite(.timeLimit(.minutes(10))) struct GrowingUploadTests {
  @Test func endIsSentAfterCompletion() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer()
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: 3 * unit)
    let upload = Task { try await fixture.upload(to: server.url, source: clip.source) }
    #expect(try await TestTimeout.wait { fixture.saved.last == Int64(2 * unit) })
    #expect(!server.isComplete && server.byteCount == 2 * unit)
    try clip.source.complete()
    let receipt = try await upload.value
    #expect(server.bytes == fixture.bytes && server.isComplete)
    #expect(
      server.requests.map(\.contentRange)
        == ["bytes 0-262143/*", "bytes 262144-524287/*", "bytes 524288-786431/786432"])
    #expect(receipt.byteCount == 3 * unit && receipt.sentByteCount == 3 * unit)
  }

  /// If the end is shorter than a chunk, it's still a separate request.
  @Test(arguments: [1, unit - 1, unit, unit + 1, 2 * unit - 1, 2 * unit + 9])
  func everySizeArrives(byteCount: Int) async throws {
    let fixture = try UploadFixture(byteCount: byteCount)
    let server = try await FaultServer()
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: byteCount)
    let upload = Task { try await fixture.upload(to: server.url, source: clip.source) }
    let early = (byteCount - 1) / unit * unit
    #expect(try await TestTimeout.wait { server.byteCount == early })
    try clip.source.complete()
    #expect(try await upload.value.sentByteCount == byteCount)
    #expect(server.bytes == fixture.bytes && server.isComplete)
  }

  /// A host may require the size in every chunk. The same URL then takes the complete file.
  @Test(arguments: [400, 411, 412, 416, 422])
  func refusedUnknownSizeIsReported(status: Int) async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit + 1)
    let server = try await FaultServer(traits: .init(unknownSizeRefusal: status))
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: fixture.bytes.count)
    await #expect(throws: UploadError.unknownSizeRefused(status: status)) {
      try await fixture.upload(to: server.url, source: clip.source)
    }
    #expect(server.byteCount == 0)
    try clip.source.complete()
    _ = try await fixture.upload(to: server.url, start: .resumed, source: clip.source)
    #expect(server.bytes == fixture.bytes && server.isComplete)
  }

  /// A refusal of a chunk with the file's size has other reasons.
  @Test func otherRefusalsAreNotAboutTheSize() async throws {
    let fixture = try UploadFixture(byteCount: unit + 1)
    let server = try await FaultServer([.init(.status(400, body: "no"), .always)])
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: unit + 1)
    try clip.source.complete()
    await #expect(throws: UploadError.refused(status: 400, reason: "no")) {
      try await fixture.upload(to: server.url, source: clip.source)
    }
  }

  /// While the end isn't sent, no response means that the upload is complete.
  @Test(arguments: [FaultScript.Kind.chunk, .query], [false, true])
  func earlyEndIsReported(kind: FaultScript.Kind, namesSize: Bool) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer([.init(.finishEarly, on: kind)], traits: .init(namesSize: namesSize))
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: 2 * unit)
    let error = await #expect(throws: UploadError.self) {
      try await fixture.upload(to: server.url, start: .resumed, source: clip.source)
    }
    #expect(error?.explanation.id == "upload.content-mismatch")
    #expect(server.isComplete && fixture.progress.allSatisfy { !$0.isComplete })
  }

  /// A host that doesn't support status queries responds to them like to chunks.
  @Test func bare200ToQueryIsNotTheEnd() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(traits: .init(namesSize: false, queries: .unknown(200)))
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: 2 * unit)
    let upload = Task { try await fixture.upload(to: server.url, start: .resumed, source: clip.source) }
    #expect(try await TestTimeout.wait { server.byteCount >= unit })
    try clip.write(upTo: 3 * unit)
    try clip.source.complete()
    _ = try await upload.value
    #expect(server.bytes == fixture.bytes && server.isComplete)
  }

  /// An earlier run can't have sent bytes that the file doesn't have. Without an error, the upload would continue when
  /// the file is complete.
  @Test(arguments: [3 * unit, Int.max]) func offsetBeyondFileEndsUpload(byteCount: Int) async throws {
    let fixture = try UploadFixture(byteCount: 4 * unit)
    let server = try await FaultServer([.init(.claim(byteCount), on: .query)])
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: 2 * unit)
    let upload = Task { try await fixture.upload(to: server.url, start: .resumed, source: clip.source) }
    #expect(try await TestTimeout.wait { !server.requests.isEmpty })
    try clip.write(upTo: 4 * unit)
    try clip.source.complete()
    let error = await #expect(throws: UploadError.self) { try await upload.value }
    #expect(error?.explanation.id == "upload.protocol-violation")
    #expect(server.requests.count == 1)
  }

  @Test func failedWriterEndsUpload() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer()
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: 2 * unit)
    let upload = Task { try await fixture.upload(to: server.url, source: clip.source) }
    #expect(try await TestTimeout.wait { server.byteCount == unit })
    clip.source.fail(UploadError.sourceUnreadable("cannot be encoded"))
    await #expect(throws: UploadError.sourceUnreadable("cannot be encoded")) { try await upload.value }
    #expect(!server.isComplete)
  }

  @Test func cancellationEndsWait() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer()
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    let upload = Task { try await fixture.upload(to: server.url, source: clip.source) }
    upload.cancel()
    await #expect(throws: CancellationError.self) { try await upload.value }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [false, true]) func shortenedFileEndsUpload(isComplete: Bool) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer()
    let clip = try GrowingClip(fixture.bytes, at: try ScratchFolder().path("clip.mp4"))
    try clip.write(upTo: 3 * unit)
    if isComplete { try clip.source.complete() }
    try clip.truncate(to: 2 * unit)
    let error = await #expect(throws: UploadError.self) {
      try await fixture.upload(to: server.url, source: clip.source)
    }
    #expect(error?.explanation.id == "upload.source-changed")
    #expect(server.requests.isEmpty)
  }

  /// Bytes that arrive in random steps, random faults of the server, and kills of the client: the server receives the
  /// file's bytes, the end only after completion, and without faults and kills each byte once.
  @Test(arguments: UInt64(1)...80) func fileArrivesWhileItGrows(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let byteCount = Int.random(in: 1...(6 * unit), using: &generator)
    let rules = (0..<Int.random(in: 0...6, using: &generator)).map { _ in UploadPropertyTests.rule(using: &generator) }
    let killCount = Int.random(in: 0...3, using: &generator)
    let fixture = try UploadFixture(byteCount: byteCount, seed: seed)
    // A host that doesn't report offsets can't report lost bytes either.
    let sendsRange = !rules.isEmpty || Bool.random(using: &generator)
    let server = try await FaultServer(
      rules, traits: .init(sendsRange: sendsRange, namesSize: Bool.random(using: &generator)))
    let path = try ScratchFolder().path("clip.mp4")
    let chunkByteCount = Int64.random(in: 1...4, using: &generator) * ChunkLayout.unit
    for run in 0...killCount {
      let clip = try GrowingClip(fixture.bytes, at: path)
      let upload = Task {
        try await fixture.upload(
          to: server.url, start: run == 0 ? .fresh : .resumed, chunkByteCount: chunkByteCount, source: clip.source)
      }
      let isKilled = run < killCount
      let end = isKilled ? Int.random(in: try clip.writtenCount...byteCount, using: &generator) : byteCount
      while try clip.writtenCount < end {
        let step = Int.random(in: 1...(unit + unit / 2), using: &generator)
        try clip.write(upTo: min(try clip.writtenCount + step, end))
        for _ in 0..<Int.random(in: 0...200, using: &generator) { await Task.yield() }
      }
      let written = try clip.writtenCount
      #expect(!server.isComplete && server.byteCount < max(written, 1), "seed \(seed): the end was sent")
      if isKilled {
        upload.cancel()
        _ = await upload.result
      } else {
        try clip.source.complete()
        let receipt = try await upload.value
        let isUndisturbed = rules.isEmpty && killCount == 0 && sendsRange
        #expect(!isUndisturbed || receipt.sentByteCount == byteCount, "seed \(seed): bytes were sent twice")
      }
    }
    #expect(server.isComplete && server.bytes == fixture.bytes, "seed \(seed)")
  }
}
