import ClipModel
import GRDB
import Hummingbird

/// A function of `/rest/v1/rpc`.
struct RPCFunction: Sendable {
  let name: String
  /// The names of the accepted arguments.
  var arguments: Set<String> = []
  /// Whether the function changes nothing and can also be called with GET.
  var isReadOnly = true
  let answer: Answer

  enum Answer: Sendable {
    /// Rows of a table, which the request can filter, order and page like the table itself.
    case rows(TableSchema, @Sendable (Call) throws -> RowStore.Restriction)
    case response(@Sendable (Call) async throws -> Response)
  }

  /// A call; `body` contains its arguments.
  struct Call: Sendable {
    let function: String
    let caller: Caller
    let rows: RowStore
    let body: JSONValue
  }
}

extension RPCFunction.Call {
  /// The value of an argument, or null if it is missing.
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

  /// The argument `max_rows`: 20 by default; null means the maximum, which is 100.
  func pageSize() throws(PostgRESTFailure) -> Int {
    body["max_rows"] == nil ? 20 : min(try number("max_rows") ?? 100, 100)
  }

  func number(_ name: String) throws(PostgRESTFailure) -> Int? {
    guard let number = Int.fromDatabaseValue(try optional(name, .integer)) else { return nil }
    guard number >= 0 else { throw PostgRESTFailure(.badRequest, "2201W", "\(name) must not be negative") }
    return number
  }

  /// The error for a caller without permission to call the function.
  var denied: PostgRESTFailure { .denied("function \(function)", caller) }
}
