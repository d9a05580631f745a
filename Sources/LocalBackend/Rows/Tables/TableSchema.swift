import ClipModel
import GRDB

/// A table of `/rest/v1`: its columns, the permissions of clients, and the row rules.
///
/// The conformance suite checks that the tables behave like those of `supabase/migrations`.
struct TableSchema: Sendable {
  var name: String
  /// The read-only view that requests use; `nil` exposes the table itself.
  var view: String?
  var columns: [Column]
  /// The column of the primary key.
  var key = "id"
  /// Unique constraints in addition to the key.
  var unique: [[String]] = []
  /// Checks that involve several columns. Checks of a single column belong to the column.
  var checks: [Check] = []
  var rules: RowRules
  var anonymousMaySelect = false
  var mayDelete = false
  /// Replaces PostgreSQL's triggers before an insert: fills in values or throws.
  var prepare: (@Sendable (_ row: inout NewRow, _ db: Database, _ now: String) throws -> Void)?
  /// Replaces those of PostgreSQL's triggers after an insert that SQLite can't express.
  var inserted: (@Sendable (_ row: NewRow, _ db: Database, _ now: String) throws -> Void)?

  struct Column: Sendable {
    var name: String
    var type: ColumnType
    var isNullable = false
    var fallback: Fallback = .null
    /// The referenced table.
    var references: String?
    /// Whether signed-in users may set the column.
    var mayInsert = false
    var mayUpdate = false
    /// The SQL of a computed column, which `*` doesn't include.
    var computed: RowRules.Condition?
    /// Checks a value. As in PostgreSQL, null is valid.
    var isValid: (@Sendable (DatabaseValue) -> Bool)?

    func insertable() -> Column { with { $0.mayInsert = true } }
    func updatable() -> Column { with { $0.mayUpdate = true } }
    /// Insertable and updatable.
    func writable() -> Column { insertable().updatable() }
    func nullable() -> Column { with { $0.isNullable = true } }
    func referencing(_ table: String) -> Column { with { $0.references = table } }
    func fallback(_ fallback: Fallback) -> Column { with { $0.fallback = fallback } }
    func fallback(_ value: some DatabaseValueConvertible) -> Column { fallback(.value(value.databaseValue)) }

    func with(_ change: (inout Column) -> Void) -> Column {
      var column = self
      change(&column)
      return column
    }
  }

  /// The default of a column.
  enum Fallback: Sendable {
    case null
    case newID
    case now
    /// The caller's account ID.
    case caller
    /// Whether the caller is the service.
    case isService
    case sevenDaysFromNow
    case value(DatabaseValue)
  }

  struct Check: Sendable {
    /// PostgreSQL's name of the constraint: `profiles_bio_check`.
    var name: String
    var isSatisfied: @Sendable (NewRow) -> Bool
  }

  /// The table or view that requests read.
  var source: String { view ?? name }

  /// The columns that aren't computed.
  var storedColumns: [Column] { columns.filter { $0.computed == nil } }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// The columns whose foreign key references the given table.
  func columns(referencing table: String) -> [Column] { columns.filter { $0.references == table } }

  /// Whether at most one row has a given value of the column.
  func isUnique(_ column: String) -> Bool { column == key || unique.contains([column]) }

  func mayInsert(_ caller: Caller) -> Bool {
    caller == .service || caller.userID != nil && columns.contains { $0.mayInsert }
  }

  func maySelect(_ caller: Caller) -> Bool {
    caller == .service || (caller == .anonymous ? anonymousMaySelect : rules.select != nil)
  }

  /// A rule as an SQL condition for a caller. The service role satisfies every rule.
  static func sql(_ rule: RowRules.Condition?, row: String, _ caller: Caller) -> String {
    if caller == .service { return "1" }
    return rule.map { "(\($0(row, caller.sql)))" } ?? "0"
  }
}

/// The values of a row to be written, by column.
struct NewRow: Sendable {
  var values: [String: DatabaseValue]

  subscript(_ column: String) -> DatabaseValue {
    get { values[column] ?? .null }
    set { values[column] = newValue }
  }

  func text(_ column: String) -> String? { String.fromDatabaseValue(self[column]) }
  func double(_ column: String) -> Double? { Double.fromDatabaseValue(self[column]) }
  func integer(_ column: String) -> Int? { Int.fromDatabaseValue(self[column]) }

  /// The elements of a text array; `nil` for null and for other values.
  func texts(_ column: String) -> [String]? { text(column).flatMap(Self.texts(in:)) }

  /// The elements of a JSON array of strings; `nil` for other text.
  static func texts(in list: String) -> [String]? {
    guard let elements = JSONReader.read(Array(list.utf8)).root?.elements else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }
}
