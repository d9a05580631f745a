import ClipModel
import GRDB
import Hummingbird

/// A function that clients can call through `/rest/v1/rpc`.
struct RPCFunction: Sendable {
  let name: String
  /// The names of the function's arguments.
  var arguments: Set<String> = []
  /// Whether the function is read-only. Clients can also call such a function with GET.
  var isReadOnly = true
  /// The maximum size of a request body in bytes.
  var bodyLimit = RowRoutes.bodyLimit
  let answer: FunctionResult

  enum FunctionResult: Sendable {
    /// The function returns a table's rows. The request can filter, order and page these rows like those of the table.
    /// Pass asynchronous functions only: Swift 6.3 crashes when it converts others in an initial value.
    case rows(TableSchema, @Sendable (FunctionCall) async throws -> RowStore.Restriction)
    case response(@Sendable (FunctionCall) async throws -> Response)
  }

  /// A call to a function. `body` contains the arguments.
  struct FunctionCall: Sendable {
    let function: String
    let caller: Caller
    let rows: RowStore
    let body: JSONValue
    /// The client's network address. Clients on the same machine, or after the same proxy, have the same one.
    var address = ""
  }
}

extension RPCFunction.FunctionCall {
  /// Returns the value of an optional argument, or null if the argument is missing.
  func optionalValue(_ name: String, _ type: ColumnType) throws(PostgRESTFailure) -> DatabaseValue {
    guard let value = body[name] else { return .null }
    return try type.value(value)
  }

  func value(_ name: String, _ type: ColumnType) throws(PostgRESTFailure) -> DatabaseValue {
    guard body[name] != nil else {
      throw PostgRESTFailure(
        .notFound, "PGRST202",
        "Could not find a matching function in the schema cache: the parameter \(name) is missing")
    }
    return try optionalValue(name, type)
  }

  /// Returns the argument `max_rows`. A null value means the maximum.
  func pageSize(default standard: Int = 20, maximum: Int = 100) throws(PostgRESTFailure) -> Int {
    body["max_rows"] == nil ? standard : min(try number("max_rows") ?? maximum, maximum)
  }

  func number(_ name: String) throws(PostgRESTFailure) -> Int? {
    guard let number = Int.fromDatabaseValue(try optionalValue(name, .integer)) else { return nil }
    guard number >= 0 else { throw PostgRESTFailure(.badRequest, "2201W", "\(name) must not be negative") }
    return number
  }

  /// Returns the caller's account ID.
  /// - Throws: `denied` if the caller has no account.
  func user() throws(PostgRESTFailure) -> String {
    guard let user = caller.userID else { throw denied }
    return user
  }

  func requireService() throws(PostgRESTFailure) {
    guard caller == .service else { throw denied }
  }

  /// The error for a caller who doesn't have permission to call the function.
  var denied: PostgRESTFailure { .accessDenied("function \(function)", caller) }
}
