import Foundation
import Hummingbird

/// An error response of `/auth/v1`, in one of GoTrue's two formats. The client selects the format.
struct AuthFailure: HTTPResponseError, Equatable {
  let status: HTTPResponse.Status
  /// The error code in GoTrue, such as `invalid_credentials`.
  let code: String
  let message: String
  /// The reasons for the error `weak_password`, such as `length`.
  let weaknesses: [String]?

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, weaknesses: [String]? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.weaknesses = weaknesses
  }

  static func invalid(_ message: String, _ status: HTTPResponse.Status = .badRequest) -> AuthFailure {
    AuthFailure(status, "validation_failed", message)
  }

  static let versionHeader = "x-supabase-api-version"
  /// The first API version in which `code` is the error code. In earlier versions, `code` was the HTTP status.
  static let version = "2024-01-01"

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var headers: HTTPFields = [:]
    headers.set("x-sb-error-code", to: code)
    let weakness = weaknesses.map { ["reasons": $0, "message": message] as JSONObject }
    guard let requested = request.headers.value(of: Self.versionHeader), requested >= Self.version else {
      return try Response.json(
        ["code": status.code, "error_code": code, "msg": message, "weak_password": weakness] as JSONObject,
        status: status, headers: headers)
    }
    headers.set(Self.versionHeader, to: Self.version)
    return try Response.json(
      ["code": code, "message": message, "weak_password": weakness] as JSONObject, status: status, headers: headers)
  }
}
