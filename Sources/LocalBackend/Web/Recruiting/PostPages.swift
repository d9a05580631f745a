#if Recruiting
import Foundation
import Hummingbird
import Recruiting

/// The pages `/social` and `/social/coach/{id}`: posts of coaches and programs.
struct PostPages: Sendable {
  let site: RecruitingSite

  private static let pageSize = 50

  func add(to router: Router<BackendContext>) {
    router.get("social") { request, _ in try await site.show(request) { try await list($0) } }
    router.get("social/coach/:id") { request, context in
      let id = try context.parameters.require("id")
      do {
        return try await site.show("coaches", id, request, family: \Coach.familyUnitId) { try await profile($0, $1) }
      } catch let failure as PageFailure where failure.status == .notFound {
        return try await site.show(request) { coachNotFound($0) }
      }
    }
    PostForms(site: site).add(to: router)
    PostNotices.add(to: router, site)
  }

  // MARK: The feed

  /// - Parameter problem: why a sync failed.
  func list(
    _ member: FamilyVisitor, problem: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    var filter = try RecruitingFilterFailure.converting { () throws(RecruitingError) in
      try PostFilter(query: member.query)
    }
    filter.search = String(filter.search.prefix(200))
    let schools = try await member.schools()
    let names = schools.namesByID
    let page = try await PostPage.read(PostPage.filters(of: filter), member, size: Self.pageSize)
    let chips = filter.chips(schools: names)
    let isEmpty = page.posts.isEmpty && page.cursor == nil
    var values: [String: Any?] = [
      "title": "Social Media Monitoring", "analyticsPath": member.path("/social/analytics"), "search": filter.search,
      "filterLabel": AccessibilityLabels.filterButton(activeFilters: chips.count), "hasChips": !chips.isEmpty,
      "clearPath": member.path("/social"),
      "chips": chips.map {
        ["label": $0.label, "path": member.path("/social", filter.removing($0.kind).query)]
      },
      "choices": Self.choices(filter, schools),
      "found": filter.isActive && !isEmpty ? page.total.map { PageText.countText($0, "post") + " found" } : nil,
      "hasItems": !page.posts.isEmpty,
      "items": page.values(at: "/social", filter.query, names, member),
      "older": page.older.map { member.path("/social", filter.query + [("before", $0)]) },
    ]
    values.merge(try await Self.figures(member, coach: nil)) { $1 }
    values.merge(syncValues(member, problem)) { $1 }
    if page.cursor == nil {
      values.merge(try await PostNotices.values(member)) { $1 }
      values.merge(try await unreadAccounts(member)) { $1 }
    }
    let state = !isEmpty ? nil : filter.isActive ? RecruitingTexts.noMatchingPosts : RecruitingTexts.noPosts
    values.merge(
      RecruitingSite.nothing(
        state, symbol: filter.isActive ? "🔍" : "📱", path: filter.isActive ? member.path("/social") : nil,
        form: !filter.isActive && mayStartSync(member) ? "sync-form" : nil,
        command: filter.isActive || mayStartSync(member) ? nil : "bsc recruiting sync")
    ) { $1 }
    return site.page("social", .posts, values, member, status: status)
  }

  /// The tokens for the platforms belong to the owner of the server.
  private func mayStartSync(_ member: FamilyVisitor) -> Bool {
    site.server.configuration.syncPosts != nil && member.visitor.isOwner
  }

  private func syncValues(_ member: FamilyVisitor, _ problem: String?) -> [String: Any?] {
    let count = member.parameter("synced").flatMap { parseDecimal($0) }.map { Int(min($0, 1_000_000)) }
    return [
      "mayStartSync": mayStartSync(member), "syncLabel": AccessibilityLabels.syncButton,
      "syncMessage": count.map(RecruitingTexts.synced), "syncProblem": problem,
    ]
  }

  /// The accounts that the last sync could not read, with the reason.
  private func unreadAccounts(_ member: FamilyVisitor) async throws -> [String: Any?] {
    let handles: [SyncHandle] = try await member.rows.rows(of: "sync_handles", ["family": member.family.id])
    let unread = handles.compactMap { handle -> String? in
      // Members can store other reasons with the API.
      guard let problem = handle.lastError.map({ SyncProblem(rawValue: $0) ?? .invalidResponse }) else { return nil }
      return "@\(handle.handle) on \(handle.platform.label): \(RecruitingTexts.reason(problem))"
    }
    return ["hasUnreadAccounts": !unread.isEmpty, "unreadAccounts": unread.map { ["accountProblem": $0] }]
  }

  private static func choices(_ filter: PostFilter, _ schools: [School]) -> [[String: Any]] {
    [
      RecruitingSite.choices(
        "platform", "Platform", any: "All", SocialPlatform.allCases.map { ($0.rawValue, $0.label) },
        current: filter.platform?.rawValue),
      RecruitingSite.choices(
        "school", "School", any: "All Schools",
        schools.filter { $0.archivedAt == nil || $0.id == filter.schoolId }.map { ($0.id, $0.name) },
        current: filter.schoolId),
      RecruitingSite.choices(
        "type", "Type", any: "All", PostFilter.Kind.allCases.map { ($0.rawValue, $0.label) },
        current: filter.kind?.rawValue),
      RecruitingSite.choices(
        "sentiment", "Sentiment", any: "All", PostSentiment.allCases.map { ($0.rawValue, $0.labelWithEmoji) },
        current: filter.sentiment?.rawValue),
    ]
  }

  /// The statistics of the posts of a family, or of one coach.
  private static func figures(_ member: FamilyVisitor, coach: String?) async throws -> [String: Any?] {
    let found: [PostStatistics] = try await member.rows.rows(
      of: "post_statistics", ["family": member.family.id, "coach": coach])
    let figures = found.first ?? PostStatistics([])
    return [
      "figuresTitle": "Statistics",
      "cards": [
        RecruitingSite.card("Total Posts", "\(figures.total)", tone: "gray"),
        RecruitingSite.card("Twitter/X Posts", "\(figures.twitter)", tone: "blue"),
        RecruitingSite.card("Instagram Posts", "\(figures.instagram)", tone: "pink"),
        RecruitingSite.card("Flagged for Review", figures.flaggedLabel, tone: "amber"),
      ],
    ]
  }

  // MARK: A coach

  private func profile(_ coach: Coach, _ member: FamilyVisitor) async throws -> Response {
    let names = try await member.schools().namesByID
    let school = coach.schoolId.flatMap { names[$0] }
    let path = "/social/coach/\(coach.id)"
    let page = try await PostPage.read([.equals("coach_id", coach.id)], member, size: Self.pageSize)
    var values: [String: Any?] = [
      "title": coach.fullName, "socialPath": member.path("/social"), "coachName": coach.fullName,
      "coachSpoken": AccessibilityLabels.coachHeader(coach, school: school), "roleLabel": coach.roleLabel,
      "coachSchool": school, "hasHandles": !coach.handles.isEmpty,
      "handles": RecruitingSite.values(of: coach.handles), "coachPage": "/coaches/\(coach.id)",
      "coachPageLabel": AccessibilityLabels.coachProfileButton, "hasItems": !page.posts.isEmpty,
      "items": page.values(at: path, [], names, member, isCoachPage: true),
      "older": page.older.map { "\(path)?before=\($0)" },
    ]
    values.merge(try await Self.figures(member, coach: coach.id)) { $1 }
    values.merge(try await SentLinks.values(to: coach, member, returningTo: path)) { $1 }
    let isEmpty = page.posts.isEmpty && page.cursor == nil
    values.merge(RecruitingSite.nothing(isEmpty ? RecruitingTexts.noPosts(of: coach) : nil, symbol: "📱")) { $1 }
    return site.page("coachposts", .posts, values, member)
  }

  private func coachNotFound(_ member: FamilyVisitor) -> Response {
    let nothing = RecruitingSite.nothing(RecruitingTexts.coachNotFound, symbol: "❌", path: member.path("/social"))
    return site.page(
      "coachmissing", .posts, ["title": RecruitingTexts.coachNotFound.title].merging(nothing) { $1 }, member,
      status: .notFound)
  }
}

/// Up to 50 posts, the newest first, with the position after them.
struct PostPage: Sendable {
  let posts: [SocialPost]
  /// The number of all posts that match.
  let total: Int?
  /// The position before this page.
  let cursor: PageCursor?
  /// The position of the next page, for its address.
  let older: String?

  static func read(_ filters: [RowFilter], _ member: FamilyVisitor, size: Int) async throws -> PostPage {
    let cursor = PageCursor(member.parameter("before"))
    let query = "select=*&order=post_date.desc,id.desc&limit=\(size + 1)"
    let after = cursor.map { [$0.filter(of: "post_date")] } ?? []
    let found: (rows: [SocialPost], total: Int?) = try await member.rows.page(
      "social_media_posts", query, [member.inFamily] + filters + after)
    let posts = Array(found.rows.prefix(size))
    let last = found.rows.count > size ? posts.last : nil
    return PostPage(
      posts: posts, total: cursor == nil ? found.total : nil, cursor: cursor,
      older: last.map { PageCursor(createdAt: timestampText($0.postDate), id: $0.id).text })
  }

  /// The conditions of the database for filters. `PostFilter.apply` has the same meaning.
  static func filters(of filter: PostFilter) -> [RowFilter] {
    func isTrue(_ column: String) -> RowFilter { .comparison(column: column, isNegated: false, .isTrue) }
    var filters = [
      filter.platform.map { RowFilter.equals("platform", $0.rawValue) },
      filter.schoolId.flatMap { UUID(uuidString: $0) }.map { .equals("school_id", $0.uuidString.lowercased()) },
      filter.sentiment.map { .equals("sentiment", $0.rawValue) },
    ].compactMap(\.self)
    switch filter.kind {
    case .flagged: filters.append(isTrue("flagged_for_review"))
    case .recruiting: filters.append(isTrue("is_recruiting_related"))
    case nil: break
    }
    // Nothing has an invalid ID.
    if let id = filter.schoolId, UUID(uuidString: id) == nil {
      filters.append(.comparison(column: "id", isNegated: false, .isNull))
    }
    let text = filter.search.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? filters : filters + [search(for: text)]
  }

  private static func search(for text: String) -> RowFilter {
    func contains(_ column: String, _ text: some StringProtocol, atStart: Bool = false) -> RowFilter {
      // Escape the text, because some of its characters are wildcards in patterns.
      let pattern = text.map { "\\\($0)" }.joined()
      return .comparison(
        column: column, isNegated: false, .like((atStart ? "" : "%") + pattern + "%", ignoresCase: true))
    }
    // Handles are stored without `@`, with which pages show them.
    let handle =
      text.hasPrefix("@") ? contains("author_handle", text.dropFirst(), atStart: true) : contains("author_handle", text)
    return .any([contains("post_content", text), contains("author_name", text), handle], isNegated: false)
  }

  // MARK: Values

  /// The values of the template `socialpost`.
  /// - Parameters:
  ///   - path: the path of the page, to which the forms return.
  ///   - isCoachPage: whether the page is that of the posts' coach, so that it needs no links to it.
  func values(
    at path: String, _ query: QueryItems, _ schools: [String: String], _ member: FamilyVisitor,
    isCoachPage: Bool = false
  ) -> [[String: Any]] {
    let position: QueryItems = cursor.map { [("before", $0.text)] } ?? []
    let here = member.path(path, query + position)
    return posts.map { Self.values(of: $0, here, schools, member, isCoachPage: isCoachPage) }
  }

  /// Longer posts are folded.
  private static let foldedLength = 280
  private static let foldedLines = 5

  private static func values(
    of post: SocialPost, _ here: String, _ schools: [String: String], _ member: FamilyVisitor, isCoachPage: Bool
  ) -> [String: Any] {
    let age = RelativeTime.text(post.postDate, now: member.now)
    let text = post.postContent
    let lines = text.prefix(2000).split(separator: "\n", maxSplits: foldedLines, omittingEmptySubsequences: false)
    let isLong = !text.dropFirst(foldedLength).isEmpty || lines.count > foldedLines
    let notes = post.notes.flatMap { $0.isEmpty ? nil : $0 }
    let values: [String: Any?] = [
      "post": post.id, "here": "\(here)#post-\(post.id)", "back": here, "platformName": post.platform.rawValue,
      "platformLabel": post.platform.label, "author": post.authorName, "handle": "@\(post.authorHandle)",
      "address": post.postUrl, "age": age, "date": member.zone.label(post.postDate),
      "dateISO": RecruitingDate.format(post.postDate),
      "coachPath": isCoachPage ? nil : post.coachId.map { "/social/coach/\($0)" },
      "spoken": AccessibilityLabels.post(post, now: member.now), "isLong": isLong, "text": text,
      "preview": isLong ? String(lines.prefix(foldedLines).joined(separator: "\n").prefix(foldedLength)) + "…" : nil,
      "sentimentName": post.sentiment?.rawValue, "sentimentLabel": post.sentiment?.labelWithEmoji,
      "isAboutRecruiting": post.isRecruitingRelated,
      "school": isCoachPage ? nil : post.schoolId.flatMap { schools[$0] } ?? RecruitingTexts.unknownSchool,
      "note": notes, "noteText": notes ?? "", "noteWord": notes == nil ? "Add notes" : "Edit notes",
      "flagValue": post.flaggedForReview ? "0" : "1", "flagState": post.flaggedForReview ? "true" : "false",
      "flagSymbol": post.flaggedForReview ? "⚑" : "⚐", "flagWord": post.flaggedForReview ? "Flagged" : "Flag",
      "flagSaid": post.flaggedForReview ? "Flag removed" : "Flagged for review",
      "confirmDelete": RecruitingTexts.confirmPostDeletion,
      "logPath": member.role == .athlete ? member.path("/interactions/add", [("post", post.id)]) : nil,
    ]
    return values.compactMapValues(\.self)
  }
}
#endif
