import ClipModel
import Hummingbird

extension ServerModule {
  /// The module for the pages about an account: notifications, settings, reports, analytics, and moderation.
  static let accountPages = ServerModule(
    name: "account pages",
    pages: [
      "analytics.mustache": PackageResources.analytics_mustache,
      "avatar.js": PackageResources.avatar_js,
      "avatar.mustache": PackageResources.avatar_mustache,
      "guidelines.mustache": PackageResources.guidelines_mustache,
      "live.js": PackageResources.live_js,
      "moderation.mustache": PackageResources.moderation_mustache,
      "notifications.mustache": PackageResources.notifications_mustache,
      "report.mustache": PackageResources.report_mustache,
      "settings.mustache": PackageResources.settings_mustache,
      "views.js": PackageResources.views_js,
    ],
    routes: { router, server in
      NotificationPages(server: server).add(to: router)
      SettingsPages(server: server).add(to: router)
      SafetyPages(server: server).add(to: router)
      ModerationPages(server: server).add(to: router)
      AnalyticsPages(server: server).add(to: router)
      LiveEvents(site: server.site).add(to: router)
    })
}

extension ServerDependencies {
  /// Creates a call of a database function on behalf of a page's visitor.
  func call(
    _ function: String, as visitor: PageVisitor, _ arguments: [String: String] = [:]
  ) -> RPCFunction.FunctionCall {
    let members = arguments.map { JSONMember(key: $0.key, value: JSONValue(.string($0.value), at: 0)) }
    return RPCFunction.FunctionCall(
      function: function, caller: visitor.caller, rows: rows, body: JSONValue(.object(members), at: 0))
  }
}
