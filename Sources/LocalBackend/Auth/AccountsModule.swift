extension ServerModule {
  /// The module for accounts, sessions and one-time codes: `/auth/v1`.
  static let accounts = ServerModule(
    name: "accounts",
    migrations: [Migration(number: 7, title: "codes and changes of accounts", run: AccountMigration.run)],
    routes: { router, server in
      server.auth.add(to: router)
      AccountRoutes(auth: server.auth, callers: server.callers, mails: MailOutbox(path: server.folder.mails))
        .add(to: router)
    },
    cleanUp: { server in try await server.store.deleteExpiredAccounts(now: server.now) })
}
