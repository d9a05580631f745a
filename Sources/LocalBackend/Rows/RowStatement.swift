import GRDB
import HTTPTypes

/// Builds the SQL statement for a request and applies the row rules for its caller. All names come from the schema and
/// all values are bound, so no text from clients becomes part of a statement.
struct RowStatement {
  let tables: [String: TableSchema]
  let caller: Caller
  /// The maximum number of members in a JSON object. SQLite's functions accept up to 127 arguments, and each member
  /// needs two: a name and a value.
  private static let memberLimit = 63

  private(set) var arguments: [DatabaseValue] = []
  private var aliasCount = 0

  init(caller: Caller, tables: [String: TableSchema]) {
    self.caller = caller
    self.tables = tables
  }

  mutating func makeAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  // MARK: Conditions

  /// Returns the SQL condition for rows that match the filters and are visible to the caller.
  mutating func condition(
    _ filters: [RowFilter], of table: TableSchema, alias: String
  ) throws(PostgRESTFailure) -> String {
    var parts = [TableSchema.sql(table.rules.select, row: alias, caller)]
    for filter in filters { parts.append(try sql(filter, table, alias)) }
    return parts.joined(separator: " AND ")
  }

  private mutating func sql(
    _ filter: RowFilter, _ table: TableSchema, _ alias: String
  ) throws(PostgRESTFailure) -> String {
    func joinTerms(
      _ terms: [RowFilter], _ operation: String, _ isNegated: Bool
    ) throws(PostgRESTFailure) -> String {
      var parts: [String] = []
      for term in terms { parts.append(try sql(term, table, alias)) }
      return "\(isNegated ? "NOT " : "")(\(parts.joined(separator: operation)))"
    }
    switch filter {
    case .all(let terms, let isNegated): return try joinTerms(terms, " AND ", isNegated)
    case .any(let terms, let isNegated): return try joinTerms(terms, " OR ", isNegated)
    case .comparison(let name, let isNegated, let operation):
      let column = try Self.column(name, of: table)
      let reference = "\(alias).\(column.name)"
      var text = try sql(operation, column, reference)
      // A condition on a null list must be neither true nor false, but conditions on list elements don't handle null
      // lists.
      if column.type == .textArray, column.isNullable, operation != .isNull {
        text = "CASE WHEN \(reference) IS NULL THEN NULL ELSE (\(text)) END"
      }
      return isNegated ? "NOT (\(text))" : "(\(text))"
    }
  }

  private mutating func sql(
    _ operation: RowFilter.Operation, _ column: TableSchema.Column, _ reference: String
  ) throws(PostgRESTFailure) -> String {
    switch operation {
    case .compare(let comparison, let text):
      return "\(reference) \(comparison.rawValue) \(bind(try column.type.value(text: text)))"
    case .like(let pattern, let ignoresCase):
      guard column.type == .text else { throw Self.unknownOperator("like", column) }
      guard pattern.unicodeScalars.count <= LikePattern.maximumLength else {
        throw PostgRESTFailure.unreadable("a pattern can have at most \(LikePattern.maximumLength) characters")
      }
      return "\(ignoresCase ? "matches_ignoring_case" : "matches")(\(reference), \(bind(pattern.databaseValue)))"
    case .isOneOf(let texts):
      var values: [String] = []
      for text in texts { values.append(bind(try column.type.value(text: text))) }
      return "\(reference) IN (\(values.joined(separator: ", ")))"
    case .isNull: return "\(reference) IS NULL"
    case .isTrue, .isFalse:
      guard column.type == .boolean else { throw Self.unknownOperator("is", column) }
      return "\(reference) IS \(operation == .isTrue ? 1 : 0)"
    case .contains(let texts):
      try Self.requireArrayColumn(column, "cs")
      if texts.isEmpty { return "\(reference) IS NOT NULL" }
      return texts.map { "EXISTS (SELECT 1 FROM json_each(\(reference)) WHERE value = \(bind($0.databaseValue)))" }
        .joined(separator: " AND ")
    case .isContained(let texts):
      try Self.requireArrayColumn(column, "cd")
      let values = "SELECT 1 FROM json_each(\(reference)) WHERE value NOT IN (\(bind(texts)))"
      return "\(reference) IS NOT NULL AND NOT EXISTS (\(values))"
    case .overlaps(let texts):
      try Self.requireArrayColumn(column, "ov")
      return "EXISTS (SELECT 1 FROM json_each(\(reference)) WHERE value IN (\(bind(texts))))"
    }
  }

  private mutating func bind(_ texts: [String]) -> String {
    texts.map { bind($0.databaseValue) }.joined(separator: ", ")
  }

  mutating func bind(_ value: DatabaseValue) -> String {
    arguments.append(value)
    return "?\(arguments.count)"
  }

  private static func requireArrayColumn(_ column: TableSchema.Column, _ name: String) throws(PostgRESTFailure) {
    guard column.type == .textArray else { throw unknownOperator(name, column) }
  }

  private static func unknownOperator(_ name: String, _ column: TableSchema.Column) -> PostgRESTFailure {
    .unreadable("the local backend does not support the operator \(name) for \(column.type.rawValue)")
  }

  private static func column(_ name: String, of table: TableSchema) throws(PostgRESTFailure) -> TableSchema.Column {
    guard let column = table.column(name), column.computed == nil else {
      throw PostgRESTFailure(.badRequest, "42703", "column \(table.name).\(name.prefix(80)) does not exist")
    }
    return column
  }

  // MARK: Order

  /// Returns an `ORDER BY` clause, or an empty string if there are no terms.
  func order(_ terms: [RowQuery.OrderTerm], of table: TableSchema, alias: String) throws(PostgRESTFailure) -> String {
    if terms.isEmpty { return "" }
    var parts: [String] = []
    for term in terms {
      let column = try Self.column(term.column, of: table)
      let nullsFirst = term.nullsFirst ?? term.isDescending
      parts.append(
        "\(alias).\(column.name) \(term.isDescending ? "DESC" : "ASC")"
          // Specify the order of nulls only for nullable columns, because it prevents SQLite from using an index.
          + (column.isNullable ? " NULLS \(nullsFirst ? "FIRST" : "LAST")" : ""))
    }
    return "ORDER BY " + parts.joined(separator: ", ")
  }

  // MARK: Results

  /// Returns an SQL expression for a row as a JSON object, and the conditions of inner joins.
  mutating func rowObject(
    _ selected: [RowQuery.SelectedItem], of table: TableSchema, alias: String
  ) throws(PostgRESTFailure) -> (json: String, conditions: [String]) {
    var members: [String] = []
    var conditions: [String] = []
    for item in selected {
      switch item {
      case .all:
        for column in table.storedColumns {
          members.append("'\(column.name)', \(column.type.json(value(of: column, alias)))")
        }
      // `count` aggregates all rows and can't be combined with other columns.
      case .column(RowQuery.countColumn, let name)
      where selected.count == 1
        && table.column(RowQuery.countColumn) == nil:
        members.append("'\(name ?? RowQuery.countColumn)', count(*)")
      case .column(let name, let memberName):
        guard let column = table.column(name) else {
          throw PostgRESTFailure(.badRequest, "42703", "column \(table.name).\(name) does not exist")
        }
        members.append("'\(memberName ?? name)', \(column.type.json(value(of: column, alias)))")
      case .embedded(let embedding):
        let relation = try Relation.find(embedding, from: table, in: tables)
        let (json, exists) = try self.json(of: embedding, relation, alias)
        members.append("'\(embedding.alias ?? embedding.target)', \(json)")
        if embedding.isInner { conditions.append(exists) }
      }
    }
    guard members.count <= Self.memberLimit else {
      throw .unreadable("select has too many columns")
    }
    return ("json_object(\(members.joined(separator: ", ")))", conditions)
  }

  /// Returns the SQL expression of what clients read in a column.
  private func value(of column: TableSchema.Column, _ alias: String) -> String {
    if let computed = column.computed { return "(\(computed(alias, caller)))" }
    let stored = "\(alias).\(column.name)"
    return column.isHidden.map { "CASE WHEN \($0(alias, caller.sql)) THEN NULL ELSE \(stored) END" } ?? stored
  }

  private mutating func json(
    of embedding: RowQuery.Embedding, _ relation: Relation, _ alias: String
  ) throws(PostgRESTFailure) -> (json: String, exists: String) {
    let target = relation.target
    guard target.maySelect(caller) else { throw .accessDenied("table \(target.name)", caller) }
    let inner = makeAlias()
    let join = "\(inner).\(relation.targetColumn) = \(alias).\(relation.column)"
    let (object, conditions) = try rowObject(embedding.selected, of: target, alias: inner)
    let visible = ([join, TableSchema.sql(target.rules.select, row: inner, caller)] + conditions)
      .joined(separator: " AND ")
    let from = "FROM \(target.source) AS \(inner) WHERE \(visible)"
    let exists = "EXISTS (SELECT 1 \(from))"
    guard relation.isToMany else { return ("(SELECT json(\(object)) \(from))", exists) }
    // Lists are sorted by insertion order. Views have no row IDs.
    let order = "\(inner).created_at" + (target.source == target.name ? ", \(inner).rowid" : "")
    let rows = "SELECT \(object) AS j \(from) ORDER BY \(order)"
    return ("json((SELECT coalesce(json_group_array(json(j)), '[]') FROM (\(rows))))", exists)
  }
}

/// A foreign-key relationship between two tables.
struct Relation {
  var target: TableSchema
  /// The joined column of the embedding table.
  var column: String
  var targetColumn: String
  var isToMany: Bool
  /// The foreign key's name, which hints can use.
  private var constraint: String
  /// The column that contains the foreign key.
  private var keyColumn: String

  static func find(
    _ embedding: RowQuery.Embedding, from table: TableSchema, in tables: [String: TableSchema]
  ) throws(PostgRESTFailure) -> Relation {
    guard let target = tables[embedding.target] else { throw missingRelationship(embedding, table) }
    let outward = table.columns(referencing: target.name).map {
      Relation(
        target: target, column: $0.name, targetColumn: target.key, isToMany: false,
        constraint: "\(table.name)_\($0.name)_fkey", keyColumn: $0.name)
    }
    let inward = target.columns(referencing: table.name).map {
      Relation(
        target: target, column: table.key, targetColumn: $0.name, isToMany: !target.isUnique($0.name),
        constraint: "\(target.name)_\($0.name)_fkey", keyColumn: $0.name)
    }
    let candidates = (outward + inward).filter { relation in
      embedding.hint.map { $0 == relation.keyColumn || $0 == relation.constraint } ?? true
    }
    guard let relation = candidates.first else { throw missingRelationship(embedding, table) }
    guard candidates.count == 1 else {
      throw PostgRESTFailure(
        .multipleChoices, "PGRST201",
        "Could not embed because more than one relationship was found for '\(table.name)' and '\(target.name)'",
        details: candidates.map { $0.description(from: table) },
        hint: """
          Try changing '\(target.name)' to one of the following: \
          \(candidates.map { "'\(target.name)!\($0.constraint)'" }.joined(separator: ", ")). \
          Find the desired relationship in the 'details' key.
          """)
    }
    return relation
  }

  private func description(from table: TableSchema) -> [String: String] {
    // The primary key is always on the referenced side.
    let isOutward = keyColumn == column
    let isOneToOne = isOutward ? table.isUnique(column) : !isToMany
    return [
      "cardinality": isOneToOne ? "one-to-one" : isOutward ? "many-to-one" : "one-to-many",
      "embedding": "\(table.name) with \(target.name)",
      "relationship": "\(constraint) using \(table.name)(\(column)) and \(target.name)(\(targetColumn))",
    ]
  }

  private static func missingRelationship(_ embedding: RowQuery.Embedding, _ table: TableSchema) -> PostgRESTFailure {
    PostgRESTFailure(
      .badRequest, "PGRST200",
      "Could not find a relationship between '\(table.name)' and '\(embedding.target)' in the schema cache",
      details: """
        Searched for a foreign key relationship between '\(table.name)' and '\(embedding.target)'\
        \(embedding.hint.map { " using the hint '\($0)'" } ?? "") in the schema 'public', but no matches were found.
        """)
  }
}
