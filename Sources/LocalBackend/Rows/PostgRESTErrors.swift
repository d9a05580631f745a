import GRDB
import HTTPTypes

/// Errors of the database in PostgREST's words, and their HTTP status.
extension PostgRESTFailure {
  /// The command is not granted.
  static func denied(_ table: String, _ caller: Caller) -> PostgRESTFailure {
    insufficient("permission denied for table \(table)", caller)
  }

  static func denied(function: String, _ caller: Caller) -> PostgRESTFailure {
    insufficient("permission denied for function \(function)", caller)
  }

  /// The row breaks a rule of its table.
  static func ruleViolated(_ table: String, _ caller: Caller) -> PostgRESTFailure {
    insufficient("new row violates row-level security policy for table \"\(table)\"", caller)
  }

  /// Permanent; 401 only says that signing in might help.
  private static func insufficient(_ message: String, _ caller: Caller) -> PostgRESTFailure {
    PostgRESTFailure(status: caller == .anonymous ? .unauthorized : .forbidden, code: "42501", message: message)
  }

  static func unknownTable(_ name: String) -> PostgRESTFailure {
    PostgRESTFailure(
      status: .notFound, code: "PGRST205",
      message: "Could not find the table 'public.\(name.prefix(80))' in the schema cache")
  }

  static func unknownColumn(_ column: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      code: "PGRST204", message: "Could not find the '\(column.prefix(80))' column of '\(table)' in the schema cache")
  }

  static func missingValue(_ column: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      code: "23502",
      message: "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint")
  }

  static func checkFailed(_ name: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      code: "23514", message: "new row for relation \"\(table)\" violates check constraint \"\(name)\"")
  }

  static func unsatisfiableRange(_ details: String, headers: HTTPFields = [:]) -> PostgRESTFailure {
    PostgRESTFailure(
      status: .rangeNotSatisfiable, code: "PGRST103", message: "Requested range not satisfiable", details: details,
      headers: headers)
  }

  static func notSingle(_ count: Int) -> PostgRESTFailure {
    PostgRESTFailure(
      status: .notAcceptable, code: "PGRST116", message: "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows")
  }

  /// A constraint that SQLite keeps; `nil` for any other error.
  init?(_ error: DatabaseError, table: TableSchema) {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
      // "UNIQUE constraint failed: likes.user_id, likes.highlight_id", or the name of an index.
      let text = error.message ?? ""
      let columns =
        text.split(separator: ": ").last?.split(separator: ", ")
        .compactMap { $0.split(separator: ".").last }.map(String.init) ?? []
      let name: String
      if text.contains("index") {
        name = "profiles_username_lower"
      } else if columns == [table.key] {
        name = "\(table.name)_pkey"
      } else {
        name = "\(table.name)_\(columns.joined(separator: "_"))_key"
      }
      self.init(
        status: .conflict, code: "23505", message: "duplicate key value violates unique constraint \"\(name)\"")
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      self.init(
        status: .conflict, code: "23503",
        message: "insert or update on table \"\(table.name)\" violates a foreign key constraint",
        details: "a row that it names is not present")
    case .SQLITE_CONSTRAINT_NOTNULL:
      let column = (error.message ?? "").split(separator: ".").last.map(String.init) ?? ""
      self = .missingValue(column, table.name)
    default: return nil
    }
  }
}
