import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// The pages for families, schools, coaches and imports.
@Suite(.timeLimit(.minutes(10))) struct FamilyPageTests {
  @Test(arguments: ["/social", "/social/analytics", "/interactions", "/coaches", "/schools", "/interactions/add"])
  func visitorsWithoutAFamilyAreRedirected(path: String) async throws {
    try await RecruitingStage.run { stage in
      let signedOut = try await PageBrowser(stage.backend).get(path)
      #expect(signedOut.status == 303 && signedOut.headers["location"]?.hasPrefix("/sign-in?next=") == true)
      let stranger = try await stage.stranger.get(path)
      #expect(stranger.status == 303 && stranger.headers["location"] == "/family")
      #expect(try await stage.stranger.get("/").text.contains("href=\"/social\"") == false)
      #expect(try await stage.parent.get("/").text.contains("href=\"/social\""))
      #expect(try await stage.athlete.get(path).status == 200)
    }
  }

  @Test func anInvitationWorksOnce() async throws {
    try await RecruitingStage.run { stage in
      let code = try await RecruitingStage.invite(stage.parent, role: "parent")
      #expect(try await stage.parent.get("/family").text.contains(code) == false)
      let spoken = code.lowercased().replacing("-", with: " ")
      #expect(try await stage.parent.get("/family").text.contains("id=\"only-parent\""))
      #expect(try await stage.athlete.get("/family").text.contains("id=\"only-parent\"") == false)
      #expect(try await stage.stranger.submit("/family/join", on: "/family", ["code": spoken]).status == 303)
      #expect(try await stage.parent.get("/family").text.contains("id=\"only-parent\"") == false)
      #expect(try await stage.stranger.get("/interactions").status == 200)
      let again = try await stage.stranger.submit("/family/join", on: "/family", ["code": code])
      #expect(again.status == 422 && again.text.contains("id=\"notice\""))
      let page = try await stage.parent.get("/family").text
      #expect(page.contains("id=\"invite\"") && !page.contains("/family/withdraw"))
    }
  }

  @Test func anOpenInvitationIsWithdrawn() async throws {
    try await RecruitingStage.run { stage in
      #expect(try await stage.parent.submit("/family/invite", on: "/family", ["role": "coach"]).status == 403)
      #expect(try await stage.parent.get("/family").text.contains("/family/withdraw") == false)
      let code = try await RecruitingStage.invite(stage.parent, role: "parent")
      #expect(try await stage.parent.submit("/family/withdraw", on: "/family").status == 303)
      #expect(try await stage.stranger.submit("/family/join", on: "/family", ["code": code]).status == 422)
      // An athlete of a family with a parent invites no one.
      #expect(try await stage.athlete.get("/family").text.contains("/family/invite") == false)
    }
  }

  @Test func aRemovedMemberSeesNothing() async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach("John", "Smith")
      #expect(try await stage.athlete.get("/coaches/\(coach)").status == 200)
      let page = try await stage.parent.get("/family").text
      let forms = page.matches(of: /action="\/family\/remove">(.*?)<\/form>/.dotMatchesNewlines())
      let form = try #require(forms.first { $0.output.1.contains("Remove ") })
      let fields = try PageBrowser.fields(
        of: "/family/remove", in: "action=\"/family/remove\">\(form.output.1)</form>")
      #expect(try await stage.parent.post("/family/remove", fields).status == 303)
      #expect(try await stage.athlete.get("/coaches/\(coach)").status == 404)
      #expect(try await stage.athlete.get("/coaches").headers["location"] == "/family")
    }
  }

  @Test func theAddressSelectsOneOfSeveralFamilies() async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach("John", "Smith")
      let created = try await stage.athlete.submit(
        "/family/create", on: "/family", ["name": "Second", "role": "athlete"])
      let second = try #require(created.headers["location"]?.split(separator: "=").last)
      #expect(try await stage.athlete.get("/coaches?family=\(second)").text.contains("John Smith") == false)
      let first = try await stage.athlete.get("/coaches?family=\(stage.family)").text
      #expect(first.contains("John Smith") && first.contains("/coaches/add?family=\(stage.family)"))
      #expect(try await stage.parent.get("/coaches?family=\(second)").status == 404)
      // The page of a row shows its family.
      let page = try await stage.athlete.get("/coaches/\(coach)").text
      #expect(page.contains("name=\"family\"") == false && page.contains("/social?family=\(stage.family)"))
    }
  }

  @Test(arguments: [
    ["first": "", "last": "Smith"], ["first": "J", "last": "Smith", "twitter": "two words"],
    ["first": "J", "last": "Smith", "instagram": "https://example.org/coach"],
    ["first": "J", "last": String(repeating: "x", count: 101)],
  ])
  func aCoachWithInvalidValuesIsNotSaved(fields: [String: String]) async throws {
    try await RecruitingStage.run { stage in
      let reply = try await stage.athlete.submit("/coaches/add", on: "/coaches/add", fields)
      #expect(reply.status == 422 && reply.text.contains("id=\"notice\""))
      // The form keeps what was typed.
      #expect(reply.text.contains("value=\"\(fields["last"] ?? "")\""))
      #expect(try await stage.athlete.get("/coaches").text.contains("id=\"nothing\""))
    }
  }

  @Test func coachesAreEditedAndArchived() async throws {
    try await RecruitingStage.run { stage in
      let school = try await stage.addSchool("Stanford <University>")
      let coach = try await stage.addCoach(
        "John", "Smith", ["school": school, "role": "head_coach", "twitter": "https://x.com/CoachSmith?lang=en"])
      let page = try await stage.parent.get("/coaches/\(coach)").text
      #expect(page.contains("Head Coach") && page.contains("Stanford &lt;University&gt;"))
      #expect(page.contains("href=\"https://twitter.com/CoachSmith\""))
      #expect(try await stage.stranger.get("/coaches/\(coach)").status == 404)
      let edit = "/coaches/\(coach)/edit"
      let fields = ["first": "Jo", "last": "Smith", "role": "", "school": "", "twitter": "", "instagram": ""]
      #expect(try await stage.parent.submit(edit, on: edit, fields).status == 303)
      let edited = try await stage.parent.get("/coaches/\(coach)").text
      #expect(edited.contains("Jo Smith") && !edited.contains("Head Coach") && !edited.contains("twitter.com"))
      #expect(try await stage.parent.submit("/coaches/\(coach)/archive", on: "/coaches").status == 303)
      #expect(try await stage.parent.get("/coaches").text.contains("Jo Smith") == false)
      #expect(try await stage.parent.get("/coaches?archived=1").text.contains("Jo Smith"))
      #expect(try await stage.parent.submit("/coaches/\(coach)/archive", on: "/coaches?archived=1").status == 303)
      #expect(try await stage.parent.get("/coaches").text.contains("Jo Smith"))
    }
  }

  @Test func aFormOfAnotherFamilyChangesNothing() async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach("John", "Smith")
      #expect(
        try await stage.stranger.submit("/family/create", on: "/family", ["name": "E", "role": "parent"]).status == 303)
      let fields = try PageBrowser.fields(of: "/coaches/add", in: try await stage.stranger.get("/coaches/add").text)
      for path in ["/coaches/\(coach)/edit", "/coaches/\(coach)/archive"] {
        let reply = try await stage.stranger.post(
          path, fields.merging(["first": "X", "last": "Y", "on": "1"]) { $1 })
        #expect(reply.status == 404)
      }
      let foreign = fields.merging(["family": stage.family, "first": "X", "last": "Y"]) { $1 }
      #expect(try await stage.stranger.post("/coaches/add", foreign).status == 404)
      let list = try await stage.athlete.get("/coaches").text
      #expect(list.contains("John Smith") && !list.contains("X Y"))
    }
  }

  @Test func anImportShowsWhatItWouldAddAndThenAddsIt() async throws {
    try await RecruitingStage.run { stage in
      _ = try await stage.addCoach("John", "Smith")
      let file = """
        First;Last;College;Twitter\r\nJohn;Smith;;\r\nMaria;Garcia;"State ""U"", West";@mgarcia\r\n;Jones;;\r\n\
        Lee;Park;State "" West;bad handle\r\n
        """.replacing("State \"\" West", with: "West")
      let preview = try await stage.upload("/coaches/import", file: file)
      #expect(preview.status == 200 && preview.text.contains("1 coach would be added"))
      #expect(preview.text.contains("Maria Garcia") && preview.text.contains("<b>Line 4</b>"))
      #expect(try await stage.athlete.get("/coaches").text.contains("Maria Garcia") == false)
      for _ in 0..<2 {
        // The second confirmation finds nothing to add.
        #expect(try await stage.upload("/coaches/import", text: file).status == 303)
        let list = try await stage.athlete.get("/coaches").text
        #expect(list.matches(of: /class="title"[^>]*>Maria Garcia</).count == 1)
        #expect(list.contains("State &quot;U&quot;, West") && list.contains("@mgarcia"))
      }
    }
  }

  @Test(arguments: [
    ("schools", ["name": "Rice"], ["name": "Baylor"]),
    ("coaches", ["first": "John", "last": "Smith"], ["first": "Jo", "last": "Smith"]),
    (
      "interactions", ["type": "email", "direction": "outbound", "subject": "Hello"],
      ["type": "email", "direction": "outbound", "subject": "Goodbye"]
    ),
  ])
  func aFormThatIsSentTwiceAddsOneRow(
    table: String, values: [String: String], others: [String: String]
  ) async throws {
    try await RecruitingStage.run { stage in
      let form = "/\(table)/add"
      let fields = try PageBrowser.fields(of: form, in: try await stage.athlete.get(form).text)
      var pages: Set<String?> = []
      for _ in 1...2 {
        let reply = try await stage.athlete.post(form, fields.merging(values) { $1 })
        #expect(reply.status == 303)
        pages.insert(reply.headers["location"])
      }
      let stored = try await stage.ids(in: table)
      #expect(stored.count == 1 && pages == ["/\(table)/\(stored.first ?? "")"])
      // The browser shows the sent form again if the user goes back.
      let changed = try await stage.athlete.post(form, fields.merging(others) { $1 })
      #expect(changed.status == 422 && changed.text.contains("id=\"notice\""))
      let again = try PageBrowser.fields(of: form, in: changed.text).merging(others) { $1 }
      #expect(try await stage.athlete.post(form, again).status == 303)
      #expect(try await stage.ids(in: table).count == 2)
    }
  }

  @Test func aFamilyAndAnInvitationAreCreatedOnce() async throws {
    try await RecruitingStage.run { stage in
      func postTwice(_ form: String, _ fields: [String: String]) async throws -> [HTTPReply] {
        let page = try await stage.stranger.get("/family").text
        let all = try PageBrowser.fields(of: form, in: page).merging(fields) { $1 }
        let replies = [try await stage.stranger.post(form, all), try await stage.stranger.post(form, all)]
        // The browser shows the sent form again if the user goes back.
        let other = all["name"] == nil ? ["role": "parent"] : ["name": "Other"]
        #expect(try await stage.stranger.post(form, all.merging(other) { $1 }).status == 422)
        return replies
      }
      let created = try await postTwice("/family/create", ["name": "Silva", "role": "parent"])
      #expect(created.map(\.status) == [303, 303])
      #expect(created[0].headers["location"] == created[1].headers["location"])
      let invited = try await postTwice("/family/invite", ["role": "athlete", "days": "7"])
      let code = String(try #require(invited[0].text.firstMatch(of: /id="code">([0-9A-Z-]{14})</)).output.1)
      // The code is stored only as a hash.
      #expect(invited[1].status == 422 && !invited[1].text.contains("id=\"code\""))
      let page = try await stage.stranger.get("/family").text
      #expect(page.matches(of: /action="\/family\/withdraw"/).count == 1)
      #expect(try await stage.athlete.submit("/family/join", on: "/family", ["code": code]).status == 303)
    }
  }

  /// A row that was changed in the meantime differs from the one in the file.
  @Test(arguments: [
    ("schools", "name\nRice\n", ["name": "Baylor"]),
    ("coaches", "first,last,school\nJohn,Smith,Rice\n", ["first": "Jo", "last": "Smith"]),
    (
      "interactions", "type,direction,subject\nemail,outbound,Hello\n",
      ["type": "email", "direction": "outbound", "subject": "Goodbye"]
    ),
  ])
  func aConfirmationThatIsSentTwiceAddsEachRowOnce(
    table: String, file: String, change: [String: String]
  ) async throws {
    try await RecruitingStage.run { stage in
      let preview = try await stage.upload("/\(table)/import", file: file).text
      for _ in 1...2 {
        #expect(try await stage.upload("/\(table)/import", text: file, preview: preview).status == 303)
        let ids = try await stage.ids(in: table)
        try #require(ids.count == 1)
        let form = "/\(table)/\(ids[0])/edit"
        #expect(try await stage.athlete.submit(form, on: form, change).status == 303)
      }
    }
  }

  @Test func namesThatDifferInSpacesAreOneSchool() async throws {
    try await RecruitingStage.run { stage in
      let file = "first,last,school\nJohn,Smith,Rice U\nMaria,Garcia,rice  u\n"
      #expect(try await stage.upload("/coaches/import", text: file).status == 303)
      let list = try await stage.athlete.get("/schools").text
      #expect(list.matches(of: /class="title"/).count == 1, "\(list)")
    }
  }

  @Test(arguments: ["", "name,name\nA,B", "color\nred", "name\n\"open"])
  func aBrokenFileIsExplained(file: String) async throws {
    try await RecruitingStage.run { stage in
      let reply = try await stage.upload("/schools/import", file: file)
      #expect(reply.status == 422 && reply.text.contains("id=\"notice\""))
    }
  }
}
