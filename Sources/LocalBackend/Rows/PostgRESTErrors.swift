import GRDB
import HTTPTypes

/// Creates database errors with PostgREST's messages and HTTP statuses.
extension PostgRESTFailure {
  /// The error for a query that is invalid or uses a feature that this server doesn't support.
  static func unreadable(_ message: String, details: String? = nil) -> PostgRESTFailure {
    PostgRESTFailure(.badRequest, "PGRST100", message, details: details)
  }

  /// The error for a caller who doesn't have permission to use an object.
  /// - Parameter object: the object's type and name, such as `table likes` or `function share_allowance`.
  static func accessDenied(_ object: String, _ caller: Caller) -> PostgRESTFailure {
    insufficientPrivilege("permission denied for \(object)", caller)
  }

  /// The error for a row that violates one of its table's row rules.
  static func ruleViolated(_ table: String, _ caller: Caller) -> PostgRESTFailure {
    insufficientPrivilege("new row violates row-level security policy for table \"\(table)\"", caller)
  }

  /// The error for missing privileges. Its status is 401 only if signing in might help.
  private static func insufficientPrivilege(_ message: String, _ caller: Caller) -> PostgRESTFailure {
    PostgRESTFailure(caller == .anonymous ? .unauthorized : .forbidden, "42501", message)
  }

  static func unknownColumn(_ column: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      .badRequest, "PGRST204", "Could not find the '\(column.prefix(80))' column of '\(table)' in the schema cache")
  }

  static func invalidBody(
    _ message: String, _ status: HTTPResponse.Status = .badRequest, code: String = "PGRST102"
  ) -> PostgRESTFailure {
    PostgRESTFailure(status, code, message)
  }

  static func missingValue(_ column: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      .badRequest, "23502", "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint")
  }

  static func checkFailed(_ name: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      .badRequest, "23514", "new row for relation \"\(table)\" violates check constraint \"\(name)\"", constraint: name)
  }

  static func unsatisfiableRange(_ details: String, headers: HTTPFields = [:]) -> PostgRESTFailure {
    PostgRESTFailure(
      .rangeNotSatisfiable, "PGRST103", "Requested range not satisfiable", details: details, headers: headers)
  }

  static func notSingleRow(_ count: Int) -> PostgRESTFailure {
    PostgRESTFailure(
      .notAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows")
  }

  /// Converts the violation of a constraint that SQLite enforces. Returns `nil` for other errors.
  init?(_ error: DatabaseError, table: TableSchema) {
    let text = error.message ?? ""
    // The message is "UNIQUE constraint failed: likes.user_id, likes.highlight_id" or, for an index on expressions,
    // "…: index 'profiles_username_lower'". Such an index has the name of PostgreSQL's constraint.
    let columns =
      text.split(separator: ": ").last?.split(separator: ", ")
      .compactMap { $0.split(separator: ".").last }.map(String.init) ?? []
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
      let name =
        text.firstMatch(of: /index '(\w+)'/).map { String($0.1) }
        ?? (columns == [table.key] ? "\(table.name)_pkey" : "\(table.name)_\(columns.joined(separator: "_"))_key")
      self.init(
        .conflict, "23505", "duplicate key value violates unique constraint \"\(name)\"", constraint: name)
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      self.init(
        .conflict, "23503", "insert or update on table \"\(table.name)\" violates a foreign key constraint",
        details: "a referenced row does not exist")
    // The triggers of this server raise errors only for changes that the caller isn't allowed to make.
    case .SQLITE_CONSTRAINT_TRIGGER: self.init(.forbidden, "42501", text)
    case .SQLITE_CONSTRAINT_NOTNULL: self = .missingValue(columns.last ?? "", table.name)
    default: return nil
    }
  }
}
