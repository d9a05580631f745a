extension ServerModule {
  /// The module for moderators, their decisions, and the consequences.
  static let moderation = ServerModule(
    name: "moderation",
    migrations: [
      Migration(number: 15, title: "moderation", run: ModerationMigration.run),
      Migration(number: 26, title: "IDs of reported content", run: ModerationMigration.keepReportedIDs),
    ],
    tables: [ModerationTables.moderators], functions: RPCFunction.moderation)
}
