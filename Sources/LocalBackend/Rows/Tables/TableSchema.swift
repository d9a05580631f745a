import ClipModel
import GRDB

/// The schema of a table in `/rest/v1`, with its columns, client permissions and row rules.
///
/// The conformance suite checks that the tables behave like those in `supabase/migrations`.
struct TableSchema: Sendable {
  var name: String
  /// The read-only view that requests use. If `nil`, they use the table itself.
  var view: String?
  var columns: [Column]
  /// The primary key column.
  var key = "id"
  /// The unique constraints in addition to the primary key.
  var unique: [[String]] = []
  /// The checks that involve several columns. `Column` contains the checks of single columns.
  var checks: [CheckConstraint] = []
  var rules: RowRules
  var anonymousMaySelect = false
  var mayDelete = false
  /// Replaces PostgreSQL's triggers before an insert. The function fills in values, or throws an error to reject the
  /// row.
  var prepare: (@Sendable (_ row: inout NewRow, _ db: Database, _ now: String) throws -> Void)?
  /// The limit for inserts by the account itself.
  var actionLimit: ActionLimit?
  /// Replaces PostgreSQL's triggers after an insert, as far as SQLite can't express them.
  var inserted: (@Sendable (_ row: NewRow, _ db: Database, _ now: String) throws -> Void)?

  struct Column: Sendable {
    var name: String
    var type: ColumnType
    var isNullable = false
    var fallback: DefaultValue = .null
    /// The name of the table that the foreign key references.
    var references: String?
    /// Whether signed-in users may set the column when they insert a row.
    var mayInsert = false
    var mayUpdate = false
    /// Returns the SQL expression of a computed column. `*` doesn't include these columns.
    var computed: (@Sendable (_ row: String, _ caller: Caller) -> String)?
    /// The condition that clients read null instead of the value.
    var isHidden: RowRules.Condition?
    /// Whether the database computes the stored value from other columns.
    var isGenerated = false
    /// Replaces a PostgreSQL trigger that converts written values to the one form that is stored.
    var normalized: (@Sendable (DatabaseValue) -> DatabaseValue)?
    /// Checks whether a value is valid. As in PostgreSQL, null is always valid.
    var isValid: (@Sendable (DatabaseValue) -> Bool)?

    func allowingInsert() -> Column { modified { $0.mayInsert = true } }
    func allowingUpdate() -> Column { modified { $0.mayUpdate = true } }
    /// Makes the column insertable and updatable.
    func allowingWrites() -> Column { allowingInsert().allowingUpdate() }
    func allowingNull() -> Column { modified { $0.isNullable = true } }
    func generated() -> Column { modified { $0.isGenerated = true } }
    /// Converts each text before it is written. `nil` is stored as null.
    func normalizing(_ convert: @escaping @Sendable (String) -> String?) -> Column {
      modified {
        $0.normalized = { value in String.fromDatabaseValue(value).map { convert($0).databaseValue } ?? value }
      }
    }
    func referencing(_ table: String) -> Column { modified { $0.references = table } }
    func hidden(if condition: @escaping RowRules.Condition) -> Column { modified { $0.isHidden = condition } }
    func fallback(_ fallback: DefaultValue) -> Column { modified { $0.fallback = fallback } }
    func fallback(_ value: some DatabaseValueConvertible) -> Column { fallback(.value(value.databaseValue)) }

    func modified(_ change: (inout Column) -> Void) -> Column {
      var column = self
      change(&column)
      return column
    }
  }

  /// The default value of a column.
  enum DefaultValue: Sendable {
    case null
    case newID
    case now
    /// The caller's account ID.
    case caller
    /// Whether the caller has the service role.
    case isService
    case sevenDaysFromNow
    case value(DatabaseValue)
  }

  struct CheckConstraint: Sendable {
    /// The constraint's name in PostgreSQL, such as `profiles_bio_check`.
    var name: String
    var isSatisfied: @Sendable (NewRow) -> Bool
  }

  /// Creates the schema for the result of a function that doesn't return rows of a table.
  static func result(_ name: String, _ columns: [Column]) -> TableSchema {
    TableSchema(name: name, columns: columns, rules: RowRules(select: { _, _ in "1" }), anonymousMaySelect: true)
  }

  /// The table or view that read requests use.
  var source: String { view ?? name }

  /// The columns that are stored in the table, as opposed to computed.
  var storedColumns: [Column] { columns.filter { $0.computed == nil } }

  /// The columns that requests write.
  var writtenColumns: [Column] { storedColumns.filter { !$0.isGenerated } }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// Returns the columns with a foreign key to the given table.
  func columns(referencing table: String) -> [Column] { columns.filter { $0.references == table } }

  /// Whether each value of a column occurs in at most one row.
  func isUnique(_ column: String) -> Bool { column == key || unique.contains([column]) }

  func mayInsert(_ caller: Caller) -> Bool {
    caller == .service || caller.userID != nil && columns.contains { $0.mayInsert }
  }

  func maySelect(_ caller: Caller) -> Bool {
    caller == .service || (caller == .anonymous ? anonymousMaySelect : rules.select != nil)
  }

  /// Returns a rule as an SQL condition for a caller. The service role satisfies every rule.
  static func sql(_ rule: RowRules.Condition?, row: String, _ caller: Caller) -> String {
    if caller == .service { return "1" }
    return rule.map { "(\($0(row, caller.sql)))" } ?? "0"
  }
}

/// The values of a row that will be written, by column name.
struct NewRow: Sendable {
  var values: [String: DatabaseValue]

  subscript(_ column: String) -> DatabaseValue {
    get { values[column] ?? .null }
    set { values[column] = newValue }
  }

  func text(_ column: String) -> String? { String.fromDatabaseValue(self[column]) }
  func double(_ column: String) -> Double? { Double.fromDatabaseValue(self[column]) }
  func integer(_ column: String) -> Int? { Int.fromDatabaseValue(self[column]) }

  /// Returns the elements of a text array, or `nil` if the value is null or isn't a text array.
  func texts(_ column: String) -> [String]? { text(column).flatMap(Self.texts(in:)) }

  /// Parses a JSON array of strings. Returns `nil` for other text.
  static func texts(in list: String) -> [String]? {
    guard let elements = JSONReader.read(Array(list.utf8)).root?.elements else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }
}
