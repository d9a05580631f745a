import ClipModel
import GRDB

/// A table as clients of `/rest/v1` know it: its columns, what they may do with them, and which rows are theirs.
///
/// The same as in `supabase/migrations`; the conformance suite keeps the two together.
struct TableSchema: Sendable {
  var name: String
  /// The view that requests read, and do not write. `nil`: the table itself.
  var view: String?
  var columns: [Column]
  /// The column of the primary key.
  var key = "id"
  /// Sets of columns that no two rows share, besides the key.
  var unique: [[String]] = []
  /// Rules for several values of a row; those for one are with its column.
  var checks: [Check] = []
  var rules: RowRules
  var anonymousMaySelect = false
  var mayDelete = false
  /// Fills in and refuses what the triggers before an insert do.
  var prepare: (@Sendable (_ row: inout NewRow, _ db: Database, _ now: String) throws -> Void)?
  /// What the triggers after an insert do and SQLite cannot.
  var inserted: (@Sendable (_ row: NewRow, _ db: Database, _ now: String) throws -> Void)?

  struct Column: Sendable {
    var name: String
    var type: ColumnType
    var isNullable = false
    var fallback: Fallback = .null
    /// The table whose key this is.
    var references: String?
    /// Granted to people who are signed in.
    var mayInsert = false
    var mayUpdate = false
    /// Read only when a request names it; the SQL of its value, given row and viewer.
    var computed: RowRules.Condition?
    /// The rule for a value. A null passes, as in PostgreSQL.
    var isValid: (@Sendable (DatabaseValue) -> Bool)?

    func insertable() -> Column { with { $0.mayInsert = true } }
    func changeable() -> Column {
      with {
        $0.mayInsert = true
        $0.mayUpdate = true
      }
    }
    func updatable() -> Column { with { $0.mayUpdate = true } }
    func nullable() -> Column { with { $0.isNullable = true } }
    func pointing(to table: String) -> Column { with { $0.references = table } }
    func fallback(_ fallback: Fallback) -> Column { with { $0.fallback = fallback } }

    func with(_ change: (inout Column) -> Void) -> Column {
      var column = self
      change(&column)
      return column
    }
  }

  /// The value of a column that an insert does not name.
  enum Fallback: Sendable {
    case null
    case newID
    case now
    /// The account that asks.
    case caller
    /// Whether the service asks, and not a client.
    case isService
    case sevenDaysFromNow
    case value(DatabaseValue)
  }

  struct Check: Sendable {
    /// As PostgreSQL names it: `profiles_bio_check`.
    var name: String
    var isSatisfied: @Sendable (NewRow) -> Bool
  }

  /// What follows `FROM`.
  var source: String { view ?? name }

  /// Then `select=count` is that column.
  var hasCountColumn: Bool { column(RowQuery.countColumn) != nil }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// The foreign keys from here to another table.
  func columns(pointingTo table: String) -> [Column] { columns.filter { $0.references == table } }

  /// The column alone decides: a row of another table has at most one of this.
  func isUnique(_ column: String) -> Bool { column == key || unique.contains([column]) }

  func mayInsert(_ caller: Caller) -> Bool {
    switch caller {
    case .service: true
    case .user: columns.contains { $0.mayInsert }
    case .anonymous: false
    }
  }

  func maySelect(_ caller: Caller) -> Bool {
    switch caller {
    case .service: true
    case .user: rules.select != nil
    case .anonymous: anonymousMaySelect
    }
  }

  /// The condition for a caller, as SQL. The service may do everything.
  static func sql(_ rule: RowRules.Condition?, row: String, _ caller: Caller) -> String {
    if caller == .service { return "1" }
    return rule.map { "(\($0(row, caller.sql)))" } ?? "0"
  }
}

/// A row that is about to be written, by column.
struct NewRow: Sendable {
  var values: [String: DatabaseValue]

  subscript(_ column: String) -> DatabaseValue {
    get { values[column] ?? .null }
    set { values[column] = newValue }
  }

  func text(_ column: String) -> String? { String.fromDatabaseValue(self[column]) }
  func double(_ column: String) -> Double? { Double.fromDatabaseValue(self[column]) }
  func integer(_ column: String) -> Int? { Int.fromDatabaseValue(self[column]) }

  /// The elements of a list of texts; `nil` when it is null or holds anything else.
  func texts(_ column: String) -> [String]? { text(column).flatMap(Self.texts(in:)) }

  /// The elements of a list of texts that is written as JSON.
  static func texts(in list: String) -> [String]? {
    guard let elements = JSONReader.read(Array(list.utf8)).root?.elements else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }
}
