import ClipModel
import GRDB
import Social

/// The tables for highlights, reactions and uploads.
extension SocialTables {
  static let highlights = TableSchema(
    name: "highlights",
    columns: [
      id.allowingInsert(), reference("author_id", "profiles").allowingInsert(),
      column("mux_playback_id", .text).allowingNull().allowingInsert().check { (text: String) in
        text.wholeMatch(of: /(https?:\/\/(?s:.)+|[A-Za-z0-9_\-]+)/) != nil && text.unicodeScalars.count <= 2048
      }.hidden(if: ClosedVideoRules.isHidden),
      column("mux_asset_id", .text).allowingNull().check { (id: String) in (1...255).contains(id.unicodeScalars.count)
      },
      column("thumbnail_url", .text).allowingNull().allowingInsert().hidden(if: ClosedVideoRules.isHidden),
      column("caption", .text).allowingNull().allowingWrites().text(limit: HighlightDraft.maximumCaptionLength),
      column("tags", .textArray).fallback("[]").allowingWrites().texts(maximumCount: 734, maximumLength: 2200),
      column("duration", .double).allowingNull().allowingInsert(),
      column("confidence", .double).allowingNull().allowingInsert().number(0...1),
      column("quality", .double).allowingNull().allowingInsert().number(0...1),
      column("detection_count", .integer).allowingNull().allowingInsert().requireMinimum(0), counter("likes_count"),
      counter("comments_count"), privacy.allowingWrites(),
      column("hide_likes", .boolean).fallback(0).allowingWrites(),
      column("video_urls", .textArray).allowingNull().allowingInsert().texts(
        maximumCount: 50, maximumLength: 2048, isEmptyAllowed: false
      ).hidden(if: ClosedVideoRules.isHidden),
      column("local_video_id", .uuid).allowingNull().allowingInsert(),
      column("local_rally_index", .integer).allowingNull().allowingInsert().requireMinimum(0),
      // If a member is missing in one row, the app can't decode the entire feed page.
      column("rally_metadata", .json).allowingInsert().check { (text: String) in RallyMetadataObject.isComplete(text) },
      column("location_name", .text).allowingNull().allowingWrites().text(limit: 200),
      column("latitude", .double).allowingNull().allowingWrites().number(-90...90, tolerance: 0),
      column("longitude", .double).allowingNull().allowingWrites().number(-180...180, tolerance: 0),
      createdAt, HighlightReadiness.column, AccountSettings.downloadsColumn,
      makeLikedColumn("likes", "highlight_id"),
    ],
    unique: [["mux_asset_id"]], checks: highlightChecks,
    rules: RowRules(
      select: RowRules.canSeeHighlight,
      insert: RowRules.allOf(RowRules.isCaller("author_id"), AccountRestriction.isMissing),
      update: RowRules.isCaller("author_id"), delete: RowRules.isCaller("author_id")),
    anonymousMaySelect: true, mayDelete: true,
    prepare: { row, db, _ in
      RallyMetadataObject.fillMissingValues(&row)
      try HighlightReadiness.markReadyIfPlayable(&row, db)
    },
    inserted: { row, db, now in try ShareLimit.recordShare(row, db, now) })

  static let shared: [TableSchema] = [
    highlights,
    linkTable(
      "likes", from: "user_id", to: "highlights", as: "highlight_id",
      reactionRules(
        to: RowRules.belongsToVisibleHighlight(),
        shown: RowRules.belongsToVisibleHighlight("NOT h.hide_likes OR h.author_id = VIEWER")),
      actionLimit: .likes),
    TableSchema(
      name: "comments",
      columns: [
        id.allowingInsert(), reference("highlight_id", "highlights").allowingInsert(),
        reference("author_id", "profiles").allowingInsert(),
        column("text", .text).allowingInsert().text(limit: SocialLimits.commentLength, isRequired: true),
        counter("likes_count"),
        createdAt,
        makeLikedColumn("comment_likes", "comment_id"), CommentReactions.column,
      ],
      rules: RowRules(
        select: RowRules.canSeeComment,
        insert: RowRules.allOf(
          RowRules.isCaller("author_id"), RowRules.belongsToVisibleHighlight(), RowRules.mayWriteToAuthor,
          AccountRestriction.isMissing),
        delete: RowRules.isCaller("author_id")),
      anonymousMaySelect: true, mayDelete: true, actionLimit: ActionLimit(name: "comments", account: "author_id")),
    linkTable(
      "comment_likes", from: "user_id", to: "comments", as: "comment_id",
      reactionRules(to: RowRules.belongsToVisibleComment, shown: RowRules.belongsToVisibleComment), actionLimit: .likes),
    TableSchema(
      name: "uploads", view: "draft_uploads",
      columns: [
        id, reference("author_id", "profiles"), column("idempotency_key", .text), column("highlight_id", .uuid),
        column("part", .integer), column("part_count", .integer), column("caption", .text).allowingNull(),
        column("tags", .textArray), privacy, column("hide_likes", .boolean),
        column("duration", .double), column("confidence", .double).allowingNull(),
        column("quality", .double).allowingNull(),
        column("detection_count", .integer).allowingNull(), column("local_video_id", .uuid).allowingNull(),
        column("local_rally_index", .integer).allowingNull(), column("status", .text),
        column("error", .text).allowingNull(),
        column("attempt", .integer), column("superseded", .boolean), column("mux_upload_id", .text).allowingNull(),
        column("mux_asset_id", .text).allowingNull(), column("mux_playback_id", .text).allowingNull(),
        column("non_standard_input_reasons", .json).allowingNull(), column("expires_at", .timestamp),
        column("checked_at", .timestamp), createdAt,
      ],
      rules: RowRules(select: RowRules.isCaller("author_id"))),
  ]

  /// Returns rules that let users see their own reactions, and the reactions of other visible users if the content
  /// shows its reactions.
  static func reactionRules(
    to visible: @escaping RowRules.Condition, shown: @escaping RowRules.Condition
  ) -> RowRules {
    RowRules(
      select: { row, viewer in
        """
        \(row).user_id = \(viewer) OR \(RowRules.canSeeProfile("\(row).user_id", viewer))
        AND \(shown(row, viewer))
        """
      },
      insert: RowRules.allOf(RowRules.isCaller("user_id"), visible), delete: RowRules.isCaller("user_id"))
  }

  private static func makeLikedColumn(_ table: String, _ column: String) -> Column {
    Self.column("is_liked_by_me", .boolean).modified {
      $0.computed = { row, caller in
        "EXISTS (SELECT 1 FROM \(table) AS my WHERE my.\(column) = \(row).id AND my.user_id = \(caller.sql))"
      }
    }
  }

  private static let highlightChecks = [
    TableSchema.CheckConstraint(name: "highlights_thumbnail_url_check") { row in
      // The URLs of clips on this server are relative, because its port may change.
      guard let text = row.text("thumbnail_url") else { return true }
      return text.unicodeScalars.count <= 2048 && (Column.isWebAddress(text) || !row["mux_asset_id"].isNull)
    },
    TableSchema.CheckConstraint(name: "highlights_duration_check") { row in
      // A post's duration is the sum of its clips' durations.
      guard let seconds = row.double("duration") else { return true }
      let longest = 60 * Double(max(row.texts("video_urls")?.count ?? 1, 1))
      return seconds >= 3 - 1e-6 && seconds <= longest + 1e-6
    },
    TableSchema.CheckConstraint(name: "highlights_video_check") { row in
      !row["mux_playback_id"].isNull || !row["mux_asset_id"].isNull
    },
    TableSchema.CheckConstraint(name: "highlights_check") { row in row["latitude"].isNull == row["longitude"].isNull },
  ]
}
