import Foundation
import Recruiting
import TestSupport
import Testing

@Suite struct PostFilterTests {
  private static let posts = [
    Samples.post("1", school: "a", content: "Big OFFER today", recruiting: true, sentiment: .positive),
    Samples.post("2", school: "b", platform: .instagram, author: "Ann Lee", handle: "offerings", flagged: true),
    Samples.post("3", content: "100%_sure", recruiting: true, flagged: true, sentiment: .negative),
  ]

  @Test(arguments: [
    (PostFilter(), ["1", "2", "3"]), (PostFilter(search: "  offer "), ["1", "2"]),
    (PostFilter(search: "   "), ["1", "2", "3"]),
    (PostFilter(search: "ANN"), ["2"]), (PostFilter(search: "@off"), ["2"]), (PostFilter(search: "%_"), ["3"]),
    (PostFilter(search: "zz"), []), (PostFilter(platform: .instagram), ["2"]), (PostFilter(schoolId: "a"), ["1"]),
    (PostFilter(kind: .flagged), ["2", "3"]), (PostFilter(kind: .recruiting), ["1", "3"]),
    (PostFilter(sentiment: .negative), ["3"]),
    (PostFilter(search: "sure", platform: .twitter, kind: .recruiting, sentiment: .negative), ["3"]),
    (PostFilter(search: "sure", platform: .instagram, kind: .recruiting), []),
  ]) func filtersAreCombined(filter: PostFilter, ids: [String]) {
    #expect(filter.apply(to: Self.posts).map(\.id) == ids)
  }

  private static let full = PostFilter(
    search: "camp & more", platform: .twitter, schoolId: "a", kind: .recruiting, sentiment: .veryPositive)

  @Test func anAddressKeepsTheFilters() throws {
    #expect(try PostFilter(query: Self.full.query) == Self.full)
    #expect(Self.full.query.map(\.name) == ["q", "platform", "school", "type", "sentiment"])
    #expect(try PostFilter(query: [("type", "recruiting")]) == PostFilter(kind: .recruiting))
    #expect(try PostFilter(query: [("type", ""), ("page", "2")]) == PostFilter())
    #expect(!PostFilter(search: " ").isActive)
  }

  @Test(arguments: [("platform", "facebook"), ("type", "all"), ("sentiment", "angry")])
  func unknownValuesAreErrors(name: String, value: String) {
    let error = #expect(throws: RecruitingError.self) { try PostFilter(query: [(name, value)]) }
    #expect(error == RecruitingError(.filter, ["name": name, "value": value]))
  }

  @Test(arguments: PostFilter.Part.allCases) func aChipRemovesItsFilter(part: PostFilter.Part) {
    let chips = Self.full.chips(schools: [:])
    #expect(chips.map(\.kind) == PostFilter.Part.allCases)
    let rest = Self.full.removing(part)
    #expect(rest.chips(schools: [:]) == chips.filter { $0.kind != part })
    #expect(rest.query.count == 4)
  }
}
