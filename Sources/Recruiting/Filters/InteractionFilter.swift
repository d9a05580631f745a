public import Foundation

/// The filters of the list of interactions. All must match.
public struct InteractionFilter: Equatable, Sendable {
  /// The last days, back from now.
  public enum Period: Int, Sendable, CaseIterable {
    case week = 7
    case twoWeeks = 14
    case month = 30
    case quarter = 90

    /// The label in the list of periods: `Last 7 days`.
    public var label: String { "Last \(rawValue) days" }
  }

  /// The filter that a chip removes.
  public enum Part: Sendable, CaseIterable {
    case search, type, direction, sentiment, period, loggedBy
  }

  /// Searched in the subject and the content, without case.
  public var search = ""
  /// `nil` for all types.
  public var type: InteractionType?
  /// `nil` for both directions.
  public var direction: InteractionDirection?
  /// `nil` for all, also interactions without a sentiment.
  public var sentiment: PostSentiment?
  /// `nil` for all times.
  public var period: Period?
  /// The user ID of a member. Parents only.
  public var loggedBy: String?

  /// Without arguments, all interactions match.
  public init(
    search: String = "", type: InteractionType? = nil, direction: InteractionDirection? = nil,
    sentiment: PostSentiment? = nil, period: Period? = nil, loggedBy: String? = nil
  ) {
    self.search = search
    self.type = type
    self.direction = direction
    self.sentiment = sentiment
    self.period = period
    self.loggedBy = loggedBy
  }

  /// Reads the filters of an address: `/interactions?type=email&days=30`.
  public init(query items: QueryItems) throws(RecruitingError) {
    let query = FilterQuery(items)
    self.init(
      search: query.text("q") ?? "", type: try query.value("type", as: InteractionType.self),
      direction: try query.value("direction", as: InteractionDirection.self),
      sentiment: try query.value("sentiment", as: PostSentiment.self),
      period: try query.number("days", as: Period.self), loggedBy: query.text("by"))
  }

  /// The filters as the query of an address, in a fixed order.
  public var query: QueryItems {
    FilterQuery.items([
      ("q", search.trimmed), ("type", type?.rawValue), ("direction", direction?.rawValue),
      ("sentiment", sentiment?.rawValue), ("days", period.map { "\($0.rawValue)" }), ("by", loggedBy),
    ])
  }

  /// Whether any filter is set.
  public var isActive: Bool { !query.isEmpty }

  /// The interactions that match, the newest first.
  public func apply(to interactions: [Interaction], now: Date, in zone: RecruitingTimeZone) -> [Interaction] {
    let text = TextSearch(search)
    let cutoff = period.map { zone.days($0.rawValue, before: now) }
    return interactions.filter { interaction in
      (type == nil || interaction.type == type)
        && (direction == nil || interaction.direction == direction)
        && (sentiment == nil || interaction.sentiment == sentiment)
        && (loggedBy == nil || interaction.loggedBy == loggedBy)
        && cutoff.map { interaction.displayDate >= $0 } != false
        && text?.matches(interaction.subject, interaction.content) != false
    }.sorted(by: Interaction.isNewer)
  }

  /// - Parameters:
  ///   - people: the names of the members by user ID.
  ///   - me: the user ID of the viewer.
  public func chips(people: [String: String], me: String) -> [FilterChip<Part>] {
    var chips: [FilterChip<Part>] = []
    if let text = TextSearch(search) { chips.append(FilterChip(.search, text.label)) }
    if let type { chips.append(FilterChip(.type, type.label)) }
    if let direction { chips.append(FilterChip(.direction, direction.label)) }
    if let sentiment { chips.append(FilterChip(.sentiment, sentiment.label)) }
    if let period { chips.append(FilterChip(.period, period.label)) }
    if let loggedBy {
      let name = loggedBy == me ? "Me" : people[loggedBy] ?? RecruitingTexts.unknownMember
      chips.append(FilterChip(.loggedBy, "Logged by: \(name)"))
    }
    return chips
  }

  /// The filters without one of them.
  public func removing(_ part: Part) -> InteractionFilter {
    var filter = self
    switch part {
    case .search: filter.search = ""
    case .type: filter.type = nil
    case .direction: filter.direction = nil
    case .sentiment: filter.sentiment = nil
    case .period: filter.period = nil
    case .loggedBy: filter.loggedBy = nil
    }
    return filter
  }
}
