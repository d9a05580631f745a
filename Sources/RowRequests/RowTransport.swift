public import Foundation

/// A request for rows, functions or files of the backend.
public struct RowRequest: Equatable, Sendable {
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

  /// The part of the backend that answers.
  public enum Service: String, Sendable {
    /// PostgREST: rows and functions.
    case rows = "rest/v1"
    /// Storage: pictures of people.
    case storage = "storage/v1"
    /// Edge Functions: the addresses of videos.
    case functions = "functions/v1"
  }

  /// The action that error messages mention, such as `add the comment`.
  public let operation: String
  /// The part of the backend that answers.
  public let service: Service
  /// The method.
  public let method: Method
  /// The percent-encoded path and query, relative to the service's base URL, such as `…/rest/v1`.
  public let path: String
  /// The request's headers, in addition to credentials. A body without `Content-Type` is JSON.
  public let headers: [String: String]
  /// The body; `nil` if there is none.
  public let body: Data?
  /// Whether a second execution changes nothing, so that the request can be sent again after a lost response.
  public let isRepeatable: Bool

  package init(
    operation: String, service: Service = .rows, method: Method, path: String, headers: [String: String] = [:],
    body: Data? = nil, isRepeatable: Bool = true
  ) {
    (self.operation, self.service, self.method, self.path) = (operation, service, method, path)
    (self.headers, self.body, self.isRepeatable) = (headers, body, isRepeatable)
  }
}

/// A response of the backend.
public struct RowResponse: Equatable, Sendable {
  /// The HTTP status.
  public let status: Int
  /// The body, which may be empty.
  public let body: Data

  /// Creates a response.
  public init(status: Int, body: Data) { (self.status, self.body) = (status, body) }
}

/// An interface for sending requests to the backend.
///
/// An implementation adds the base URL and the account's credentials, and may send repeatable requests again.
public protocol RowTransport: Sendable {
  /// Sends a request and returns the response, regardless of its status.
  /// - Throws: `UnreachableError` if no response was received, or any error about the credentials.
  func send(_ request: RowRequest) async throws -> RowResponse
}

/// The backend didn't respond.
public struct UnreachableError: Error, Equatable {
  /// The cause for display, without credentials.
  public let reason: String

  /// Creates an error.
  public init(reason: String) { self.reason = reason }
}
