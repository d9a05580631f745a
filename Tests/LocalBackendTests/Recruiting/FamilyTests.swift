import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// The parts of families that scenarios can't reach: time, codes, and deleted accounts.
@Suite(.timeLimit(.minutes(10))) struct FamilyTests {
  @Test func codesAreReadableAndNormalized() {
    let codes = (0..<100).map { _ in InvitationCode.make() }
    #expect(codes.allSatisfy { $0.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{12}/) != nil })
    #expect(Set(codes).count == codes.count)
    #expect(InvitationCode.hash("0O1I-l23 abc") == InvitationCode.hash("0011123ABC"))
    #expect(
      InvitationCode.sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [
    ("7 days", 604_800.0), ("1 day", 86_400), ("1 day 12 hours", 129_600), ("02:30:00", 9000), ("1 minute", 60),
    ("2 Weeks", 1_209_600), ("0", 0), ("90", 90), ("-1 day", -86_400), ("1.5 hours", 5400),
  ])
  func intervals(_ text: String, seconds: Double) throws {
    let found = try IntervalText.seconds(text)
    #expect(found == seconds)
  }

  @Test(arguments: ["soon", "1 x", "days", "1 2 days", "nan days", "inf"])
  func otherTextIsNotAnInterval(_ text: String) {
    #expect(throws: PostgRESTFailure.self) { _ = try IntervalText.seconds(text) }
  }

  /// An invitation of an earlier version keeps its code, and the code ends with it.
  @Test func earlierInvitationsKeepTheirCodes() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE profiles (id TEXT PRIMARY KEY NOT NULL)")
      try FamilyTables.create(db)
      try db.execute(
        sql: """
          INSERT INTO profiles VALUES ('pam');
          INSERT INTO family_units VALUES ('home', 'Home', '');
          INSERT INTO family_invites VALUES ('invite', 'hash', 'home', 'parent', 'pam', '', '', NULL);
          """)
      try FamilyTables.moveCodes(db)
      let codes = "SELECT code_hash FROM family_invite_codes AS c JOIN family_invites AS i ON i.id = c.invite_id"
      #expect(try String.fetchAll(db, sql: codes) == ["hash"])
      try db.execute(sql: "DELETE FROM family_units")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM family_invite_codes") == 0)
    }
  }

  @Test func aCodeExpiresAndAWithdrawnMemberDoesNotInvite() throws {
    try RecruitingFixture.run { fixture in
      let family = fixture.family.databaseValue
      let invitation = try fixture.write { db in
        try fixture.families(fixture.pam, db).invite(to: family, as: "parent".databaseValue, validFor: 3600)
      }
      fixture.clock.advance(3600)
      #expect(try fixture.code { db in _ = try fixture.families(fixture.eve, db).accept(invitation.code) } == "PT410")
      let next = try fixture.write { db in
        try fixture.families(fixture.pam, db).invite(to: family, as: "parent".databaseValue, validFor: 3600)
      }
      fixture.clock.advance(3599)
      try fixture.write { db in try db.execute(sql: "DELETE FROM auth_users WHERE id = ?", arguments: [fixture.pam]) }
      #expect(try fixture.code { db in _ = try fixture.families(fixture.eve, db).accept(next.code) } == "PT404")
      #expect(try fixture.count("SELECT count(*) FROM family_members") == 1)
    }
  }

  /// The last deleted account deletes the family with everything in it.
  @Test func aFamilyEndsWithItsLastMember() throws {
    try RecruitingFixture.run { fixture in
      _ = try fixture.write { db in try fixture.linkRequest().send(in: db, now: fixture.clock.now) }
      for user in [fixture.ann, fixture.pam] {
        #expect(try fixture.count("SELECT count(*) FROM family_units") == 1)
        try fixture.write { db in try db.execute(sql: "DELETE FROM auth_users WHERE id = ?", arguments: [user]) }
      }
      for table in ["family_units", "family_members", "coaches", "interactions", "highlight_shares"] {
        #expect(try fixture.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
      }
    }
  }

  /// Two people use a code at the same time, over HTTP.
  @Test func aCodeWorksOnceForTwoPeopleAtOnce() async throws {
    try await TestBackend.run { backend in
      let tokens = try await [0, 1, 2].asyncMap { try await Self.signUp("person\($0)", backend) }
      let family: String = try await Self.call("create_family", #"{"name":"home"}"#, tokens[0], backend).json()
      struct Invitation: Decodable { let code: String }
      let created: [Invitation] = try await Self.call(
        "create_family_invite", #"{"family":"\#(family)","role":"athlete"}"#, tokens[0], backend
      ).json()
      let code = try #require(created.first).code
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for token in tokens.dropFirst() {
          group.addTask {
            try await Self.call("accept_family_invite", #"{"code":"\#(code)"}"#, token, backend).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200, 410])
    }
  }

  static func signUp(_ name: String, _ backend: TestBackend) async throws -> String {
    struct Session: Decodable {
      let accessToken: String
      enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }
    let body = #"{"email":"\#(name)@example.org","password":"a long password"}"#
    let session: Session = try await backend.send("POST", "/auth/v1/signup", body: Array(body.utf8)).json()
    return session.accessToken
  }

  static func call(_ name: String, _ body: String, _ token: String, _ backend: TestBackend) async throws -> HTTPReply {
    try await backend.send(
      "POST", "/rest/v1/rpc/\(name)",
      headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: Array(body.utf8))
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
