import ClipModel
import GRDB
import Hummingbird

/// A function of `/rest/v1/rpc`.
struct RPCFunction: Sendable {
  let name: String
  /// Names of the arguments that it accepts.
  var arguments: Set<String> = []
  /// It changes nothing, so that clients can call it with GET, too.
  var isReadOnly = true
  let answer: Answer

  enum Answer: Sendable {
    /// Rows of a table. The request filters, orders and pages them like those of the table itself.
    case rows(TableSchema, @Sendable (Call) throws -> RowStore.Narrowing)
    case response(@Sendable (Call) async throws -> Response)
  }

  /// A call, with its arguments in `body`.
  struct Call: Sendable {
    let function: String
    let caller: Caller
    let rows: RowStore
    let body: JSONValue
  }
}

extension RPCFunction.Call {
  /// The value of an argument; null when it is missing.
  func optional(_ name: String, _ type: ColumnType) throws(PostgRESTFailure) -> DatabaseValue {
    guard let value = body[name] else { return .null }
    return try type.value(value)
  }

  func value(_ name: String, _ type: ColumnType) throws(PostgRESTFailure) -> DatabaseValue {
    guard body[name] != nil else {
      throw PostgRESTFailure(
        .notFound, "PGRST202", "Could not find the function without the parameter \(name) in the schema cache")
    }
    return try optional(name, type)
  }

  /// The argument `max_rows`: 20 by default, 100 at most and for null.
  func pageSize() throws(PostgRESTFailure) -> Int {
    if body["max_rows"] == nil { return 20 }
    return min(try number("max_rows") ?? 100, 100)
  }

  func number(_ name: String) throws(PostgRESTFailure) -> Int? {
    guard let number = Int.fromDatabaseValue(try optional(name, .integer)) else { return nil }
    guard number >= 0 else { throw PostgRESTFailure(.badRequest, "2201W", "\(name) must not be negative") }
    return number
  }

  /// The refusal of a caller that has no right to call the function.
  var denied: PostgRESTFailure { .denied(function: function, caller) }
}
