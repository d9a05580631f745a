import ClipModel
import Foundation
import LibCurl

/// One request to the backend, as the contract names it.
struct BackendCall {
  /// Path and query after one of the two bases, percent-encoded.
  enum Place {
    case functions(String)
    case rest(String)
  }

  /// What failed, in errors: `create the upload`.
  let operation: String
  let method: HTTPMethod
  let place: Place
  var headers: [String: String] = [:]
  var body: [UInt8]?
  /// Whether it may be sent again when its effect is unknown. One that may not is repeated after 429 alone.
  var isRepeatable = true

  init(operation: String, _ method: HTTPMethod, _ place: Place, body: [UInt8]? = nil) {
    self.operation = operation
    self.method = method
    self.place = place
    self.body = body
  }

  /// The same bytes for the same value, so that a backend may compare them when a key comes again.
  static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return [UInt8](try encoder.encode(value))
  }

  /// One component of a path; nothing in it divides.
  static func escaped(_ component: String) -> String {
    component.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_", "~"])) ?? component
  }
}

/// Sends calls to wherever the backend is at that moment and repeats them while that may help.
///
/// Calls may be repeated unless they say otherwise: reading, deleting by id, creating with an idempotency key.
struct BackendClient: Sendable {
  let transport: any HTTPTransport
  let endpoint: @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  let policy: RetryPolicy
  let clock: any Clock<Duration>
  let generator: any RandomNumberGenerator & Sendable

  /// - Returns: an answer from 200 to 299, or 404.
  func send(_ call: BackendCall) async throws -> HTTPResponse {
    var retries = RetryState()
    var generator = self.generator
    var refused: BackendEndpoint?
    while true {
      let failure: Failure
      var wasRefused = false
      let endpoint = try await endpoint(refused)
      do {
        let response = try await transport.send(request(call, endpoint: endpoint))
        switch response.status {
        case 200..<300 where !response.isBodyTruncated, 404: return response
        case 200..<300: failure = Failure(reason: "the answer broke off")
        case 408, 429, 500...599:
          failure = Failure(response)
          wasRefused = response.status == 429
        // A token may end between its check and its use. A refusal by a rule would come again: it is no loop.
        case 401 where refused == nil && endpoint.headers["Authorization"] != nil:
          refused = endpoint
          continue
        case 401, 403:
          throw HighlightsError.notAuthorised(operation: call.operation, reason: ErrorBody(response).reason)
        case 409 where ErrorBody(response).isAlreadyRegistered: throw HighlightsError.alreadyRegistered
        case 409 where ErrorBody(response).code == "highlight_taken": throw HighlightsError.highlightTaken
        default:
          throw HighlightsError.refused(
            operation: call.operation, status: response.status, reason: ErrorBody(response).reason)
        }
      } catch let error as CurlError {
        failure = Failure(reason: error.description)
        guard error.isTemporary else { throw failure.error(call) }
      }
      guard call.isRepeatable || wasRefused else { throw failure.error(call) }
      guard let delay = retries.nextDelay(policy, retryAfter: failure.retryAfter, using: &generator) else {
        throw failure.error(call)
      }
      try await clock.sleep(for: delay)
    }
  }

  /// Decodes the JSON of a call that must not be answered with 404.
  /// - Returns: an answer from 200 to 299.
  @discardableResult
  func accepted(_ call: BackendCall) async throws -> HTTPResponse {
    let response = try await send(call)
    guard response.status != 404 else {
      throw HighlightsError.refused(operation: call.operation, status: 404, reason: ErrorBody(response).reason)
    }
    return response
  }

  func value<Value: Decodable>(_ call: BackendCall) async throws -> Value {
    let response = try await accepted(call)
    do {
      return try JSONDecoder().decode(Value.self, from: Data(response.body))
    } catch {
      throw HighlightsError.unreadableAnswer(operation: call.operation, reason: Self.reason(error))
    }
  }

  private func request(_ call: BackendCall, endpoint: BackendEndpoint) -> HTTPRequest {
    let url =
      switch call.place {
      case .functions(let path): BackendEndpoint.join(endpoint.functionsURL, path)
      case .rest(let path): BackendEndpoint.join(endpoint.restURL, path)
      }
    var request = HTTPRequest(call.method, url: url)
    // libcurl repeats a request by itself when a kept connection breaks before the answer.
    request.mayReuseConnection = call.isRepeatable
    request.headers["Accept"] = "application/json"
    for (name, value) in endpoint.headers { request.headers[name] = value }
    for (name, value) in call.headers { request.headers[name] = value }
    if let body = call.body {
      request.headers["Content-Type"] = "application/json"
      request.body = .data(body)
    }
    return request
  }

  /// A failure that another try may mend.
  private struct Failure {
    var reason: String
    var retryAfter: Duration?
    var isDiskFull = false

    init(reason: String) { self.reason = reason }

    init(_ response: HTTPResponse) {
      reason = "the backend answered \(response.status): \(ErrorBody(response).reason)"
      isDiskFull = response.status == 507
      let now = Int64(Date().timeIntervalSince1970)
      retryAfter = response.headers["Retry-After"].flatMap {
        RetryAfter.delay($0, serverDate: response.headers["Date"], now: now)
      }
    }

    func error(_ call: BackendCall) -> HighlightsError {
      isDiskFull
        ? .backendDiskFull(operation: call.operation) : .outOfReach(operation: call.operation, reason: reason)
    }
  }

  /// Where in the JSON it went wrong; the values stay out of it.
  private static func reason(_ error: any Error) -> String {
    let path = { (context: DecodingError.Context) in context.codingPath.map(\.stringValue).joined(separator: ".") }
    return switch error as? DecodingError {
    case .keyNotFound(let key, _): "the key \(key.stringValue) is missing"
    case .typeMismatch(_, let context): "\(path(context)) has another type"
    case .valueNotFound(_, let context): "\(path(context)) is null"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty: "\(path(context)) has an unknown value"
    default: "it is not JSON"
    }
  }
}
