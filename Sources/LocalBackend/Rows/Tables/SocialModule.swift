extension ServerModule {
  /// People, their highlights, and reactions to them. It has no routes of its own: clients use `/rest/v1`.
  static let social = ServerModule(
    name: "social",
    migrations: [
      Migration(3, "accounts and the social layer", run: SocialMigration.run),
      Migration(6, "rows of clients", run: ClientRowsMigration.run),
    ],
    sqlFunctions: [SQLFunctions.heat],
    tables: SocialTables.people + SocialTables.shared + SocialTables.polls + SocialTables.moderation,
    functions: RPCFunction.social)
}
