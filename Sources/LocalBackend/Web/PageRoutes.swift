import Hummingbird

/// The web pages: the feed, highlights, people, and for the owner what goes on on this machine.
struct PageRoutes: Sendable {
  let site: PageSite
  private let signIn: SignInRoutes
  private let queue: QueueRoutes
  private let reports: ReportRoutes

  /// - Parameter ownerToken: of `server.json`: who can read it is the owner.
  init(
    rows: RowStore, callers: CallerIdentity, auth: AuthRoutes, ownerToken: String,
    configuration: LocalServerConfiguration
  ) throws {
    site = PageSite(
      rows: rows, callers: callers,
      sessions: PageSessions(store: rows.store, secret: callers.keys.jwtSecret, now: configuration.now),
      library: try PageLibrary(), hasReports: !configuration.reports.isEmpty)
    signIn = SignInRoutes(site: site, auth: auth, ownerToken: ownerToken, now: configuration.now)
    queue = QueueRoutes(site: site, uploads: configuration.uploads)
    reports = ReportRoutes(site: site, reports: configuration.reports)
  }

  func add(to router: Router<BackendContext>) {
    site.library.add(to: router)
    FeedRoutes(site: site).add(to: router)
    ReactionRoutes(site: site).add(to: router)
    ProfileRoutes(site: site).add(to: router)
    signIn.add(to: router)
    queue.add(to: router)
    reports.add(to: router)
  }
}
