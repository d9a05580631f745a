import GRDB

/// What people choose from: the tags of public highlights of the last 30 days, and the teams of public profiles, with
/// the number of people who use them.
struct SearchLabels: Sendable {
  static let table = TableSchema.result(
    "labels", [SocialTables.column("name", .text), SocialTables.column("uses", .integer)])

  /// Returns the statement that selects the names that match a condition for the column `name`, with their numbers of
  /// uses. Without a condition, it selects all.
  private let source: @Sendable (_ condition: String?) -> String
  /// The character at the beginning of a query that isn't part of a name.
  private let mark: Character?

  /// The condition for the profile `p` of a person whose labels are found.
  private static let isListed = """
    p.privacy_level = 'public' AND NOT \(RowRules.isProtected("p.id"))
    AND NOT EXISTS (SELECT 1 FROM account_deletions AS d WHERE d.user_id = p.id)
    """

  /// The condition for the highlight `h`, of the person `p`, whose tags are counted.
  private static let isCounted = """
    h.created_at > \(HighlightScores.oldest) AND h.privacy_level = 'public' AND h.is_ready AND \(isListed)
    """

  static let tags = SearchLabels(
    source: { condition in condition.map(tags(matching:)) ?? allTags }, mark: "#")

  private static let allTags = """
    SELECT tag.value AS name, count(DISTINCT h.author_id) AS uses
    FROM highlights AS h JOIN profiles AS p ON p.id = h.author_id, json_each(h.tags) AS tag
    WHERE \(isCounted) AND length(tag.value) <= \(SearchWords.maximumTagLength)
    GROUP BY tag.value
    """

  /// Skips from one tag to the next in the index of words, and reads only highlights with a tag that matches.
  @Sendable private static func tags(matching condition: String) -> String {
    """
    WITH RECURSIVE words (word) AS (
      SELECT min(word) FROM highlight_words WHERE word > '#'
      UNION ALL
      SELECT (SELECT min(next.word) FROM highlight_words AS next WHERE next.word > words.word)
      FROM words WHERE words.word < '$'
    ), names AS (SELECT substr(word, 2) AS name FROM words WHERE word < '$')
    SELECT name, count(DISTINCT h.author_id) AS uses
    FROM names CROSS JOIN highlight_words AS w ON w.word = '#' || name
      JOIN highlights AS h ON h.id = w.highlight_id JOIN profiles AS p ON p.id = h.author_id
    WHERE \(condition) AND \(isCounted)
    GROUP BY name
    """
  }

  // Without the limit, SQLite would compare the name of each profile instead of each name.
  static let teams = SearchLabels(
    source: { condition in
      """
      SELECT name, uses FROM (
        SELECT p.team_name AS name, count(*) AS uses FROM profiles AS p
        WHERE length(CAST(p.team_name AS BLOB)) <= 400 AND \(isListed)
        GROUP BY p.team_name LIMIT -1)
      WHERE \(condition ?? "1")
      """
    }, mark: nil)

  /// Selects the names that begin with the query, then those that contain it or differ in at most two letters, by number
  /// of uses; without a query, the most used ones.
  func matching(_ query: String, limit: Int, offset: Int = 0) -> RowStore.Restriction {
    let name = query.prefix(200).trimmingPrefix { $0 == mark }.lowercased()
    let pattern = name.map { "\\\($0)" }.joined()
    let distance = name.count > 3 ? (name.count < 5 ? 1 : 2) : 0
    let length = name.unicodeScalars.count
    @Sendable func matches(_ pattern: String, _ statement: inout RowStatement) -> String {
      "matches_ignoring_case(name, \(statement.bind(pattern.databaseValue)))"
    }
    return RowStore.Restriction(
      source: { [source] statement in
        if name.isEmpty { return source(nil) }
        if name.count < 3 { return source(matches("\(pattern)%", &statement)) }
        return source(
          """
          (\(matches("%\(pattern)%", &statement))
            OR length(name) BETWEEN \(length - distance) AND \(length + distance)
              AND edit_distance(lower(name), \(statement.bind(name.databaseValue))) <= \(distance))
          """)
      },
      order: { statement, _ in "ORDER BY \(matches("\(pattern)%", &statement)) DESC, uses DESC, name" },
      limit: limit, offset: offset)
  }
}
