import ClipModel
import Hummingbird

/// The routes of `/rest/v1/rpc/{function}`, with PostgREST's responses.
struct FunctionRoutes: Sendable {
  let rows: RowStore
  let callers: CallerIdentity
  private let functions: [String: RPCFunction]

  init(_ functions: [RPCFunction], rows: RowStore, callers: CallerIdentity) {
    self.functions = Dictionary(uniqueKeysWithValues: functions.map { ($0.name, $0) })
    self.rows = rows
    self.callers = callers
  }

  func add(to router: Router<BackendContext>) {
    router.get("rest/v1/rpc/:function") { request, context in
      let name = try context.parameters.require("function")
      let function = functions[name]
      guard function?.isReadOnly != false else {
        throw PostgRESTFailure(.methodNotAllowed, "25006", "cannot execute \(name) in a read-only transaction")
      }
      let query = try RowQuery(request.uri.query ?? "", argumentNames: function?.arguments ?? [])
      let arguments = query.arguments.map { JSONMember(key: $0.key, value: JSONValue(.string($0.value), at: 0)) }
      return try await call(name, JSONValue(.object(arguments), at: 0), query, request, context)
    }
    router.post("rest/v1/rpc/:function") { request, context in
      let name = try context.parameters.require("function")
      let query = try RowQuery(request.uri.query ?? "")
      let limit = functions[name]?.bodyLimit ?? RowRoutes.bodyLimit
      let body = try await RowRoutes.body(of: request, context, limit: limit)
      return try await call(name, body, query, request, context)
    }
  }

  private func call(
    _ name: String, _ body: JSONValue, _ query: RowQuery, _ request: Request, _ context: BackendContext
  ) async throws -> Response {
    let caller = try await callers.caller(of: request)
    guard let function = functions[name], let members = body.members,
      function.arguments.isSuperset(of: members.map(\.key))
    else {
      throw PostgRESTFailure(
        .notFound, "PGRST202",
        "Could not find the function public.\(name.prefix(80)) with these arguments in the schema cache")
    }
    let preferences = try RowRoutes.preferences(of: request)
    let call = RPCFunction.FunctionCall(
      function: name, caller: caller, rows: rows, body: body, address: context.channel.remoteAddress?.ipAddress ?? "")
    switch function.answer {
    case .response(let answer): return try await answer(call)
    case .rows(let table, let restriction):
      let command = RowCommand(table: table, caller: caller, query: query, preferences: preferences)
      return try RowRoutes.response(try await rows.read(command, restriction: try await restriction(call)), preferences)
    }
  }
}
