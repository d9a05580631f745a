import ClipModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

/// A server in a new folder with a maker that doesn't use codecs.
final class TestBackend: Sendable {
  static let goodFacts = AssetProperties(
    durationSeconds: 12, width: 1920, height: 1080, frameRate: 30, hasVideo: true, videoTrackCount: 1)

  static let quickMaker = AssetMaker(
    inspect: { _ in goodFacts },
    drawPicture: { _, _, path in try Data("jpeg".utf8).write(to: URL(filePath: path)) },
    storyboard: { _ in throw AssetError.rejected("storyboards are not supported") },
    trim: { _, _, _ in throw AssetError.rejected("trimming is not supported") },
    makeStream: { _, _ in throw AssetError.rejected("streams are not supported") })

  /// A maker that waits for the gate before it inspects a clip.
  static func maker(waitingFor gate: Gate) -> AssetMaker {
    var maker = quickMaker
    maker.inspect = { _ in
      await gate.wait()
      return goodFacts
    }
    return maker
  }

  struct Options {
    var port = LocalServerConfiguration.Port.any
    var uploadQueueTimeout = Duration.seconds(2)
    var now: @Sendable () -> Date = { Date() }
    var opensSessions = false
    var openTo: LocalServerConfiguration.ReachableAddress?
    /// Changes other settings.
    var change: @Sendable (inout LocalServerConfiguration) -> Void = { _ in }
  }

  let folder: String
  let server: RunningServer

  private init(folder: String, server: RunningServer) {
    self.folder = folder
    self.server = server
  }

  static func newFolder() -> String {
    FileManager.default.temporaryDirectory.path + "/bsc-backend-" + UUID().uuidString
  }

  /// Runs `test` with a server, then stops the server. Removes the folder unless it was passed in.
  static func run<Value>(
    in folder: String? = nil, maker: AssetMaker = quickMaker,
    options: Options = Options(), _ test: (TestBackend) async throws -> Value
  ) async throws -> Value {
    let path = folder ?? newFolder()
    var configuration = LocalServerConfiguration(dataFolder: path, port: options.port, assetMaker: maker)
    configuration.uploadQueueTimeout = options.uploadQueueTimeout
    configuration.now = options.now
    configuration.opensSessions = options.opensSessions
    configuration.openTo = options.openTo
    // A real hash takes seconds in debug builds.
    configuration.passwordRounds = 1 << 6
    options.change(&configuration)
    let backend = TestBackend(folder: path, server: try await LocalServer.start(configuration))
    let result: Result<Value, any Error>
    do { result = .success(try await test(backend)) } catch { result = .failure(error) }
    await backend.server.stop()
    if folder == nil { try? FileManager.default.removeItem(atPath: path) }
    return try result.get()
  }

  /// Sends one request on a new connection.
  func send(
    _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> HTTPReply {
    try await Self.send(to: server.port, method, target, headers: headers, body: body)
  }

  /// Sends a request to any server of this machine.
  static func send(
    to port: Int, _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> HTTPReply {
    let connection = try RawConnection(port: port)
    try await connection.send(head(port, method, target, headers, contentLength: body?.count) + (body ?? []))
    return HTTPReply(try await connection.readToEnd())
  }

  func head(
    _ method: String, _ target: String, _ headers: [String: String] = [:], contentLength: Int?
  ) -> [UInt8] {
    Self.head(server.port, method, target, headers, contentLength: contentLength)
  }

  private static func head(
    _ port: Int, _ method: String, _ target: String, _ headers: [String: String], contentLength: Int?
  ) -> [UInt8] {
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if let contentLength { all["Content-Length"] = String(contentLength) }
    all.merge(headers) { $1 }
    let lines = all.map { "\($0): \($1)" }.joined(separator: "\r\n")
    return Array("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n\r\n".utf8)
  }

  // MARK: Uploads

  func open(
    _ draft: HighlightDraft = .sample(), key: String = UUID().uuidString, timeout: Int? = nil
  ) async throws -> HTTPReply {
    try await send(
      "POST", "/uploads" + (timeout.map { "?timeout=\($0)" } ?? ""), headers: ["Idempotency-Key": key],
      body: Array(try JSONEncoder().encode(draft)))
  }

  func ticket(_ draft: HighlightDraft = .sample(), key: String = UUID().uuidString) async throws -> UploadTicket {
    let reply = try await open(draft, key: key)
    try #require(reply.status == 201)
    return try reply.json()
  }

  func put(_ ticket: UploadTicket, _ range: String?, _ body: [UInt8] = []) async throws -> HTTPReply {
    try await send("PUT", ticket.url, headers: range.map { ["Content-Range": $0] } ?? [:], body: body)
  }

  /// The confirmed bytes that a status query reports.
  func confirmed(_ ticket: UploadTicket) async throws -> Int? {
    let reply = try await put(ticket, "bytes */*")
    guard reply.status == 308 else { return nil }
    guard let range = reply.headers["range"] else { return 0 }
    return Int(range.dropFirst("bytes=0-".count)).map { $0 + 1 }
  }

  func state(_ id: String) async throws -> UploadState { try await send("GET", "/uploads/\(id)").json() }

  /// Waits until the upload's asset is ready or errored.
  func settled(_ id: String) async throws -> UploadState {
    try await TestTimeout.wait { ![.assetCreated, .waiting].contains(try await state(id).status) }
    return try await state(id)
  }

  func highlights() async throws -> [Highlight] {
    try await send("GET", "/rest/v1/highlights?order=created_at.desc").json()
  }

  /// Publishes a highlight with these bytes as its clip.
  func publish(_ bytes: [UInt8], _ draft: HighlightDraft = .sample()) async throws -> Highlight {
    let ticket = try await ticket(draft)
    #expect(try await put(ticket, nil, bytes).status == 200)
    #expect(try await settled(ticket.id).status == .ready)
    return try #require(try await highlights().first { $0.id == draft.highlightID })
  }
}

extension Highlight {
  /// The playback ID, which open highlights have.
  var playback: String { muxPlaybackID ?? "none" }
}

extension HighlightDraft {
  static func sample(
    _ id: UUID = UUID(), post: PostPart? = nil, caption: String? = "Match point #spike", duration: Double = 12
  ) -> Self {
    var draft = HighlightDraft(highlightID: id, post: post, caption: caption, tags: ["spike"], duration: duration)
    draft.localVideoID = UUID()
    draft.localRallyIndex = 2
    draft.confidence = 0.9
    draft.quality = 0.8
    draft.detectionCount = 64
    return draft
  }
}

/// Reproducible pseudorandom bytes, which differ at every position of a test file.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state)
  }
}

let quantum = 262_144
