import GRDB

/// What is shared, and what people make of it.
extension SocialTables {
  static let highlights = TableSchema(
    name: "highlights", source: "highlights",
    columns: [
      id.insertable(), reference("author_id", "profiles").insertable(),
      column("mux_playback_id", .text).insertable(), column("mux_asset_id", .text).nullable(),
      column("thumbnail_url", .text).nullable().insertable(), column("caption", .text).nullable().changeable(),
      column("tags", .textArray).fallback(.value("[]".databaseValue)).changeable(),
      column("duration", .double).nullable().insertable(), column("confidence", .double).nullable().insertable(),
      column("quality", .double).nullable().insertable(),
      column("detection_count", .integer).nullable().insertable(), counter("likes_count"),
      counter("comments_count"), privacy.changeable(),
      column("hide_likes", .boolean).fallback(.value(0.databaseValue)).changeable(),
      column("video_urls", .textArray).nullable().insertable(),
      column("local_video_id", .uuid).nullable().insertable(),
      column("local_rally_index", .integer).nullable().insertable(),
      column("rally_metadata", .json).insertable(), column("location_name", .text).nullable().changeable(),
      column("latitude", .double).nullable().changeable(), column("longitude", .double).nullable().changeable(),
      createdAt, HighlightReadiness.column, likedByMe("likes", "highlight_id"),
    ],
    unique: [["mux_asset_id"]], checks: highlightChecks,
    rules: RowRules(
      select: RowRules.canSeeHighlight, insert: RowRules.isCaller("author_id"),
      update: RowRules.isCaller("author_id"), delete: RowRules.isCaller("author_id")),
    anonymousMaySelect: true, mayDelete: true,
    prepare: { row, db, _ in
      RallyFacts.complete(&row)
      try HighlightReadiness.complete(&row, db)
    },
    inserted: { row, db, now in try ShareLimit.note(row, db, now) })

  static let shared: [TableSchema] = [
    highlights,
    TableSchema(
      name: "likes", source: "likes",
      columns: [
        id, reference("user_id", "profiles").insertable(), reference("highlight_id", "highlights").insertable(),
        createdAt,
      ],
      unique: [["user_id", "highlight_id"]],
      rules: RowRules(
        select: { row, viewer in
          """
          \(row).user_id = \(viewer) OR \(RowRules.canSeeProfile("\(row).user_id", viewer))
          AND \(RowRules.ofVisibleHighlight("NOT h.hide_likes OR h.author_id = VIEWER")(row, viewer))
          """
        },
        insert: RowRules.both(RowRules.isCaller("user_id"), RowRules.ofVisibleHighlight()),
        delete: RowRules.isCaller("user_id")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "comments", source: "comments",
      columns: [
        id, reference("highlight_id", "highlights").insertable(), reference("author_id", "profiles").insertable(),
        column("text", .text).insertable(), counter("likes_count"), createdAt, likedByMe("comment_likes", "comment_id"),
      ],
      checks: [
        .text("comments", "text", most: 500, isRequired: true), .notNegative("comments", "likes_count"),
      ],
      rules: RowRules(
        select: RowRules.canSeeComment,
        insert: RowRules.both(RowRules.isCaller("author_id"), RowRules.ofVisibleHighlight()),
        delete: RowRules.isCaller("author_id")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "comment_likes", source: "comment_likes",
      columns: [
        id, reference("user_id", "profiles").insertable(), reference("comment_id", "comments").insertable(), createdAt,
      ],
      unique: [["user_id", "comment_id"]],
      rules: RowRules(
        select: { row, viewer in
          """
          \(row).user_id = \(viewer) OR \(RowRules.canSeeProfile("\(row).user_id", viewer))
          AND \(RowRules.ofVisibleComment(row, viewer))
          """
        },
        insert: RowRules.both(RowRules.isCaller("user_id"), RowRules.ofVisibleComment),
        delete: RowRules.isCaller("user_id")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "uploads", source: "draft_uploads",
      columns: [
        id, reference("author_id", "profiles"), column("idempotency_key", .text), column("highlight_id", .uuid),
        column("part", .integer), column("part_count", .integer), column("caption", .text).nullable(),
        column("tags", .textArray), privacy, column("hide_likes", .boolean),
        column("duration", .double), column("confidence", .double).nullable(), column("quality", .double).nullable(),
        column("detection_count", .integer).nullable(), column("local_video_id", .uuid).nullable(),
        column("local_rally_index", .integer).nullable(), column("status", .text), column("error", .text).nullable(),
        column("attempt", .integer), column("superseded", .boolean), column("mux_upload_id", .text).nullable(),
        column("mux_asset_id", .text).nullable(), column("mux_playback_id", .text).nullable(),
        column("non_standard_input_reasons", .json).nullable(), column("expires_at", .timestamp),
        column("checked_at", .timestamp), createdAt,
      ],
      rules: RowRules(select: RowRules.isCaller("author_id"))),
  ]

  private static func likedByMe(_ table: String, _ column: String) -> Column {
    var result = Self.column("is_liked_by_me", .boolean)
    result.computed = { row, viewer in
      "EXISTS (SELECT 1 FROM \(table) AS my WHERE my.\(column) = \(row).id AND my.user_id = \(viewer))"
    }
    return result
  }

  private static let highlightChecks: [TableSchema.Check] = [
    TableSchema.Check("highlights", "mux_playback_id") { row in
      guard let text = row.text("mux_playback_id") else { return true }
      return text.wholeMatch(of: /(https?:\/\/(?s:.)+|[A-Za-z0-9_\-]+)/) != nil && text.unicodeScalars.count <= 2048
    },
    TableSchema.Check("highlights", "mux_asset_id") { row in
      row.text("mux_asset_id").map { (1...255).contains($0.unicodeScalars.count) } ?? true
    },
    TableSchema.Check("highlights", "thumbnail_url") { row in
      // Relative for clips that this server holds: its port may be another one tomorrow.
      guard let text = row.text("thumbnail_url") else { return true }
      return text.unicodeScalars.count <= 2048
        && (text.hasPrefix("http://") || text.hasPrefix("https://") || !row["mux_asset_id"].isNull)
    },
    .text("highlights", "caption", most: 2200), .textList("highlights", "tags", most: 734, longest: 2200),
    TableSchema.Check("highlights", "duration") { row in
      // A post of several clips carries the sum of their durations.
      guard let seconds = row.double("duration") else { return true }
      let longest = 60 * Double(max(row.texts("video_urls")?.count ?? 1, 1))
      return seconds >= 3 - 1e-6 && seconds <= longest + 1e-6
    },
    .number("highlights", "confidence", 0...1),
    .number("highlights", "quality", 0...1), .notNegative("highlights", "detection_count"),
    .notNegative("highlights", "likes_count"), .notNegative("highlights", "comments_count"),
    .oneOf("highlights", "privacy_level", TableSchema.Check.privacyLevels),
    .textList("highlights", "video_urls", most: 50, longest: 2048, isEmptyAllowed: false),
    .notNegative("highlights", "local_rally_index"), .rallyMetadata("highlights", "rally_metadata"),
    .text("highlights", "location_name", most: 200), .number("highlights", "latitude", -90...90, slack: 0),
    .number("highlights", "longitude", -180...180, slack: 0),
    TableSchema.Check(name: "highlights_check") { row in row["latitude"].isNull == row["longitude"].isNull },
  ]
}
