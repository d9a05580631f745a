import Hummingbird

/// A refusal of the PostgREST routes, in PostgREST's shape.
struct PostgRESTFailure: HTTPResponseError {
  /// A relation that an ambiguous embedding could mean.
  struct Candidate: Encodable {
    var cardinality: String
    var embedding: String
    var relationship: String
  }

  let status: HTTPResponse.Status
  let code: String
  let message: String
  var details: String?
  /// Take the place of `details`.
  var candidates: [Candidate]?
  var hint: String?
  var headers: HTTPFields

  init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, details: String? = nil,
    candidates: [Candidate]? = nil, hint: String? = nil, headers: HTTPFields = [:]
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
    self.candidates = candidates
    self.hint = hint
    self.headers = headers
  }

  private struct Body: Encodable {
    var failure: PostgRESTFailure

    enum CodingKeys: CodingKey { case code, message, details, hint }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(failure.code, forKey: .code)
      try container.encode(failure.message, forKey: .message)
      if let candidates = failure.candidates {
        try container.encode(candidates, forKey: .details)
      } else {
        try container.encode(failure.details, forKey: .details)
      }
      try container.encode(failure.hint, forKey: .hint)
    }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(Body(failure: self), status: status, headers: headers)
  }
}
