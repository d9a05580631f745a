import ClipModel
import Foundation
import LibCurl
import TestSupport
import Testing
import Upload

@testable import LocalBackend

/// The client and the server of this project, with a proxy between them that breaks connections.
@Suite(.timeLimit(.minutes(10))) struct BrokenUploadTests {
  static let faults: [(String, [ConnectionFault])] = [
    ("no faults", []),
    ("refused three times", [.refuse, .refuse, .refuse]),
    ("reset in the headers of the request (trap 12)", [.resetUp(after: 10)]),
    ("reset in the first chunk (trap 12)", [.resetUp(after: 100_000)]),
    ("reset between two chunks", [.resetUp(after: quantum + 700)]),
    ("reset in every chunk", (1...8).map { .resetUp(after: $0 * 50_000) }),
    ("the response to the query is lost (trap 19)", [.resetDown(after: 0)]),
    (
      "every response is lost once (trap 19)",
      [.resetDown(after: 400), .resetDown(after: 800), .resetDown(after: 1200)]
    ),
    ("a response ends in its headers", [.resetDown(after: 20)]),
    ("a response ends in its headers, without a reset", [.closeDown(after: 20)]),
    ("a response is not HTTP", [.garble, .none, .garble]),
    ("stalled", [.stallUp(after: 300_000)]),
    ("stalled before the first byte", [.stallUp(after: 0)]),
  ]

  @Test(arguments: TestScope.some(4, of: faults)) func theClipArrivesCompletely(name: String, faults: [ConnectionFault])
    async throws
  {
    try await upload(byteCount: 5 * quantum + 77, faults: faults, seed: 3)
  }

  @Test(arguments: TestScope.seeds(4, of: 25)) func uploadsSurviveRandomFaults(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let byteCount = Int.random(in: 1...(6 * quantum), using: &generator)
    let faults = (0..<Int.random(in: 1...8, using: &generator)).map { _ -> ConnectionFault in
      let after = Int.random(in: 0...byteCount, using: &generator)
      switch Int.random(in: 0...5, using: &generator) {
      case 0: return .refuse
      case 1: return .resetDown(after: Int.random(in: 0...1500, using: &generator))
      case 2: return .none
      default: return .resetUp(after: after)
      }
    }
    try await upload(byteCount: byteCount, faults: faults, seed: seed)
  }

  /// Uploads through the proxy. The file arrives once and completely, and only unconfirmed bytes are sent again.
  private func upload(byteCount: Int, faults: [ConnectionFault], seed: UInt64) async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(byteCount, seed: seed)
      let file = try ScratchFolder()
      try Data(bytes).write(to: URL(filePath: file.path("clip.mp4")))
      let ticket = try await backend.ticket()
      let proxy = try await FaultProxy(to: backend.server.port, faults: faults)
      var uploader = DirectUpload(
        transport: try TransferThread(options: TransferOptions(stallWindow: .seconds(1))),
        layout: ChunkLayout(chunkByteCount: Int64(quantum), isFixed: true))
      uploader.clock = FaultClock()
      uploader.generator = SeededGenerator(seed: seed)
      let receipt = try await uploader.upload(
        try FileSource(path: file.path("clip.mp4")),
        session: UploadSession(uploadID: ticket.id, byteCount: Int64(byteCount), confirmedOffset: 0, expiresAt: 0),
        start: .resumed, resolveURL: { "http://127.0.0.1:\(proxy.port)\(ticket.url)" }, save: { _ in },
        progress: { _ in })
      #expect(receipt.byteCount == Int64(byteCount))
      #expect(receipt.sentByteCount <= Int64(byteCount + faults.count * quantum), "seed \(seed)")
      let state = try await backend.settled(ticket.id)
      #expect(state.status == .ready)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes, "seed \(seed)")
      #expect(try await backend.highlights().count == 1)
    }
  }
}
