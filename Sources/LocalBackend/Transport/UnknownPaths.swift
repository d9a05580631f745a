import Hummingbird

/// Answers a path or method that has no route in the shape of the API that was asked. Clients read JSON there.
struct UnknownPaths: RouterMiddleware {
  typealias Context = BackendContext

  @concurrent
  func handle(
    _ request: Request, context: BackendContext, next: @concurrent (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
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
    case "auth": return AuthFailure(status: .notFound, code: "not_found", message: "this path does not exist")
    case "storage":
      return StorageServiceFailure(message: "Route \(method):\(request.uri.path.prefix(200)) not found")
    case "functions" where parts.dropFirst(2).first != "uploads": return FunctionNotFound()
    default: return BackendFailure.notFound("this path")
    }
  }

  private static func tableFailure(_ parts: ArraySlice<String>, _ method: Substring) -> PostgRESTFailure {
    switch parts.count {
    case 0: PostgRESTFailure(status: .notFound, code: "PGRST126", message: "Root endpoint metadata is disabled")
    case 1:
      PostgRESTFailure(status: .methodNotAllowed, code: "PGRST117", message: "Unsupported HTTP method: \(method)")
    case 2 where parts.first == "rpc":
      PostgRESTFailure(status: .methodNotAllowed, code: "PGRST101", message: "Cannot use the \(method) method on RPC")
    default:
      PostgRESTFailure(status: .notFound, code: "PGRST125", message: "Invalid path specified in request URL")
    }
  }
}

/// As Supabase's Storage answers a path that it does not have.
private struct StorageServiceFailure: HTTPResponseError {
  var message: String
  var status: HTTPResponse.Status { .notFound }

  private struct Body: Encodable {
    var statusCode = "404"
    var error = "Not Found"
    var message: String
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(Body(message: message), status: status)
  }
}

/// As the gateway of Supabase's Edge Functions answers.
private struct FunctionNotFound: HTTPResponseError {
  var status: HTTPResponse.Status { .notFound }

  private struct Body: Encodable {
    var code = "NOT_FOUND"
    var message = "Requested function was not found"
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(Body(), status: status)
  }
}
