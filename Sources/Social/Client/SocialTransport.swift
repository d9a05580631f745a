public import Foundation

/// A request for rows, functions or files of the backend.
public struct SocialRequest: Equatable, Sendable {
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
  }

  /// The action that error messages mention, such as `add the comment`.
  public var operation: String
  /// The method.
  public var method: Method
  /// The percent-encoded path and query, relative to the service's base URL, such as `…/rest/v1`.
  public var path: String
  /// The request's headers, in addition to credentials. A body without `Content-Type` is JSON.
  public var headers: [String: String]
  /// The body; `nil` if there is none.
  public var body: Data?
  /// The part of the backend that answers.
  public var service = Service.rows
}

/// A response of the backend.
public struct SocialResponse: Equatable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The body, which may be empty.
  public var body: Data

  public init(status: Int, body: Data) { (self.status, self.body) = (status, body) }
}

/// An interface for sending requests to the backend.
///
/// An implementation adds the base URL and the account's credentials, and may retry: every request of `SocialAPI` can
/// be repeated safely.
public protocol SocialTransport: Sendable {
  /// Sends a request and returns the response, regardless of its status.
  /// - Throws: `SocialError.unreachable` if no response was received, or any error about the credentials.
  func send(_ request: SocialRequest) async throws -> SocialResponse
}
