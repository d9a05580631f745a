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
