import Hummingbird

/// An error response of the routes that replace PostgREST.
struct PostgRESTFailure: HTTPResponseError {
  let status: HTTPResponse.Status
  let code: String
  let message: String
  /// The details as a string, or a list of the candidates for an ambiguous relationship.
  var details: (any Encodable & Sendable)?
  var hint: String?
  var headers: HTTPFields
  /// The name of the violated check or unique constraint. Clients can read it only in `message`, as in PostgREST.
  let constraint: String?

  init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, details: (any Encodable & Sendable)? = nil,
    hint: String? = nil, headers: HTTPFields = [:], constraint: String? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
    self.hint = hint
    self.headers = headers
    self.constraint = constraint
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    let null = JSONObject.Null()
    return try Response.json(
      ["code": code, "message": message, "details": details ?? null, "hint": hint ?? null] as JSONObject,
      status: status, headers: headers)
  }
}
