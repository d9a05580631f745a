import Hummingbird

/// A refusal of `/auth/v1`, in whichever of GoTrue's two shapes the client asks for.
struct AuthFailure: HTTPResponseError, Equatable {
  var status: HTTPResponse.Status = .badRequest
  /// GoTrue's word: `invalid_credentials`.
  var code: String
  var message: String
  /// With `weak_password`: `length`.
  var weaknesses: [String]?

  static let versionHeader = "x-supabase-api-version"
  /// From this version on the error is told by `code`.
  static let version = "2024-01-01"

  private struct Weakness: Encodable {
    var reasons: [String]
    var message: String
  }
  private struct New: Encodable {
    var code: String
    var message: String
    var weakPassword: Weakness?
  }
  private struct Old: Encodable {
    var code: Int
    var errorCode: String
    var msg: String
    var weakPassword: Weakness?
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var headers: HTTPFields = [:]
    headers.set("x-sb-error-code", to: code)
    let weakness = weaknesses.map { Weakness(reasons: $0, message: message) }
    guard let asked = request.headers.value(of: Self.versionHeader), asked >= Self.version else {
      return try Response.json(
        Old(code: status.code, errorCode: code, msg: message, weakPassword: weakness), status: status,
        headers: headers, keys: .convertToSnakeCase)
    }
    headers.set(Self.versionHeader, to: Self.version)
    return try Response.json(
      New(code: code, message: message, weakPassword: weakness), status: status, headers: headers,
      keys: .convertToSnakeCase)
  }
}
