import Hummingbird

/// Responds to unknown paths and methods in the format of the requested API, because clients expect JSON in that
/// format.
struct UnknownPathMiddleware: BackendMiddleware {
  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      throw Self.failure(of: request)
    }
  }

  private static func failure(of request: Request) -> any HTTPResponseError {
    let parts = request.uri.path.split(separator: "/").map(String.init)
    let method = request.method.rawValue.prefix(40)
    guard parts.count >= 2, parts[1] == "v1" else { return BackendFailure.notFound("this path") }
    switch parts[0] {
    case "rest": return tableFailure(parts.dropFirst(2), method)
    case "auth": return AuthFailure(.notFound, "not_found", "this path does not exist")
    case "storage":
      let message = "Route \(method):\(request.uri.path.prefix(200)) not found"
      return MissingService(document: ["statusCode": "404", "error": "Not Found", "message": message])
    case "functions" where parts.dropFirst(2).first != "uploads":
      return MissingService(document: ["code": "NOT_FOUND", "message": "Requested function was not found"])
    default: return BackendFailure.notFound("this path")
    }
  }

  private static func tableFailure(_ parts: ArraySlice<String>, _ method: Substring) -> PostgRESTFailure {
    switch parts.count {
    case 0: PostgRESTFailure(.notFound, "PGRST126", "Root endpoint metadata is disabled")
    case 1: PostgRESTFailure(.methodNotAllowed, "PGRST117", "Unsupported HTTP method: \(method)")
    case 2 where parts.first == "rpc":
      PostgRESTFailure(.methodNotAllowed, "PGRST101", "Cannot use the \(method) method on RPC")
    default: PostgRESTFailure(.notFound, "PGRST125", "Invalid path specified in request URL")
    }
  }

  /// The response for a Supabase service that this server doesn't provide.
  private struct MissingService: HTTPResponseError {
    let document: [String: String]
    var status: HTTPResponse.Status { .notFound }

    func response(from request: Request, context: some RequestContext) throws -> Response {
      try Response.json(document, status: status)
    }
  }
}
