/// The filters of the list of posts. All must match.
public struct PostFilter: Equatable, Sendable {
  /// Subsets of the posts.
  public enum Kind: String, Sendable, CaseIterable {
    /// Posts that are flagged for review.
    case flagged
    /// Posts about recruiting.
    case recruiting

    /// The label in the list of kinds, and of the chip.
    public var label: String {
      switch self {
      case .flagged: "Flagged Only"
      case .recruiting: "Recruiting Only"
      }
    }
  }

  /// The filter that a chip removes.
  public enum Part: Sendable, CaseIterable {
    case search, platform, school, kind, sentiment
  }

  /// Searched in the content, the author's name and the handle with `@`, without case.
  public var search = ""
  /// `nil` for both platforms.
  public var platform: SocialPlatform?
  /// The ID of a school. `nil` for all posts, also those without a school.
  public var schoolId: String?
  /// `nil` for all posts.
  public var kind: Kind?
  /// `nil` for all, also posts that were not analyzed.
  public var sentiment: PostSentiment?

  /// Without arguments, all posts match.
  public init(
    search: String = "", platform: SocialPlatform? = nil, schoolId: String? = nil, kind: Kind? = nil,
    sentiment: PostSentiment? = nil
  ) {
    self.search = search
    self.platform = platform
    self.schoolId = schoolId
    self.kind = kind
    self.sentiment = sentiment
  }

  /// Reads the filters of an address: `/social?type=recruiting`.
  public init(query items: QueryItems) throws(RecruitingError) {
    let query = FilterQuery(items)
    self.init(
      search: query.text("q") ?? "", platform: try query.value("platform", as: SocialPlatform.self),
      schoolId: query.text("school"), kind: try query.value("type", as: Kind.self),
      sentiment: try query.value("sentiment", as: PostSentiment.self))
  }

  /// The filters as the query of an address, in a fixed order.
  public var query: QueryItems {
    FilterQuery.items([
      ("q", search.trimmed), ("platform", platform?.rawValue), ("school", schoolId), ("type", kind?.rawValue),
      ("sentiment", sentiment?.rawValue),
    ])
  }

  /// Whether any filter is set.
  public var isActive: Bool { !query.isEmpty }

  /// The posts that match, in their order.
  public func apply(to posts: [SocialPost]) -> [SocialPost] {
    let text = TextSearch(search)
    return posts.filter { post in
      (platform == nil || post.platform == platform)
        && (schoolId == nil || post.schoolId == schoolId)
        && (sentiment == nil || post.sentiment == sentiment)
        && (kind != .flagged || post.flaggedForReview)
        && (kind != .recruiting || post.isRecruitingRelated)
        && text?.matches(post.postContent, post.authorName, "@" + post.authorHandle) != false
    }
  }

  /// - Parameter schools: the names of the schools by ID.
  public func chips(schools: [String: String]) -> [FilterChip<Part>] {
    var chips: [FilterChip<Part>] = []
    if let text = TextSearch(search) { chips.append(FilterChip(.search, text.label)) }
    if let platform { chips.append(FilterChip(.platform, platform.label)) }
    if let schoolId { chips.append(FilterChip(.school, schools[schoolId] ?? RecruitingTexts.unknownSchool)) }
    if let kind { chips.append(FilterChip(.kind, kind.label)) }
    if let sentiment { chips.append(FilterChip(.sentiment, sentiment.labelWithEmoji)) }
    return chips
  }

  /// The filters without one of them.
  public func removing(_ part: Part) -> PostFilter {
    var filter = self
    switch part {
    case .search: filter.search = ""
    case .platform: filter.platform = nil
    case .school: filter.schoolId = nil
    case .kind: filter.kind = nil
    case .sentiment: filter.sentiment = nil
    }
    return filter
  }
}
