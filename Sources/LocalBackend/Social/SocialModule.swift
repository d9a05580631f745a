extension ServerModule {
  /// The module for profiles, highlights and reactions, which clients access through `/rest/v1`.
  static let social = ServerModule(
    name: "social",
    migrations: [
      Migration(number: 3, title: "accounts and the social layer", run: SocialMigration.run),
      Migration(number: 6, title: "rows of clients", run: ClientRowsMigration.run),
    ],
    tables: SocialTables.people + SocialTables.shared + SocialTables.polls + SocialTables.moderation,
    functions: RPCFunction.social)
}
