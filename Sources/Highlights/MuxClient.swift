import ClipModel
import Foundation
import LibCurl
import Synchronization

/// A client for the parts of Mux's REST API that bsc uses.
struct MuxClient: Sendable {
  /// The settings for the asset that Mux creates from an upload.
  struct NewAssetSettings {
    var passthrough: String
    var videoQuality: String?
    var title: String?
  }

  private let client: BackendClient

  /// The number and the size of the pages that are searched for an existing upload, most recent uploads first.
  private static let (pageCount, pageSize) = (3, 100)

  init(
    url: String, token: MuxBackend.AccessToken, transport: any HTTPTransport, policy: RetryPolicy,
    clock: any Clock<Duration>,
    generator: any RandomNumberGenerator & Sendable
  ) {
    let credentials = Data("\(token.id):\(token.secret)".utf8).base64EncodedString()
    let endpoint = BackendEndpoint(
      functionsURL: BackendEndpoint.joinPath(url, "video/v1"), restURL: "",
      headers: ["Authorization": "Basic \(credentials)"])
    client = BackendClient(
      transport: RateLimitedTransport(transport, clock: clock),
      endpoint: { refused in
        // There is no other token to try.
        guard refused == nil else {
          throw HighlightsError.tokenRefused(operation: "use Mux", reason: "Mux does not accept the access token")
        }
        return endpoint
      }, policy: policy, clock: clock, generator: generator)
  }

  /// Creates an upload. This request isn't idempotent: if the response is lost, the upload may exist.
  func createUpload(_ asset: NewAssetSettings, timeoutSeconds: Int) async throws -> MuxUpload {
    var settings: [String: Any] = [
      "playback_policies": ["public"], "max_resolution_tier": "1080p", "passthrough": asset.passthrough,
    ]
    if let quality = asset.videoQuality { settings["video_quality"] = quality }
    if let title = asset.title { settings["meta"] = ["title": title] }
    let body: [String: Any] = ["cors_origin": "*", "timeout": timeoutSeconds, "new_asset_settings": settings]
    return try await sendAndDecode(
      BackendCall(
        operation: "create the upload", path: .functions("uploads"), method: .post,
        body: [UInt8](try JSONSerialization.data(withJSONObject: body, options: .sortedKeys)), isRepeatable: false))
  }

  func fetchUpload(_ id: String) async throws -> MuxUpload {
    let path = "uploads/\(BackendCall.percentEncode(id))"
    return try await sendAndDecode(BackendCall(operation: "read the upload's state", path: .functions(path)))
  }

  func fetchRecentUploads() async throws -> [MuxUpload] {
    var uploads: [MuxUpload] = []
    for page in 1...Self.pageCount {
      let path = "uploads?limit=\(Self.pageSize)&page=\(page)"
      let answer: [MuxUpload] = try await sendAndDecode(BackendCall(operation: "list uploads", path: .functions(path)))
      uploads += answer
      if answer.count < Self.pageSize { break }
    }
    return uploads
  }

  func cancelUpload(_ id: String) async throws {
    let path = "uploads/\(BackendCall.percentEncode(id))/cancel"
    let _: MuxUpload = try await sendAndDecode(
      BackendCall(operation: "cancel the upload", path: .functions(path), method: .put, body: []))
  }

  func fetchAsset(_ id: String) async throws -> MuxAsset {
    let path = "assets/\(BackendCall.percentEncode(id))"
    return try await sendAndDecode(BackendCall(operation: "read the asset", path: .functions(path)))
  }

  /// Returns the asset with the given ID.
  /// - Returns: the asset, or `nil` if it doesn't exist.
  func fetchExistingAsset(_ id: String) async throws -> MuxAsset? {
    do {
      return try await fetchAsset(id)
    } catch HighlightsError.refused(_, 404, _) {
      return nil
    }
  }

  /// Waits so that a newly created upload can appear in the list of uploads.
  func waitForListing() async throws { try await client.clock.sleep(for: .seconds(2)) }

  private func sendAndDecode<Value: Decodable>(_ call: BackendCall) async throws -> Value {
    do {
      let answer: MuxResponse<Value> = try await client.sendAndDecode(call, keys: .convertFromSnakeCase)
      return answer.data
    } catch HighlightsError.notAuthorized(let operation, let reason) {
      throw HighlightsError.tokenRefused(operation: operation, reason: reason)
    }
  }
}

/// Delays the next request if a response reports that the rate limit has been reached.
final class RateLimitedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let clock: any Clock<Duration>
  private let isExhausted = Mutex(false)

  /// The delay before the next request. Mux refills its slowest rate limit by one request per second.
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
