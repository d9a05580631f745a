import Foundation
import Recruiting
import TestSupport
import Testing

@testable import LocalBackend

/// The cards of the list of interactions, and what parents and athletes see of them.
@Suite(.timeLimit(.minutes(10))) struct InteractionCardTests {
  /// The cards by the ID of their interaction.
  private static func cards(_ page: String) -> [String: String] {
    let cards = page.components(separatedBy: "<li class=\"card entry\"").dropFirst().compactMap { text in
      text.firstMatch(of: /href="\/interactions\/([0-9a-f-]{36})"/).map { (String($0.output.1), text) }
    }
    return Dictionary(cards) { $1 }
  }

  @Test func aCardShowsTypePeopleAndContent() async throws {
    try await RecruitingStage.run { stage in
      let school = try await stage.addSchool("Stanford")
      let coach = try await stage.addCoach("John", "Smith", ["school": school])
      var types: [String: InteractionType] = [:]
      for type in InteractionType.allCases {
        let id = try await stage.log([
          "type": type.rawValue, "direction": "inbound", "coach": coach, "school": school, "sentiment": "very_positive",
          "content": "Line one",
        ])
        types[id] = type
      }
      let found = Self.cards(try await stage.parent.get("/interactions").text)
      #expect(found.count == InteractionType.allCases.count)
      for (id, type) in types {
        let card = try #require(found[id], "\(type)")
        #expect(card.contains("<span class=\"type type-\(type.rawValue)\" aria-hidden=\"true\">"), "\(type)")
        #expect(card.contains("height=\"22\"><path d="), "\(type) has no icon")
        #expect(card.contains(">\(type.label)</span>") && card.contains("class=\"badge inbound\""), "\(type)")
        #expect(card.contains("class=\"badge very_positive\">\(PostSentiment.veryPositive.label)<"), "\(type)")
        #expect(card.contains(">Stanford • John Smith<") && card.contains("dir=\"auto\">Line one<"), "\(type)")
      }
      let paths = found.values.compactMap { $0.firstMatch(of: /<svg.*?<\/svg>/)?.output }
      #expect(Set(paths).count == InteractionType.allCases.count)
    }
  }

  /// Without a subject, the card shows the type. Lines without a value are left out.
  @Test func aCardWithoutValuesLeavesLinesOut() async throws {
    try await RecruitingStage.run { stage in
      let id = try await stage.log([:])
      let card = try #require(Self.cards(try await stage.parent.get("/interactions").text)[id])
      #expect(card.contains("<p class=\"subject\" aria-hidden=\"true\" dir=\"auto\">\(InteractionType.email.label)<"))
      #expect(!card.contains("<p class=\"quiet\" aria-hidden=\"true\"") && !card.contains("class=\"content\""))
      #expect(!card.contains("📎") && !card.contains("very_positive"))
      let coach = try await stage.addCoach("John", "Smith")
      let named = try await stage.log(["coach": coach])
      #expect(Self.cards(try await stage.parent.get("/interactions").text)[named]?.contains(">John Smith<") == true)
    }
  }

  @Test(arguments: [(1, "1 file"), (2, "2 files")]) func aCardCountsAttachments(count: Int, text: String) async throws {
    try await RecruitingStage.run { stage in
      let id = UUID().uuidString.lowercased()
      let files = (1...count).map { "\"letter-\($0).jpg\"" }.joined(separator: ",")
      let row = """
        {"id": "\(id)", "family_unit_id": "\(stage.family)", "type": "email", "direction": "outbound",
         "attachments": [\(files)]}
        """
      let inserted = try await stage.backend.send(
        "POST", "/rest/v1/interactions", headers: AuthRoutesTests.bearer(stage.backend.server.address.ownerToken),
        body: Array(row.utf8))
      try #require(inserted.status == 201, "\(inserted.text)")
      let card = try #require(Self.cards(try await stage.athlete.get("/interactions").text)[id])
      #expect(card.contains("📎</span> \(text)<"), "\(card)")
    }
  }

  @Test func onlyAthletesHaveALinkToLog() async throws {
    try await RecruitingStage.run { (stage: RecruitingStage) async throws in
      let link = "href=\"/interactions/add\">Log Interaction</a>"
      #expect(try await stage.athlete.get("/interactions").text.contains(link))
      #expect(try await !stage.parent.get("/interactions").text.contains(link))
    }
  }

  /// A parent switches from one athlete to the other. Each address shows what the athlete has logged until then.
  @Test func aParentSwitchesBetweenAthletes() async throws {
    try await RecruitingStage.run { stage in
      let code = try await RecruitingStage.invite(stage.parent, role: "athlete")
      #expect(try await stage.stranger.submit("/family/join", on: "/family", ["code": code]).status == 303)
      let first = try await stage.log(["subject": "Of the first"])
      let fields = ["type": "email", "direction": "outbound", "subject": "Of the second"]
      let added = try await stage.stranger.submit("/interactions/add", on: "/interactions/add", fields)
      let second = try #require(added.headers["location"]?.split(separator: "/").last.map(String.init))

      let page = try await stage.parent.get("/interactions").text
      #expect(Set(Self.cards(page).keys) == [first, second])
      let select = try #require(page.firstMatch(of: /<select id="filter-by".*?<\/select>/)).output
      let members = select.matches(of: /<option value="([0-9a-f-]{36})"/).map { String($0.output.1) }
      // The parent, and the athletes.
      #expect(members.count == 3)
      var logged: [[String]] = []
      for member in members {
        logged.append(Self.cards(try await stage.parent.get("/interactions?by=\(member)").text).keys.sorted())
      }
      #expect(logged.filter(\.isEmpty).count == 1 && Set(logged.joined()) == [first, second])

      let athlete = try #require(zip(members, logged).first { $1 == [first] }?.0)
      let new = try await stage.log(["subject": "Later"])
      #expect(Set(Self.cards(try await stage.parent.get("/interactions?by=\(athlete)").text).keys) == [first, new])
      // The filter has no effect for athletes, who see their own.
      for query in ["", "?by=\(athlete)"] {
        #expect(Set(Self.cards(try await stage.stranger.get("/interactions" + query).text).keys) == [second])
      }
    }
  }
}
