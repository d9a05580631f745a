import ClipModel
import Foundation
import LibCurl
import Synchronization

/// The part of Mux's REST API that is needed.
struct MuxClient: Sendable {
  /// What an upload's asset shall be.
  struct NewAsset {
    var passthrough: String
    var videoQuality: String?
    var title: String?
  }

  private let client: BackendClient

  /// Uploads that are looked at when one is looked for, newest first: so many pages of so many.
  private static let (pageCount, pageSize) = (3, 100)

  init(
    url: String, token: MuxBackend.Token, transport: any HTTPTransport, policy: RetryPolicy, clock: any Clock<Duration>,
    generator: any RandomNumberGenerator & Sendable
  ) {
    let credentials = Data("\(token.id):\(token.secret)".utf8).base64EncodedString()
    let endpoint = BackendEndpoint(
      functionsURL: BackendEndpoint.join(url, "video/v1"), restURL: "",
      headers: ["Authorization": "Basic \(credentials)"])
    client = BackendClient(
      transport: PacedTransport(transport, clock: clock),
      endpoint: { refused in
        // There is no other token to try.
        guard refused == nil else {
          throw HighlightsError.tokenRefused(operation: "use Mux", reason: "Mux does not know the access token")
        }
        return endpoint
      }, policy: policy, clock: clock, generator: generator)
  }

  /// Not idempotent: after a lost answer there may be an upload.
  func create(_ asset: NewAsset, timeoutSeconds: Int) async throws -> MuxUpload {
    var settings: [String: Any] = [
      "playback_policies": ["public"], "max_resolution_tier": "1080p", "passthrough": asset.passthrough,
    ]
    if let quality = asset.videoQuality { settings["video_quality"] = quality }
    if let title = asset.title { settings["meta"] = ["title": title] }
    let body: [String: Any] = ["cors_origin": "*", "timeout": timeoutSeconds, "new_asset_settings": settings]
    var call = BackendCall(
      operation: "create the upload", .post, .functions("uploads"),
      body: [UInt8](try JSONSerialization.data(withJSONObject: body, options: .sortedKeys)))
    call.isRepeatable = false
    return try await value(call)
  }

  func upload(_ id: String) async throws -> MuxUpload {
    try await value(
      BackendCall(operation: "read the upload's state", .get, .functions("uploads/\(BackendCall.escaped(id))")))
  }

  func newestUploads() async throws -> [MuxUpload] {
    var uploads: [MuxUpload] = []
    for page in 1...Self.pageCount {
      let answer: [MuxUpload] = try await value(
        BackendCall(operation: "list uploads", .get, .functions("uploads?limit=\(Self.pageSize)&page=\(page)")))
      uploads += answer
      if answer.count < Self.pageSize { break }
    }
    return uploads
  }

  func cancel(_ id: String) async throws {
    let _: MuxUpload = try await value(
      BackendCall(
        operation: "cancel the upload", .put, .functions("uploads/\(BackendCall.escaped(id))/cancel"), body: []))
  }

  func asset(_ id: String) async throws -> MuxAsset {
    try await value(BackendCall(operation: "read the asset", .get, .functions("assets/\(BackendCall.escaped(id))")))
  }

  /// Before a second look.
  func pause() async throws { try await client.clock.sleep(for: .seconds(2)) }

  private func value<Value: Decodable>(_ call: BackendCall) async throws -> Value {
    do {
      let answer: MuxAnswer<Value> = try await client.value(call)
      return answer.data
    } catch HighlightsError.notAuthorised(let operation, let reason) {
      throw HighlightsError.tokenRefused(operation: operation, reason: reason)
    }
  }
}

/// A transport that keeps below the server's limit: when an answer says that nothing remains, the next request waits.
final class PacedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let clock: any Clock<Duration>
  private let isExhausted = Mutex(false)

  /// Mux refills its slowest bucket by one a second.
  private static let pause = Duration.seconds(1)

  init(_ transport: any HTTPTransport, clock: any Clock<Duration>) {
    self.transport = transport
    self.clock = clock
  }

  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (Int64) -> Void
  ) async throws -> HTTPResponse {
    if isExhausted.withLock({ $0 }) { try await clock.sleep(for: Self.pause) }
    let response = try await transport.send(request, progress: progress)
    if let remaining = response.headers["X-RateLimit-Remaining"].flatMap({ Int($0) }) {
      isExhausted.withLock { $0 = remaining <= 0 }
    }
    return response
  }
}
