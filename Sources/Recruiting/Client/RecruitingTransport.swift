public import Foundation

/// A request for rows or functions of the backend.
public struct RecruitingRequest: Equatable, Sendable {
  /// An HTTP method.
  public enum Method: String, Sendable {
    /// Reads rows.
    case get = "GET"
    /// Inserts rows, or calls a function.
    case post = "POST"
    /// Changes rows.
    case patch = "PATCH"
    /// Deletes rows.
    case delete = "DELETE"
  }

  /// The action that error messages mention, such as `add the coach`.
  public let operation: String
  /// The method.
  public let method: Method
  /// The percent-encoded path and query, relative to the base URL of PostgREST (`…/rest/v1`).
  public let path: String
  /// The request's headers, in addition to credentials and `Content-Type`.
  public let headers: [String: String]
  /// The JSON body. `nil` if there is none.
  public let body: Data?
  /// Whether a second execution changes nothing, so that the request can be sent again after a lost response.
  public let isRepeatable: Bool
}

/// A response of the backend.
public struct RecruitingResponse: Equatable, Sendable {
  /// The HTTP status.
  public let status: Int
  /// The body, which may be empty.
  public let body: Data

  /// Creates a response.
  public init(status: Int, body: Data) { (self.status, self.body) = (status, body) }
}

/// An interface for sending requests to the backend.
///
/// An implementation adds the base URL and the account's credentials, and may send repeatable requests again. It returns
/// responses with status 429, which contain the time to wait.
public protocol RecruitingTransport: Sendable {
  /// Sends a request and returns the response, regardless of its status.
  /// - Throws: `RecruitingError` with the ID `unreachable` if no response was received, or any error about the
  ///   credentials.
  func send(_ request: RecruitingRequest) async throws -> RecruitingResponse
}

extension RecruitingRequest {
  typealias Query = [(name: String, value: String)]

  /// Creates a request for the rows of a table.
  /// - Parameter query: names and values, which are percent-encoded here.
  static func rows(
    _ operation: String, _ table: String, _ query: Query, method: Method = .get, headers: [String: String] = [:],
    body: Data? = nil, isRepeatable: Bool = true
  ) -> RecruitingRequest {
    let text = query.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    return RecruitingRequest(
      operation: operation, method: method, path: text.isEmpty ? table : "\(table)?\(text)", headers: headers,
      body: body, isRepeatable: isRepeatable)
  }

  /// Creates a request that calls a function.
  static func call(
    _ operation: String, _ function: String, _ arguments: [String: RowField], isRepeatable: Bool = true
  ) throws -> RecruitingRequest {
    rows(
      operation, "rpc/\(function)", [], method: .post, body: try encodeJSON(arguments), isRepeatable: isRepeatable)
  }

  static func encodeJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Percent-encodes everything except the unreserved characters and PostgREST's punctuation.
  private static func encode(_ text: String) -> String {
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,():*")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}

/// A value of a column or of an argument.
enum RowField: Equatable, Encodable {
  case text(String?)
  case time(Date?)
  case number(Int?)
  case flag(Bool)
  case posts([IngestRow])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .time(let date): try container.encode(date.map(RecruitingDate.format))
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .posts(let posts): try container.encode(posts)
    }
  }
}
