import Foundation
import GRDB
import Testing

@testable import LocalBackend

/// Links at the limits of time, and links of private videos.
@Suite(.timeLimit(.minutes(10))) struct HighlightLinkTests {
  @Test func aLinkExpiresToTheSecond() throws {
    try RecruitingFixture.run { fixture in
      let token = RecruitingFixture.newID()
      _ = try fixture.write { db in try fixture.linkRequest(token: token).send(in: db, now: fixture.clock.now) }
      fixture.clock.advance(3599)
      #expect(try Self.open(token, fixture) == nil)
      fixture.clock.advance(1)
      #expect(try Self.open(token, fixture) == "PT410")
      #expect(try fixture.count("SELECT open_count FROM highlight_shares") == 1)
    }
  }

  /// A leap year and a daylight change don't move the limit.
  @Test(arguments: [(-60.0, nil as String?), (60, "23514")])
  func aLinkIsValidForAtMostAYear(_ difference: Double, code: String?) throws {
    try RecruitingFixture.run { fixture in
      let now = fixture.clock.now
      let year = try #require(Calendar(identifier: .gregorian).date(byAdding: .year, value: 1, to: now))
      let request = fixture.linkRequest(validFor: year.timeIntervalSince(now) + difference)
      #expect(try fixture.code { db in _ = try request.send(in: db, now: now) } == code)
      #expect(try fixture.count("SELECT count(*) FROM interactions") == (code == nil ? 1 : 0))
    }
  }

  /// A request that is sent again after a lost response, also much later, changes nothing.
  @Test func aRepeatedRequestFindsTheFirstLink() throws {
    try RecruitingFixture.run { fixture in
      let request = fixture.linkRequest()
      for _ in 1...3 {
        let id = try fixture.write { db in try request.send(in: db, now: fixture.clock.now) }
        #expect(id == request.id)
        fixture.clock.advance(86_400)
      }
      #expect(try fixture.count("SELECT count(*) FROM interactions") == 1)
      #expect(try fixture.count("SELECT count(*) FROM highlight_shares") == 1)
      let same = "SELECT count(*) FROM coaches JOIN interactions WHERE last_contact_date = display_at"
      #expect(try fixture.count(same) == 1)
    }
  }

  /// A failure in the middle leaves neither a link nor an interaction.
  @Test func sendingIsOneTransaction() throws {
    try RecruitingFixture.run { fixture in
      try fixture.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER fail BEFORE INSERT ON highlight_shares BEGIN SELECT RAISE(ABORT, 'x'); END;
            """)
      }
      #expect(throws: (any Error).self) {
        try fixture.write { db in _ = try fixture.linkRequest().send(in: db, now: fixture.clock.now) }
      }
      #expect(try fixture.count("SELECT count(*) FROM interactions") == 0)
      #expect(try fixture.count("SELECT count(last_contact_date) FROM coaches") == 0)
    }
  }

  @Test func theSenderLosesTheLinksByLeaving() throws {
    try RecruitingFixture.run { fixture in
      let token = RecruitingFixture.newID()
      _ = try fixture.write { db in try fixture.linkRequest(token: token).send(in: db, now: fixture.clock.now) }
      try fixture.write { db in
        try db.execute(sql: "DELETE FROM family_members WHERE user_id = ?", arguments: [fixture.ann])
      }
      #expect(try Self.open(token, fixture) == "PT410")
    }
  }

  private static func open(_ token: String, _ fixture: RecruitingFixture) throws -> String? {
    try fixture.code { db in _ = try OpenedLink.open(token, in: db, now: fixture.clock.now) }
  }
}
