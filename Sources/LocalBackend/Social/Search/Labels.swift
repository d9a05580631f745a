import GRDB

/// What people choose from: the tags of public highlights of the last 30 days, and the teams of public profiles, with
/// the number of people who use them.
struct Labels: Sendable {
  static let table = TableSchema.result(
    "labels", [SocialTables.column("name", .text), SocialTables.column("uses", .integer)])

  /// The statement that selects the names and their numbers of uses.
  private let source: String
  /// The character at the beginning of a query that isn't part of a name.
  private let mark: Character?

  /// The condition for the profile `p` of a person whose labels are found.
  private static let isListed = """
    p.privacy_level = 'public' AND NOT \(RowRules.isProtected("p.id"))
    AND NOT EXISTS (SELECT 1 FROM account_deletions AS d WHERE d.user_id = p.id)
    """

  static let tags = Labels(
    source: """
      SELECT tag.value AS name, count(DISTINCT h.author_id) AS uses
      FROM highlights AS h JOIN profiles AS p ON p.id = h.author_id, json_each(h.tags) AS tag
      WHERE h.created_at > \(HighlightScores.oldest) AND h.privacy_level = 'public' AND h.is_ready
        AND \(isListed) AND length(CAST(tag.value AS BLOB)) <= 400
      GROUP BY tag.value
      """, mark: "#")

  static let teams = Labels(
    source: """
      SELECT p.team_name AS name, count(*) AS uses FROM profiles AS p
      WHERE length(CAST(p.team_name AS BLOB)) <= 400 AND \(isListed)
      GROUP BY p.team_name
      """, mark: nil)

  /// Selects the names that begin with the query, then those that contain it or differ in at most two letters, by number
  /// of uses; without a query, the most used ones.
  func matching(_ query: String, limit: Int, offset: Int = 0) -> RowStore.Restriction {
    let name = query.prefix(200).trimmingPrefix { $0 == mark }.lowercased()
    let pattern = name.map { "\\\($0)" }.joined()
    let distance = name.count > 3 ? (name.count < 5 ? 1 : 2) : 0
    let length = name.unicodeScalars.count
    @Sendable func matches(_ pattern: String, _ statement: inout RowStatement, _ alias: String) -> String {
      "matches_ignoring_case(\(alias).name, \(statement.bind(pattern.databaseValue)))"
    }
    return RowStore.Restriction(
      // Without the limit, SQLite would compare the name of each use instead of each name.
      source: { [source] _ in "\(source) LIMIT -1" },
      conditions: { statement, alias in
        if name.count < 3 { return [matches("\(pattern)%", &statement, alias)] }
        return [
          """
          (\(matches("%\(pattern)%", &statement, alias))
            OR length(\(alias).name) BETWEEN \(length - distance) AND \(length + distance)
              AND edit_distance(lower(\(alias).name), \(statement.bind(name.databaseValue))) <= \(distance))
          """
        ]
      },
      order: { statement, alias in
        "ORDER BY \(matches("\(pattern)%", &statement, alias)) DESC, \(alias).uses DESC, \(alias).name"
      }, limit: limit, offset: offset)
  }
}
