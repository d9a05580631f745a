import Foundation
import GRDB
import Testing

@testable import LocalBackend

/// The IDs of deleted interactions. Scenarios can't wait for a day.
@Suite(.timeLimit(.minutes(10))) struct InteractionIDTests {
  @Test func theIDOfADeletedInteractionIsFreeAfterADay() throws {
    try RecruitingFixture.run { fixture in
      let id = RecruitingFixture.newID().databaseValue
      func log(_ db: Database) throws {
        let writer = RowWriter(db: db, caller: .user(fixture.ann), now: fixture.clock.now)
        try writer.insert(
          [
            "id": id, "family_unit_id": fixture.family.databaseValue, "type": "email".databaseValue,
            "direction": "inbound".databaseValue,
          ], into: InteractionTables.interactions)
      }
      func forget(_ db: Database) throws { try InteractionTables.forgetUsedIDs(in: db, now: fixture.clock.now) }
      #expect(try fixture.code(of: log) == nil)
      try fixture.write { db in try db.execute(sql: "DELETE FROM interactions") }
      try fixture.write(forget)
      #expect(try fixture.code(of: log) == "42501")
      fixture.clock.advance(86_401)
      try fixture.write(forget)
      #expect(try fixture.code(of: log) == nil)
    }
  }
}
