import Foundation
import Recruiting
import Testing

@Suite struct ImportTableTests {
  static func table(_ lines: [[String]]) throws -> ImportTable {
    try ImportTable(lines.enumerated().map { ImportTable.Row(line: $0.offset + 1, fields: $0.element) })
  }

  @Test func aTableNeedsAHeader() {
    let error = #expect(throws: RecruitingError.self) { try Self.table([]) }
    #expect(error?.id == .importEmpty)
  }

  @Test func missingColumnsAreFacts() throws {
    let table = try Self.table([["first name", "Role"], ["Ann", "x"]])
    let error = #expect(throws: RecruitingError.self) { try table.previewCoaches(existing: [], schools: []) }
    #expect(
      error == RecruitingError(.importColumns, ["columns": "first_name, last_name", "found": "first_name, role"]))
  }

  @Test(arguments: [["Name", "name"], ["Twitter", "X handle"]]) func repeatedColumnsAreErrors(header: [String]) {
    let error = #expect(throws: RecruitingError.self) { try Self.table([header]) }
    #expect(error?.id == .importColumnTwice)
  }

  @Test func tablesAreLimited() throws {
    let rows = Array(repeating: ["x"], count: ImportTable.rowLimit)
    #expect(
      try Self.table([["name"]] + rows).previewSchools(existing: []).duplicateLines.count == ImportTable.rowLimit - 1)
    let error = #expect(throws: RecruitingError.self) { try Self.table([["name"]] + rows + [["y"]]) }
    #expect(error?.id == .importRows)
  }
}

@Suite struct SchoolAndCoachImportTests {
  private static let schools = [
    School(id: "s1", familyUnitId: "f", name: "Stanford University"), School(id: "s2", familyUnitId: "f", name: "Rice"),
  ]

  @Test func schoolsAreSorted() throws {
    let table = try ImportTableTests.table([
      ["School", "Twitter", "Instagram"], ["Baylor", "@BaylorVB", "https://instagram.com/baylor.vb/"],
      ["  stanford   UNIVERSITY "], ["baylor", "", ""],
      ["", "@x", ""], ["Ohio", "not a handle", ""], ["", ""], ["Duke", "", "", "more"],
      [String(repeating: "x", count: 201)],
    ])
    let preview = try table.previewSchools(existing: Self.schools)
    #expect(preview.items.map(\.line) == [2])
    #expect(
      preview.items[0].item.twitterHandle?.name == "BaylorVB"
        && preview.items[0].item.instagramHandle?.name == "baylor.vb")
    #expect(preview.duplicateLines == [3, 4])
    #expect(
      preview.problems == [
        ImportProblem(line: 5, reason: .missing(column: "school")),
        ImportProblem(
          line: 6,
          reason: .refused(
            column: "twitter_handle",
            RecruitingError(.handleCharacter, ["platform": "twitter", "handle": "not a handle", "character": " "]))),
        ImportProblem(line: 8, reason: .tooManyFields(4, 3)),
        ImportProblem(line: 9, reason: .tooLong(column: "school", limit: 200)),
      ])
  }

  @Test func coachesAreSorted() throws {
    let existing = [Coach(id: "c1", familyUnitId: "f", schoolId: "s1", firstName: "John", lastName: "Smith")]
    let table = try ImportTableTests.table([
      ["Coach Name", "College", "Title"], ["John Smith", "Stanford University", "Head Coach"],
      ["john  SMITH", "stanford university"], ["John Smith", "Rice"],
      ["Mary Ann Lee", "Baylor", "head_coach"], ["Mary Ann Lee", "baylor"], ["Cher", "Rice"], ["", "Rice"], ["Ann Ray"],
    ])
    let preview = try table.previewCoaches(existing: existing, schools: Self.schools)
    #expect(preview.duplicateLines == [2, 3, 6])
    #expect(preview.items.map(\.line) == [4, 5, 9])
    #expect(preview.items.map(\.item.schoolId) == ["s2", nil, nil])
    #expect(preview.items.map(\.item.newSchool) == [nil, "Baylor", nil])
    #expect(preview.items[1].item.firstName == "Mary Ann" && preview.items[1].item.lastName == "Lee")
    #expect(
      preview.problems == [
        ImportProblem(line: 7, reason: .invalid(column: "name", value: "Cher")),
        ImportProblem(line: 8, reason: .missing(column: "name")),
      ])
  }
}

@Suite struct InteractionImportTests {
  private static let zone = Samples.zone("America/New_York")
  private static let schools = [School(id: "s1", familyUnitId: "f", name: "Stanford")]
  private static let coaches = [
    Coach(id: "c1", familyUnitId: "f", schoolId: "s1", firstName: "John", lastName: "Smith"),
    Coach(id: "c2", familyUnitId: "f", firstName: "Ann", lastName: "Lee"),
    Coach(id: "c3", familyUnitId: "f", firstName: "ann", lastName: "lee"),
  ]

  private func preview(_ lines: [[String]], existing: [Interaction] = []) throws -> ImportPreview<ImportedInteraction> {
    try ImportTableTests.table([["Type", "Direction", "Date", "Coach", "School", "Subject", "Sentiment"]] + lines)
      .previewInteractions(existing: existing, coaches: Self.coaches, schools: Self.schools, in: Self.zone)
  }

  @Test func valuesAndLabelsAreRead() throws {
    let items = try preview([
      ["Phone Call", "inbound", "2026-02-03 14:15", "john smith", "", "Hi", "Very Positive"],
      ["dm", "OUTBOUND", "", "", "stanford", "", "negative"],
    ]).items.map(\.item)
    #expect(items.map(\.type) == [.phoneCall, .directMessage])
    #expect(items.map(\.direction) == [.inbound, .outbound])
    #expect(items.map(\.sentiment) == [.veryPositive, .negative])
    #expect(items.map(\.coachId) == ["c1", nil] && items.map(\.schoolId) == ["s1", "s1"])
    #expect(items.map(\.occurredAt) == [Samples.date("2026-02-03T19:15:00Z"), nil])
  }

  @Test(arguments: [
    (["letter", "inbound"], ImportProblem.Reason.invalid(column: "type", value: "letter")),
    (["", "inbound"], .missing(column: "type")),
    (["email"], .missing(column: "direction")), (["email", "up"], .invalid(column: "direction", value: "up")),
    (["email", "inbound", "soon"], .invalid(column: "occurred_at", value: "soon")),
    (["email", "inbound", "", "Bob"], .unknown(column: "coach", value: "Bob")),
    (["email", "inbound", "", "Ann Lee"], .ambiguous(column: "coach", value: "Ann Lee")),
    (["email", "inbound", "", "", "Rice"], .unknown(column: "school", value: "Rice")),
    (["email", "inbound", "", "", "", String(repeating: "x", count: 301)], .tooLong(column: "subject", limit: 300)),
  ]) func problemsHaveAReason(fields: [String], reason: ImportProblem.Reason) throws {
    #expect(try preview([fields]).problems == [ImportProblem(line: 2, reason: reason)])
  }

  @Test(arguments: [
    ("2026-02-03", "2026-02-03T05:00:00Z"), ("2/3/2026", "2026-02-03T05:00:00Z"),
    ("2/3/2026 2:15 PM", "2026-02-03T19:15:00Z"),
    ("7/4/2026 12:00 am", "2026-07-04T04:00:00Z"), ("2026-07-04 23:59:59", "2026-07-05T03:59:00Z"),
    ("Feb 3, 2026, 2:15 PM", "2026-02-03T19:15:00Z"),
    ("2026-02-03T14:15:00Z", "2026-02-03T14:15:00Z"), ("feb 3 2026", "2026-02-03T05:00:00Z"),
  ]) func datesAreInTheZone(text: String, date: String) throws {
    #expect(try preview([["email", "inbound", text]]).items.first?.item.occurredAt == Samples.date(date))
  }

  @Test(arguments: [
    "2026-02-30", "13/1/2026", "2/3/26 25:00", "2/3/2026 13:00 PM", "2026-02", "tomorrow", "2/3/2026 2", "Foo 3, 2026",
    "2026-02-03 14:75",
  ])
  func otherDatesAreProblems(text: String) throws {
    #expect(
      try preview([["email", "inbound", text]]).problems.map(\.reason) == [.invalid(column: "occurred_at", value: text)]
    )
  }

  /// Two short calls in a minute can have the same subject.
  @Test func onlyEqualRowsAreDuplicates() throws {
    let header = ["Type", "Direction", "Date", "Subject", "Content", "Sentiment"]
    func row(_ content: String, _ sentiment: String) -> [String] {
      ["email", "inbound", "2026-02-03 14:15", "Hi", content, sentiment]
    }
    let existing = [
      Interaction(
        id: "1", type: .email, direction: .inbound, subject: "Hi", content: " one\r\ntwo", sentiment: .positive,
        occurredAt: Samples.date("2026-02-03T19:15:30Z"), loggedBy: "me",
        createdAt: Samples.date("2026-02-03T19:15:30Z"))
    ]
    func duplicates(_ lines: [[String]]) throws -> [Int] {
      try ImportTableTests.table(lines).previewInteractions(
        existing: existing, coaches: Self.coaches, schools: Self.schools, in: Self.zone
      ).duplicateLines
    }
    #expect(
      try duplicates([
        header, row("one\ntwo", "positive"), row("other", "positive"), row("one\ntwo", "negative"), row("", "positive"),
        row("other", "positive"),
      ]) == [2, 6])
    // The columns that the file doesn't have are not compared.
    #expect(try duplicates([Array(header.prefix(4)), Array(row("", "").prefix(4))]) == [2])
  }

  /// An export has a time for each interaction, also for one without a date.
  @Test(arguments: ["2026-11-01T05:30:25Z", nil]) func anExportIsADuplicate(date: String?) throws {
    let existing = [
      Interaction(
        id: "1", type: .inPersonVisit, direction: .inbound, schoolId: "s1", coachId: "c1", subject: "=SUM(A1), \"x\"",
        content: "a\nb", sentiment: .neutral,
        occurredAt: date.map(Samples.date), loggedBy: "me", createdAt: Samples.date("2026-11-02T06:40:50Z"))
    ]
    let text = RecruitingExport.interactions(
      existing, schools: ["s1": "Stanford"], coaches: ["c1": "John Smith"], people: ["me": "Me"], in: Self.zone)
    let records = CSV.records(in: text)
    let preview = try ImportTableTests.table(records).previewInteractions(
      existing: existing, coaches: Self.coaches, schools: Self.schools, in: Self.zone)
    #expect(preview.duplicateLines == [2] && preview.items.isEmpty && preview.problems.isEmpty)
    let fresh = try ImportTableTests.table(records).previewInteractions(
      existing: [], coaches: Self.coaches, schools: Self.schools, in: Self.zone)
    #expect(
      fresh.items.first?.item.subject == existing[0].subject && fresh.items.first?.item.content == existing[0].content)
  }

  /// The hour that a daylight change repeats has two offsets, and an import in another zone reads the same times.
  @Test(arguments: [
    ("2026-11-01T05:30:25Z", "2026-11-01T01:30:25-04:00"), ("2026-11-01T06:30:25Z", "2026-11-01T01:30:25-05:00"),
    ("2026-07-04T04:00:00Z", "2026-07-04T00:00:00-04:00"),
  ]) func exportedTimesHaveTheirOffset(date: String, text: String) throws {
    let entry = Samples.interaction(at: Samples.date(date))
    let csv = RecruitingExport.interactions([entry], schools: [:], coaches: [:], people: [:], in: Self.zone)
    let records = CSV.records(in: csv)
    #expect(records[1][0] == text)
    for zone in [Self.zone, Samples.zone("Asia/Kathmandu")] {
      let table = try ImportTableTests.table(records)
      let fresh = try table.previewInteractions(existing: [], coaches: [], schools: [], in: zone)
      #expect(fresh.items.map(\.item.occurredAt) == [entry.occurredAt])
      let again = try table.previewInteractions(existing: [entry], coaches: [], schools: [], in: zone)
      #expect(again.duplicateLines == [2])
    }
  }

  @Test(arguments: [
    ("UTC", "2026-02-03T19:15:30Z"), ("Asia/Kathmandu", "2026-02-04T01:00:30+05:45"),
    ("America/St_Johns", "2026-02-03T15:45:30-03:30"),
  ]) func offsetsHaveHoursAndMinutes(zone: String, text: String) {
    let entry = Samples.interaction(at: Samples.date("2026-02-03T19:15:30.900Z"))
    let csv = RecruitingExport.interactions(
      [entry], schools: [:], coaches: [:], people: [:], in: Samples.zone(zone))
    #expect(CSV.records(in: csv)[1][0] == text)
  }

  /// Earlier versions exported times without an offset, in the time zone of the user.
  @Test func anExportOfEarlierVersionsIsADuplicate() throws {
    let entry = Samples.interaction(subject: "Hi", at: Samples.date("2026-02-03T19:15:30Z"))
    let table = try ImportTableTests.table([
      ["occurred_at", "type", "direction", "subject"], ["2026-02-03 14:15", "Email", "Outbound", "Hi"],
    ])
    let again = try table.previewInteractions(existing: [entry], coaches: [], schools: [], in: Self.zone)
    #expect(again.duplicateLines == [2])
    let fresh = try table.previewInteractions(existing: [], coaches: [], schools: [], in: Self.zone)
    #expect(fresh.items.map(\.item.occurredAt) == [Samples.date("2026-02-03T19:15:00Z")])
  }
}

@Suite struct PostImportTests {
  @Test func postsAreClassified() throws {
    let table = try ImportTableTests.table([
      ["url", "text", "post date", "handle", "language"],
      ["https://x.com/Coach/status/1", "Great visit! We made an offer.", "2026-02-03T10:00:00Z"],
      ["https://twitter.com/coach/status/1?s=1", "again", "2026-02-03"],
      ["https://instagram.com/p/ABC", "Un gran equipo, love", "2026-02-03", "@coach", "es"],
      ["https://instagram.com/p/DEF", "text", "2026-02-03"], ["https://evil.com/1", "text", "2026-02-03"],
      ["https://x.com/a/status/2", "", "2026-02-03"],
      ["https://x.com/a/status/3", "text", ""], ["https://x.com/b/status/4", "text", "2026-02-03"],
    ])
    let preview = try table.previewPosts(
      existing: [try PostAddress("https://x.com/earlier_name/status/4")], in: Samples.zone("UTC"))
    #expect(preview.items.map(\.line) == [2, 4])
    #expect(preview.items.map(\.item.isRecruitingRelated) == [true, false])
    #expect(preview.items.map(\.item.sentiment) == [.veryPositive, nil])
    #expect(preview.items.map(\.item.author.name) == ["coach", "coach"])
    #expect(preview.duplicateLines == [3, 9])
    #expect(
      preview.problems.map(\.reason) == [
        .missing(column: "author_handle"),
        .refused(
          column: "post_url", RecruitingError(.postAddress, ["platform": "instagram", "address": "https://evil.com/1"])),
        .missing(column: "post_content"), .missing(column: "post_date"),
      ])
  }

  @Test func anExportKeepsTheTimes() throws {
    let (date, address) = (Samples.date("2026-11-01T06:30:25Z"), "https://twitter.com/coach/status/1")
    let post = SocialPost(
      id: "p", schoolId: nil, platform: .twitter, postUrl: address, postContent: "text", postDate: date,
      authorHandle: "coach", authorName: "Coach", isRecruitingRelated: false, flaggedForReview: false, sentiment: nil)
    let csv = RecruitingExport.posts([post], in: Samples.zone("America/New_York"))
    let preview = try ImportTableTests.table(CSV.records(in: csv)).previewPosts(
      existing: [], in: Samples.zone("Asia/Tokyo"))
    #expect(preview.items.map(\.item.date) == [date] && preview.problems.isEmpty)
  }
}

/// Limits count what the database counts.
@Suite struct ImportedTextTests {
  private static let header = ["post_url", "post_content", "post_date", "author_name"]

  @Test func textsOfPostsHaveCodePoints() throws {
    let table = try ImportTableTests.table([
      Self.header,
      ["https://x.com/a/status/1", "x", "2026-02-03", String(repeating: "e\u{301}", count: 100)],
      ["https://x.com/a/status/2", "x", "2026-02-03", String(repeating: "e\u{301}", count: 101)],
      ["https://x.com/a/status/3", String(repeating: "👨‍👩‍👧‍👦", count: 14_285), "2026-02-03", ""],
      ["https://x.com/a/status/4", String(repeating: "👨‍👩‍👧‍👦", count: 14_286), "2026-02-03", ""],
    ])
    let preview = try table.previewPosts(existing: [], in: Samples.zone("UTC"))
    #expect(preview.items.map(\.line) == [2, 4])
    #expect(
      preview.problems.map(\.reason) == [
        .tooLong(column: "author_name", limit: 200), .tooLong(column: "post_content", limit: 100_000),
      ])
  }

  /// A character with hundreds of accents counts as several ones.
  @Test(arguments: [(300, 0, true), (301, 0, false), (1, 4799, true), (1, 4800, false)])
  func otherTextsHaveCharacters(count: Int, accents: Int, isStored: Bool) throws {
    let subject = String(repeating: "x", count: count) + String(repeating: "\u{301}", count: accents)
    let table = try ImportTableTests.table([["type", "direction", "subject"], ["email", "inbound", subject]])
    let preview = try table.previewInteractions(existing: [], coaches: [], schools: [], in: Samples.zone("UTC"))
    #expect(preview.items.count == (isStored ? 1 : 0))
  }

  /// PostgreSQL can't store NUL, and would reject all posts of the request.
  @Test func nulCharactersAreReplaced() throws {
    let table = try ImportTableTests.table([
      Self.header, ["https://x.com/a/status/1", "a\0b", "2026-02-03", "A\0"],
    ])
    let item = try #require(try table.previewPosts(existing: [], in: Samples.zone("UTC")).items.first?.item)
    #expect(item.content == "a\u{FFFD}b" && item.authorName == "A\u{FFFD}")
  }
}

/// A reader for what the export writes, which is all quoted by the same rules.
enum CSV {
  static func records(in text: String) -> [[String]] {
    var records: [[String]] = [[""]]
    var isQuoted = false
    for character in text.unicodeScalars {
      switch character {
      case "\"":
        isQuoted.toggle()
        // A doubled quote inside of quotes opens again.
        if isQuoted, records[records.count - 1].last?.isEmpty == false { append("\"", &records) }
      case "," where !isQuoted: records[records.count - 1].append("")
      case "\r" where !isQuoted: break
      case "\n" where !isQuoted: records.append([""])
      default: append(character, &records)
      }
    }
    return records.dropLast()
  }

  private static func append(_ character: Unicode.Scalar, _ records: inout [[String]]) {
    records[records.count - 1][records[records.count - 1].count - 1].unicodeScalars.append(character)
  }
}
