import Foundation
import Hummingbird

/// A refusal of `/auth/v1`, in whichever of GoTrue's two shapes the client asks for.
struct AuthFailure: HTTPResponseError, Equatable {
  let status: HTTPResponse.Status
  /// GoTrue's word: `invalid_credentials`.
  let code: String
  let message: String
  /// With `weak_password`: `length`.
  let weaknesses: [String]?

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, weaknesses: [String]? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.weaknesses = weaknesses
  }

  static let versionHeader = "x-supabase-api-version"
  /// From this version on `code` names the error.
  static let version = "2024-01-01"

  private struct Weakness: Encodable {
    var reasons: [String]
    var message: String
  }
  private struct Document: Encodable {
    /// The word, or the HTTP status in the older shape.
    var code: MetadataValue
    var errorCode: String?
    var message: String?
    var msg: String?
    var weakPassword: Weakness?
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var headers: HTTPFields = [:]
    headers.set("x-sb-error-code", to: code)
    var document = Document(code: .text(code), weakPassword: weaknesses.map { Weakness(reasons: $0, message: message) })
    if let asked = request.headers.value(of: Self.versionHeader), asked >= Self.version {
      headers.set(Self.versionHeader, to: Self.version)
      document.message = message
    } else {
      document.code = .number(Double(status.code))
      document.errorCode = code
      document.msg = message
    }
    return try Response.json(document, status: status, headers: headers)
  }
}
