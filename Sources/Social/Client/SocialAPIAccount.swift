public import Foundation
import RowRequests

/// Notifications, settings, analytics, and moderation.
extension SocialAPI {
  public func notifications(before time: String?) async throws -> [NotificationGroup] {
    try await sendAndDecode(.call("read the notifications", "notification_groups", Self.optional("before", time)))
  }

  public func markNotificationsRead(until time: String?) async throws {
    try await send(.call("mark the notifications as read", "mark_notifications_read", Self.optional("until", time)))
  }

  private static func optional(_ name: String, _ text: String?) -> [String: RowValue] {
    text.map { [name: .text($0)] } ?? [:]
  }

  public func settings() async throws -> AccountSettings {
    let rows: [AccountSettings] = try await sendAndDecode(
      .rows("read the settings", "user_settings", [("select", "*"), ("user_id", "eq.\(try await me.rowText)")]))
    return rows.first ?? AccountSettings()
  }

  public func store(_ settings: AccountSettings) async throws {
    struct Row: Encodable {
      var settings: AccountSettings
      var account: String

      func encode(to encoder: any Encoder) throws {
        try settings.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(account, forKey: .account)
      }

      private enum Key: String, CodingKey {
        case account = "user_id"
      }
    }
    let row = Row(settings: settings, account: try await me.rowText)
    try await upsert("store the settings", into: "user_settings", on: "user_id", row)
  }

  public func setBirthDate(_ date: String) async throws {
    // It can be set once, so a repeated request would fail after a success.
    try await send(.call("set the date of birth", "set_birth_date", ["born": .text(date)], isRepeatable: false))
  }

  public func analytics(days: Int, limit: Int) async throws -> [HighlightAnalytics] {
    try await sendAndDecode(
      .call("read the analytics", "creator_analytics", ["days": .number(days), "max_rows": .number(limit)]))
  }

  public func exportAccount() async throws -> Data {
    try await send(.call("export the account", "export_account"))
  }

  // MARK: Moderation

  public func report(
    _ target: ContentTarget, for reason: ReportReason, description: String?
  ) async throws -> ContentReport {
    let operation = "report the content"
    if let description, !description.isEmpty {
      try SocialLimits.check(description, limit: SocialLimits.reportDescriptionLength, operation: operation)
    }
    let account = try await me
    // A second call must not report the content twice.
    let open: [ContentReport] = try await sendAndDecode(
      .rows(
        operation, "content_reports",
        [
          ("select", "*"), ("reporter_id", "eq.\(account.rowText)"), ("reported_type", "eq.\(target.kind.rawValue)"),
          ("reported_id", "eq.\(target.id.rowText)"), ("status", "eq.pending"),
        ]))
    if let report = open.first { return report }
    let id = UUID()
    // The backend replaces `reported_user_id`, which it requires.
    let row: [String: RowValue] = [
      "id": .id(id), "reporter_id": .id(account), "reported_type": .text(target.kind.rawValue),
      "reported_id": .id(target.id),
      "reported_user_id": .id(account), "report_type": .text(reason.rawValue), "description": .text(description),
    ]
    try await insertOnce(operation, into: "content_reports", row)
    let reports: [ContentReport] = try await sendAndDecode(
      .rows(operation, "content_reports", [("select", "*"), ("id", "eq.\(id.rowText)")]))
    guard let report = reports.first else {
      throw SocialError.unreadableAnswer(operation: operation, reason: "the report is missing")
    }
    return report
  }

  public func withdrawReport(_ id: UUID) async throws {
    // After a lost response, a second attempt would fail, as if the report had never existed.
    try await send(.call("withdraw the report", "withdraw_report", ["report": .id(id)], isRepeatable: false))
  }

  public func moderationQueue(limit: Int, offset: Int) async throws -> [ModerationItem] {
    try await sendAndDecode(
      .call(
        "read the moderation queue", "moderation_queue",
        ["max_rows": .number(limit), "skip_rows": .number(offset)]))
  }

  public func moderate(
    _ target: ContentTarget, _ action: ModerationAction, reason: String
  ) async throws -> ModerationOutcome {
    try await sendAndDecode(
      .call(
        "decide about the content", "moderate",
        [
          // With the same ID, a repeated request adds no second offense.
          "id": .id(UUID()), "action": .text(action.rawValue), "target_type": .text(target.kind.rawValue),
          "target_id": .id(target.id), "reason": .text(reason),
        ]))
  }
}
