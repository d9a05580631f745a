import Recruiting
import Testing

@Suite struct CSVWriterTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a;b", "\"a;b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
    ("=1+1", "'=1+1"),
    ("+1 555", "'+1 555"), ("-2", "'-2"), ("@coach", "'@coach"), ("\t=1", "'\t=1"),
    ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""), ("＝1", "'＝1"),
    ("'=1", "''=1"), ("it's", "it's"), ("'tis", "'tis"), (" =1", "' =1"), ("\r=1", "\"'\r=1\""),
    ("\u{200B}=1", "'\u{200B}=1"), ("\u{FEFF}\u{A0}@x", "'\u{FEFF}\u{A0}@x"), ("\u{202E}-1", "'\u{202E}-1"),
    ("\u{0C}\u{2028}+1", "'\u{0C}\u{2028}+1"), ("' '=1", "'' '=1"), ("\u{200B}a=1", "\u{200B}a=1"), (" a", " a"),
  ]) func formulasAreText(text: String, field: String) {
    #expect(CSVWriter.record([text, "x"]) == field + ",x\r\n")
  }

  @Test(arguments: ["=1", "'=1", "''=1", "\u{200B}=1", "'\u{301}=1", "@coach", "'tis", "''", "it's", "-", "'"])
  func theImportRemovesTheGuard(
    text: String
  ) throws {
    let field = CSV.records(in: CSVWriter.record([text]))[0][0]
    let table = try ImportTableTests.table([["name"], [field]])
    #expect(try table.previewSchools(existing: []).items.map(\.item.name) == [text])
  }

  @Test func exportsHaveOneRowPerItem() throws {
    let zone = Samples.zone("UTC")
    let posts = RecruitingExport.posts(
      [Samples.post(at: Samples.date("2026-02-03T10:00:00Z"), content: "@all\n\"hi\"")], in: zone)
    let records = CSV.records(in: posts)
    #expect(records.count == 2 && records[1].count == records[0].count)
    #expect(records[1][0] == "2026-02-03T10:00:00Z" && records[1][4] == "'@all\n\"hi\"")
    let figures = SocialAnalytics(
      [], range: .week, now: Samples.date("2026-02-03T10:00:00Z"), in: zone, schoolNames: [:])
    #expect(CSV.records(in: RecruitingExport.analytics(figures)).allSatisfy { $0.count == 4 })
  }

  @Test func listsOfAFamilyHaveTheirTimesAndNoFormulas() {
    let zone = Samples.zone("America/New_York")
    let date = Samples.date("2026-02-03T19:15:30Z")
    let families = [FamilyUnit(id: "1", name: "=A1"), FamilyUnit(id: "2", name: "Silva, Lee")]
    #expect(
      CSV.records(in: RecruitingExport.families(families, active: "2")) == [
        ["name", "active", "id"], ["'=A1", "no", "1"], ["Silva, Lee", "yes", "2"],
      ])
    let members = [
      FamilyMember(userId: "u", role: .athlete, displayName: "@ann", username: "ann", createdAt: date),
      FamilyMember(userId: "v", role: .parent, displayName: "Pat"),
    ]
    #expect(
      CSV.records(in: RecruitingExport.members(members, in: zone)).dropFirst() == [
        ["'@ann", "ann", "athlete", "2026-02-03T14:15:30-05:00", "u"], ["Pat", "", "parent", "", "v"],
      ])
    let invite = FamilyInvite(id: "i", role: .parent, expiresAt: date)
    #expect(
      CSV.records(in: RecruitingExport.invites([invite], in: zone)) == [
        ["role", "expires_at", "id"], ["parent", "2026-02-03T14:15:30-05:00", "i"],
      ])
  }

  @Test func noticesNameTheCoach() {
    let date = Samples.date("2026-02-03T19:15:30Z")
    let notices = ["c", "gone", nil].map {
      PostNotice(id: "n", coachId: $0, postCount: 3, recruitingCount: 1, newestPostDate: date)
    }
    let text = RecruitingExport.notices(notices, coaches: ["c": "Bo Diaz"], in: Samples.zone("UTC"))
    let records = CSV.records(in: text)
    #expect(records[0] == ["coach", "posts", "recruiting", "newest_post_date"])
    #expect(records[1] == ["Bo Diaz", "3", "1", "2026-02-03T19:15:30Z"])
    #expect(
      records.dropFirst(2).map(\.first) == [RecruitingTexts.unknownCoach, RecruitingTexts.otherAccounts])
  }

  @Test func anExportedCoachIsADuplicate() throws {
    let coach = Coach(
      id: "c", familyUnitId: "f", schoolId: "s", firstName: "Ann", lastName: "O'Neil", role: "head_coach",
      twitterHandle: "ann")
    let school = School(id: "s", familyUnitId: "f", name: "St. John's, NY")
    let text = RecruitingExport.coaches([coach], schools: ["s": school.name])
    let preview = try ImportTableTests.table(CSV.records(in: text)).previewCoaches(existing: [coach], schools: [school])
    #expect(preview.duplicateLines == [2])
  }
}
