import GRDB
import Testing

@testable import LocalBackend

/// Pages select their text by the name of the violated constraint.
@Suite(.timeLimit(.minutes(10))) struct ConstraintNameTests {
  @Test(
    arguments: [
      ("username", "a b", "23514", "profiles_username_check"), ("username", "PAM", "23505", "profiles_username_lower"),
      ("display_name", "", "23514", "profiles_display_name_check"),
    ])
  func failureContainsTheConstraint(column: String, text: String, code: String, constraint: String) throws {
    try RecruitingFixture.run { fixture in
      let failure = #expect(throws: PostgRESTFailure.self) {
        try fixture.write { db in
          _ = try RowWriter(db: db, caller: .service, now: fixture.clock.now)
            .update(fixture.ann.databaseValue, set: [column: text.databaseValue], in: SocialTables.profiles)
        }
      }
      #expect(failure?.code == code && failure?.constraint == constraint)
    }
  }
}
