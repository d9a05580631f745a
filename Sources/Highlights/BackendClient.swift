package import ClipModel
import Foundation
package import LibCurl

/// A request to the backend.
package struct BackendCall {
  /// A percent-encoded path and query, relative to one of the endpoint's base URLs.
  package enum Path {
    case functions(String)
    case rest(String)
    case storage(String)
  }

  /// The action that error messages mention, such as `create the upload`.
  let operation: String
  let path: Path
  var method = HTTPMethod.get
  var headers: [String: String] = [:]
  var body: [UInt8]?
  /// Whether the request can be repeated if its outcome is unknown. Other requests are retried only after status 429.
  var isRepeatable = true
  /// Whether a response with status 429 is returned, because it contains the time to wait, instead of retrying.
  var returnsRateLimit = false

  package init(
    operation: String, path: Path, method: HTTPMethod = .get, headers: [String: String] = [:], body: [UInt8]? = nil,
    isRepeatable: Bool = true, returnsRateLimit: Bool = false
  ) {
    (self.operation, self.path, self.method) = (operation, path, method)
    (self.headers, self.body, self.isRepeatable) = (headers, body, isRepeatable)
    self.returnsRateLimit = returnsRateLimit
  }

  /// Encodes a value as JSON with sorted keys, so the backend can compare requests that have the same idempotency key.
  static func encodeJSON(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return [UInt8](try encoder.encode(value))
  }

  /// Percent-encodes a path component, including slashes.
  static func percentEncode(_ component: String) -> String {
    component.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_", "~"])) ?? component
  }
}

/// Sends calls to the backend's current endpoint and retries after temporary failures.
///
/// By default, calls are repeatable: they read, delete by ID, or create with an idempotency key.
package struct BackendClient: Sendable {
  let transport: any HTTPTransport
  let endpoint: @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  let policy: RetryPolicy
  let clock: any Clock<Duration>
  let generator: any RandomNumberGenerator & Sendable

  /// - Parameters: as in `HighlightsAPI`.
  package init(
    transport: any HTTPTransport,
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint, policy: RetryPolicy,
    clock: any Clock<Duration>, generator: any RandomNumberGenerator & Sendable
  ) {
    (self.transport, self.endpoint, self.policy) = (transport, endpoint, policy)
    (self.clock, self.generator) = (clock, generator)
  }

  /// Sends a request to the backend, with retries.
  /// - Returns: a response with a status from 200 to 299, or 404.
  func send(_ call: BackendCall) async throws -> HTTPResponse {
    let response = try await exchange(call)
    guard (200..<300).contains(response.status) || response.status == 404 else {
      throw Self.rejectionError(response, call)
    }
    return response
  }

  /// Sends a request to the backend, with retries after temporary failures.
  /// - Returns: a complete response that is not a temporary failure.
  package func exchange(_ call: BackendCall) async throws -> HTTPResponse {
    var retries = RetryState()
    var generator = self.generator
    var refused: BackendEndpoint?
    while true {
      let failure: HighlightsError
      var retryAfter: Duration?
      var wasRateLimited = false
      let endpoint = try await endpoint(refused)
      do {
        let response = try await transport.send(makeRequest(call, endpoint: endpoint))
        switch response.status {
        case 200..<300 where response.isBodyTruncated:
          failure = .unreachable(operation: call.operation, reason: "the response was incomplete")
        case 429 where call.returnsRateLimit: return response
        case 408, 429, 500...599:
          failure = Self.temporaryFailure(response, call)
          retryAfter = response.headers["Retry-After"].flatMap {
            RetryAfter.parseDelay($0, serverDate: response.headers["Date"], now: Int64(Date().timeIntervalSince1970))
          }
          wasRateLimited = response.status == 429
        // The token may have expired in transit, so retry once with a new token. A second 401 is a rejection.
        case 401 where refused == nil && endpoint.headers["Authorization"] != nil:
          refused = endpoint
          continue
        default: return response
        }
      } catch let error as CurlError {
        failure = .unreachable(operation: call.operation, reason: error.description)
        guard error.isTemporary else { throw failure }
      }
      guard call.isRepeatable || wasRateLimited,
        let delay = retries.nextDelay(policy, retryAfter: retryAfter, using: &generator)
      else { throw failure }
      try await clock.sleep(for: delay)
    }
  }

  private static func temporaryFailure(_ response: HTTPResponse, _ call: BackendCall) -> HighlightsError {
    if response.status == 507 { return .backendDiskFull(operation: call.operation) }
    let reason = "the backend responded with \(response.status): \(ServiceError(response).reason)"
    return .unreachable(operation: call.operation, reason: reason)
  }

  private static func rejectionError(_ response: HTTPResponse, _ call: BackendCall) -> HighlightsError {
    let body = ServiceError(response)
    return switch response.status {
    case 401, 403: .notAuthorized(operation: call.operation, reason: body.reason)
    case 409 where body.isAlreadyRegistered: .alreadyRegistered
    case 409 where body.code == "highlight_taken": .highlightTaken
    default: .refused(operation: call.operation, status: response.status, reason: body.reason)
    }
  }

  /// Sends a request and treats status 404 as an error.
  /// - Returns: a response with a status from 200 to 299.
  @discardableResult
  func sendExpectingSuccess(_ call: BackendCall) async throws -> HTTPResponse {
    let response = try await send(call)
    guard response.status != 404 else { throw Self.rejectionError(response, call) }
    return response
  }

  /// Sends a request and decodes the JSON body of the response.
  func sendAndDecode<Value: Decodable>(
    _ call: BackendCall, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) async throws -> Value {
    let response = try await sendExpectingSuccess(call)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = keys
    do {
      return try decoder.decode(Value.self, from: Data(response.body))
    } catch {
      throw HighlightsError.unreadableAnswer(operation: call.operation, reason: Self.describeDecodingError(error))
    }
  }

  /// A page of 1,000 rows, which can have texts of 10,000 characters and more.
  private static let maximumResponseByteCount = 64 << 20

  private func makeRequest(_ call: BackendCall, endpoint: BackendEndpoint) -> HTTPRequest {
    let url =
      switch call.path {
      case .functions(let path): BackendEndpoint.joinPath(endpoint.functionsURL, path)
      case .rest(let path): BackendEndpoint.joinPath(endpoint.restURL, path)
      case .storage(let path): BackendEndpoint.joinPath(endpoint.storageURL, path)
      }
    var request = HTTPRequest(call.method, url: url, maximumResponseByteCount: Self.maximumResponseByteCount)
    // libcurl resends a request if a reused connection closes before the response arrives.
    request.reusesConnection = call.isRepeatable
    request.headers["Accept"] = "application/json"
    if call.body != nil { request.headers["Content-Type"] = "application/json" }
    for (name, value) in endpoint.headers { request.headers[name] = value }
    for (name, value) in call.headers { request.headers[name] = value }
    if let body = call.body { request.body = .data(body) }
    return request
  }

  /// Describes where decoding failed, without revealing any values.
  private static func describeDecodingError(_ error: any Error) -> String {
    let path = { (context: DecodingError.Context) in context.codingPath.map(\.stringValue).joined(separator: ".") }
    return switch error as? DecodingError {
    case .keyNotFound(let key, _): "the key \(key.stringValue) is missing"
    case .typeMismatch(_, let context): "\(path(context)) has the wrong type"
    case .valueNotFound(_, let context): "\(path(context)) is null"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty: "\(path(context)) has an unknown value"
    default: "the body is not JSON"
    }
  }
}
