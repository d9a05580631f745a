public import Foundation

/// A request for rows or functions of the backend.
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

  /// The action that error messages mention, such as `add the comment`.
  public var operation: String
  /// The method.
  public var method: Method
  /// The percent-encoded path and query, relative to the base URL of PostgREST (`…/rest/v1`).
  public var path: String
  /// The request's headers, in addition to credentials and `Content-Type`.
  public var headers: [String: String]
  /// The JSON body; `nil` if there is none.
  public var body: Data?
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
