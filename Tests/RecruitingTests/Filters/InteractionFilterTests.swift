import Foundation
import Recruiting
import Testing

@Suite struct InteractionFilterTests {
  private static let now = Samples.date("2026-03-10T16:00:00Z")
  private static let zone = Samples.zone("America/New_York")
  // Daylight time begins on March 8, so seven days back is 11:00 in standard time: 16:00 UTC becomes 17:00 UTC.
  private static let interactions = [
    Samples.interaction("old", subject: "Visit", at: now - 30 * 86_400, by: "dan"),
    Samples.interaction("edge", type: .camp, direction: .inbound, at: Samples.date("2026-03-03T17:00:00Z")),
    Samples.interaction(
      "before", content: "VISIT plan", sentiment: .positive, at: Samples.date("2026-03-03T16:59:59Z")),
    Samples.interaction("b", created: now), Samples.interaction("a", at: now),
    Samples.interaction("planned", at: now + 86_400),
  ]

  @Test(arguments: [
    (InteractionFilter(), ["planned", "a", "b", "edge", "before", "old"]),
    (InteractionFilter(search: " visit "), ["before", "old"]),
    (InteractionFilter(search: " "), ["planned", "a", "b", "edge", "before", "old"]),
    (InteractionFilter(type: .camp), ["edge"]),
    (InteractionFilter(direction: .inbound), ["edge"]), (InteractionFilter(sentiment: .positive), ["before"]),
    (InteractionFilter(period: .week), ["planned", "a", "b", "edge"]),
    (InteractionFilter(period: .twoWeeks), ["planned", "a", "b", "edge", "before"]),
    (InteractionFilter(period: .quarter), ["planned", "a", "b", "edge", "before", "old"]),
    (InteractionFilter(loggedBy: "dan"), ["old"]), (InteractionFilter(search: "visit", period: .week), []),
  ]) func filtersAreCombined(filter: InteractionFilter, ids: [String]) {
    #expect(filter.apply(to: Self.interactions, now: Self.now, in: Self.zone).map(\.id) == ids)
    #expect(filter.apply(to: Self.interactions.reversed(), now: Self.now, in: Self.zone).map(\.id) == ids)
  }

  @Test func figuresCountTheFilteredList() {
    let all = InteractionFigures(Self.interactions, now: Self.now, in: Self.zone)
    #expect(all == InteractionFigures(total: 6, outbound: 5, inbound: 1, thisWeek: 4))
    let filtered = InteractionFilter(search: "visit").apply(to: Self.interactions, now: Self.now, in: Self.zone)
    let few = InteractionFigures(filtered, now: Self.now, in: Self.zone)
    #expect(few == InteractionFigures(total: 2, outbound: 2, inbound: 0, thisWeek: 0))
  }

  private static let full = InteractionFilter(
    search: "x", type: .directMessage, direction: .inbound, sentiment: .neutral, period: .month, loggedBy: "dan")

  @Test func anAddressKeepsTheFilters() throws {
    #expect(try InteractionFilter(query: Self.full.query) == Self.full)
    #expect(Self.full.query.map(\.name) == ["q", "type", "direction", "sentiment", "days", "by"])
  }

  @Test(arguments: [("type", "letter"), ("direction", "up"), ("sentiment", "x"), ("days", "8"), ("days", "week")])
  func unknownValuesAreErrors(name: String, value: String) {
    let error = #expect(throws: RecruitingError.self) { try InteractionFilter(query: [(name, value)]) }
    #expect(error?.id == .filter)
  }

  @Test(arguments: InteractionFilter.Part.allCases) func aChipRemovesItsFilter(part: InteractionFilter.Part) {
    let chips = Self.full.chips(people: ["dan": "Dan"], me: "me")
    #expect(chips.map(\.kind) == InteractionFilter.Part.allCases)
    #expect(Self.full.removing(part).chips(people: ["dan": "Dan"], me: "me") == chips.filter { $0.kind != part })
  }

  @Test func theViewerIsMe() {
    let filter = InteractionFilter(loggedBy: "dan")
    let labels = ["dan", "me"].map { filter.chips(people: ["dan": "Dan"], me: $0).map(\.label) }
    #expect(labels[0] != labels[1])
    #expect(labels[1].first?.contains("Dan") == true)
  }
}
