extension ServerModule {
  /// The module for the web pages: the feed, highlights, profiles and, for the owner, the uploads from this computer.
  static let pages = ServerModule(
    name: "pages",
    pages: pageFiles,
    routes: { router, server in
      FeedRoutes(site: server.site).add(to: router)
      ReactionRoutes(site: server.site).add(to: router)
      ProfileRoutes(site: server.site).add(to: router)
      SearchRoutes(site: server.site).add(to: router)
      SignInRoutes(server: server).add(to: router)
      SignUpRoutes(server: server).add(to: router)
      QueueRoutes(site: server.site, uploads: server.configuration.uploads).add(to: router)
      ReportRoutes(site: server.site, reports: server.configuration.reports).add(to: router)
    })

  private static let pageFiles: [String: [UInt8]] = [
    "actions.mustache": PackageResources.actions_mustache,
    "author.js": PackageResources.author_js,
    "author.mustache": PackageResources.author_mustache,
    "batches.mustache": PackageResources.batches_mustache,
    "comments.mustache": PackageResources.comments_mustache,
    "confirm.mustache": PackageResources.confirm_mustache,
    "enter.mustache": PackageResources.enter_mustache,
    "feed.mustache": PackageResources.feed_mustache,
    "follows.mustache": PackageResources.follows_mustache,
    "forms.js": PackageResources.forms_js,
    "gestures.js": PackageResources.gestures_js,
    "heart.mustache": PackageResources.heart_mustache,
    "highlight.mustache": PackageResources.highlight_mustache,
    "icon.svg": PackageResources.icon_svg,
    "keys.js": PackageResources.keys_js,
    "layout.mustache": PackageResources.layout_mustache,
    "memory.js": PackageResources.memory_js,
    "message.mustache": PackageResources.message_mustache,
    "pages.js": PackageResources.pages_js,
    "people.mustache": PackageResources.people_mustache,
    "post.mustache": PackageResources.post_mustache,
    "profile.mustache": PackageResources.profile_mustache,
    "queue.js": PackageResources.queue_js,
    "queue.mustache": PackageResources.queue_mustache,
    "search.js": PackageResources.search_js,
    "search.mustache": PackageResources.search_mustache,
    "sheet.js": PackageResources.sheet_js,
    "signin.mustache": PackageResources.signin_mustache,
    "signup.mustache": PackageResources.signup_mustache,
    "stage.js": PackageResources.stage_js,
    "style.css": PackageResources.style_css,
    "tiles.mustache": PackageResources.tiles_mustache,
    "uploads.mustache": PackageResources.uploads_mustache,
  ]
}
