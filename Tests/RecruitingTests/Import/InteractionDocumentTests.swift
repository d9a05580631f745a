import ClipModel
import Foundation
import Testing

@testable import Recruiting

/// The printed list of interactions: its facts, figures, columns and rows.
@Suite struct InteractionDocumentTests {
  private static let members = [
    FamilyMember(userId: "pat", role: .parent, displayName: "Pat"),
    FamilyMember(userId: "ann", role: .athlete, displayName: "Ann"),
    FamilyMember(userId: "bea", role: .athlete, displayName: "Bea"),
  ]
  private static let now = Samples.date("2026-02-04T12:00:00Z")
  private static let all = [
    Interaction(
      id: "1", type: .phoneCall, direction: .inbound, schoolId: "s", coachId: "gone", subject: " ",
      content: " two\nlines\n", sentiment: .positive, occurredAt: Samples.date("2026-02-03T19:15:00Z"), loggedBy: "ann",
      attachments: ["a", "b"], createdAt: now),
    Samples.interaction("2", subject: "Hello", at: Samples.date("2026-01-01T00:00:00Z"), by: "left"),
  ]

  private static func document(
    _ viewer: String, _ interactions: [Interaction] = all, _ filter: InteractionFilter = .init()
  ) -> TableDocument {
    RecruitingExport.document(
      of: interactions, filter, family: FamilyUnit(id: "f", name: "Silva"), members: members, viewer: viewer,
      schools: ["s": "Rice"], coaches: [:], now: now, in: Samples.zone("America/New_York"))
  }

  @Test func rowsHaveTheValuesOfThePage() {
    let document = Self.document("pat")
    #expect(document.columns.count == 10 && document.rows.allSatisfy { $0.count == 10 })
    #expect(
      document.rows[0] == [
        "Feb 3, 2026, 2:15 PM", "Phone Call", "Inbound", "Phone Call", "two\nlines", "Rice", "Unknown Coach",
        "Positive", "2", "Ann",
      ])
    #expect(document.rows[1].last == "Former Member" && document.rows[1][8].isEmpty)
    #expect(document.figures.map(\.value) == ["2", "1", "1", "1"])
    #expect(document.title.contains("Silva") && document.createdAt == "2026-02-04T12:00:00Z")
    #expect(document.facts.contains(.init("Time zone", "America/New_York")))
    #expect(document.facts.contains(.init("Athletes", "Ann, Bea")))
  }

  /// The list of an athlete doesn't show who logged an interaction.
  @Test func anAthletesDocumentNamesNoOtherMember() {
    let document = Self.document("ann", [Self.all[0]])
    #expect(document.rows.allSatisfy { $0.count == 9 } && document.columns.count == 9)
    #expect(document.facts.contains(.init("Athlete", "Ann")))
    let texts = document.facts.map(\.value) + document.rows.flatMap(\.self)
    #expect(!texts.contains { $0.contains("Pat") || $0.contains("Bea") })
    // An account that is not a member any more.
    #expect(Self.document("eve").columns.count == 9 && !Self.document("eve").facts.contains { $0.value == "Ann" })
  }

  @Test func filtersAreNamed() {
    let filter = InteractionFilter(search: "camp", type: .email, period: .month, loggedBy: "bea")
    let facts = Self.document("pat", [], filter).facts
    #expect(facts.contains(.init("Athlete", "Bea")))
    let filters = facts.first { $0.label == "Filters" }?.value ?? ""
    #expect(["camp", "Email", "Last 30 days", "Bea"].allSatisfy { filters.contains($0) })
    #expect(Self.document("pat", [], filter).emptyText == RecruitingTexts.noMatchingInteractions.title)
    #expect(Self.document("pat", []).emptyText == RecruitingTexts.noInteractions.title)
    let own = InteractionFilter(loggedBy: "pat")
    #expect(Self.document("pat", [], own).facts.contains(.init("Filters", "Logged by: Pat")))
  }
}
