import GRDB
import HTTPTypes

/// Errors of the database in PostgREST's words, and their HTTP status.
extension PostgRESTFailure {
  /// The query is not in the grammar, or not in the part of it that this server knows.
  static func unreadable(_ message: String, details: String? = nil) -> PostgRESTFailure {
    PostgRESTFailure(.badRequest, "PGRST100", message, details: details)
  }

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
    PostgRESTFailure(caller == .anonymous ? .unauthorized : .forbidden, "42501", message)
  }

  static func unknownTable(_ name: String) -> PostgRESTFailure {
    PostgRESTFailure(.notFound, "PGRST205", "Could not find the table 'public.\(name.prefix(80))' in the schema cache")
  }

  static func unknownColumn(_ column: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      .badRequest, "PGRST204", "Could not find the '\(column.prefix(80))' column of '\(table)' in the schema cache")
  }

  static func missingValue(_ column: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(
      .badRequest, "23502", "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint")
  }

  static func checkFailed(_ name: String, _ table: String) -> PostgRESTFailure {
    PostgRESTFailure(.badRequest, "23514", "new row for relation \"\(table)\" violates check constraint \"\(name)\"")
  }

  static func unsatisfiableRange(_ details: String, headers: HTTPFields = [:]) -> PostgRESTFailure {
    PostgRESTFailure(
      .rangeNotSatisfiable, "PGRST103", "Requested range not satisfiable", details: details, headers: headers)
  }

  static func notSingle(_ count: Int) -> PostgRESTFailure {
    PostgRESTFailure(
      .notAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object",
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
        .conflict, "23505", "duplicate key value violates unique constraint \"\(name)\"")
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      self.init(
        .conflict, "23503",
        "insert or update on table \"\(table.name)\" violates a foreign key constraint",
        details: "a row that it names is not present")
    case .SQLITE_CONSTRAINT_NOTNULL:
      let column = (error.message ?? "").split(separator: ".").last.map(String.init) ?? ""
      self = .missingValue(column, table.name)
    default: return nil
    }
  }
}
