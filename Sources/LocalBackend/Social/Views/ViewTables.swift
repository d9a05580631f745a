/// The sums of views, and the results of the functions that return them.
enum ViewTables {
  private typealias Tables = SocialTables

  static let stats = TableSchema(
    name: "highlight_stats",
    columns: [
      Tables.reference("highlight_id", "highlights"), Tables.column("day", .date),
      Tables.column("views", .integer).fallback(0), Tables.column("completions", .integer).fallback(0),
      Tables.column("watched_seconds", .double).fallback(0),
    ],
    // The primary key has two columns.
    key: "rowid", unique: [["highlight_id", "day"]],
    rules: RowRules(select: { row, viewer in
      """
      EXISTS (SELECT 1 FROM highlights AS sh WHERE sh.id = \(row).highlight_id AND sh.author_id = \(viewer))
      """
    }))

  static let analytics = TableSchema.result(
    "creator_analytics",
    [
      Tables.column("highlight_id", .uuid), Tables.column("caption", .text).allowingNull(),
      Tables.column("created_at", .timestamp), Tables.column("views", .integer),
      Tables.column("completions", .integer), Tables.column("completion_rate", .double).allowingNull(),
      Tables.column("watched_seconds", .double), Tables.column("likes_count", .integer),
      Tables.column("comments_count", .integer),
    ])

  static let analyticsByDay = TableSchema.result(
    "creator_analytics_by_day",
    [
      Tables.column("day", .date), Tables.column("views", .integer), Tables.column("completions", .integer),
      Tables.column("watched_seconds", .double),
    ])
}
