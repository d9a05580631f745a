import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// The pages for interactions: roles, filters, figures, forms and the export.
@Suite(.timeLimit(.minutes(10))) struct InteractionPageTests {
  @Test func onlyTheAthleteLogsAndDeletes() async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach("John", "Smith")
      let id = try await stage.log(["coach": coach, "subject": "Visit <soon>", "content": "Hello\r\nCoach"])
      #expect(try await stage.parent.get("/interactions/add").status == 403)
      let own = try await stage.athlete.get("/interactions").text
      #expect(own.contains("<h1>My Interactions</h1>") && own.contains("id=\"privacy\"") && !own.contains("filter-by"))
      let list = try await stage.parent.get("/interactions").text
      #expect(list.contains("<h1>Interactions</h1>") && !list.contains("id=\"privacy\"") && list.contains("filter-by"))
      #expect(list.contains("Visit &lt;soon&gt;") && list.contains("John Smith"))
      let detail = try await stage.parent.get("/interactions/\(id)").text
      #expect(detail.contains("Visit &lt;soon&gt;") && !detail.contains("/interactions/\(id)/delete"))
      #expect(try await stage.parent.get("/interactions/\(id)/edit").status == 404)
      #expect(try await stage.stranger.get("/interactions/\(id)").status == 404)
      #expect(try await stage.parent.get("/coaches/\(coach)").text.contains("Last contact: "))
      let form = "/interactions/\(id)/delete"
      let token = try PageBrowser.fields(of: "/family/create", in: try await stage.parent.get("/family").text)
      #expect(try await stage.parent.post(form, token).status == 404)
      #expect(try await stage.athlete.submit(form, on: "/interactions/\(id)").status == 303)
      #expect(try await stage.athlete.get("/interactions/\(id)").status == 404)
      #expect(try await stage.parent.get("/coaches/\(coach)").text.contains("No contact yet"))
    }
  }

  /// Sends the form of an interaction that attaches or removes a picture.
  private static func send(
    _ form: String, _ browser: PageBrowser, _ fields: [String: String], _ file: [UInt8]?
  ) async throws -> HTTPReply {
    let own = try PageBrowser.fields(of: "/family/create", in: try await browser.get("/family").text)
    var body: [UInt8] = []
    for (name, value) in own.merging(fields, uniquingKeysWith: { $1 }) {
      body += Array("--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }
    if let file {
      let head =
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: image/jpeg\r\n\r\n"
      body += Array(head.utf8) + file + Array("\r\n".utf8)
    }
    return try await browser.post(
      form, body: body + Array("--x--\r\n".utf8), type: "multipart/form-data; boundary=x")
  }

  /// Lists attachments of an interaction without storing them.
  private static func list(_ attachments: [String], in id: String, _ stage: RecruitingStage) async throws {
    let list = String(decoding: try JSONEncoder().encode(["attachments": attachments]), as: UTF8.self)
    let reply = try await stage.backend.send(
      "PATCH", "/rest/v1/interactions?id=eq.\(id)",
      headers: AuthRoutesTests.bearer(stage.backend.server.address.ownerToken), body: Array(list.utf8))
    try #require(reply.status == 204, "\(reply.text)")
  }

  @Test func aListedPictureWithoutItsFileIsRemoved() async throws {
    try await RecruitingStage.run { stage in
      let id = try await stage.log(["subject": "Letter"])
      try await Self.list(["attachments/\(id)/gone.jpg"], in: id, stage)
      let page = "/interactions/\(id)"
      #expect(try await stage.athlete.get(page).text.contains("\(page)/files/gone.jpg"))
      let remove = ["remove": "gone.jpg"]
      #expect(try await Self.send(page + "/files", stage.parent, remove, nil).status == 303)
      #expect(try await stage.athlete.get(page).text.contains("\(page)/files/gone.jpg"))
      #expect(try await Self.send(page + "/files", stage.athlete, remove, nil).status == 303)
      #expect(try await stage.athlete.get(page).text.contains("gone.jpg") == false)
    }
  }

  @Test func aPictureThatCannotBeListedIsNotStored() async throws {
    try await RecruitingStage.run { stage in
      let id = try await stage.log(["subject": "Letter"])
      try await Self.list((0..<20).map { "https://example.org/\($0)" }, in: id, stage)
      let reply = try await Self.send("/interactions/\(id)/files", stage.athlete, [:], AvatarTests.picture)
      #expect(reply.status == 422 && reply.text.contains("id=\"notice\""))
      let store = try ServerStore(path: stage.backend.folder + "/backend.sqlite")
      let count = try await store.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM attachments") }
      try store.database.close()
      #expect(count == 0)
    }
  }

  /// The family's parents see the pictures. The athlete who logged the interaction attaches and removes them.
  @Test func picturesAreAttachedAndRemoved() async throws {
    try await RecruitingStage.run { stage in
      let id = try await stage.log(["subject": "Letter"])
      let (page, form) = ("/interactions/\(id)", "/interactions/\(id)/files")
      func send(_ browser: PageBrowser, _ fields: [String: String], _ file: [UInt8]?) async throws -> HTTPReply {
        try await Self.send(form, browser, fields, file)
      }
      #expect(try await send(stage.athlete, [:], AvatarTests.picture).status == 303)
      let picture = try #require(
        try await stage.parent.get(page).text.firstMatch(of: /img src="(\/interactions\/[^"]+)"/)
      ).output.1
      for browser in [stage.athlete, stage.parent] {
        let reply = try await browser.get(String(picture))
        #expect(reply.status == 200 && reply.headers["content-type"] == "image/jpeg")
        #expect(reply.headers["cache-control"] == "no-store" && reply.body.count == AvatarTests.picture.count - 10)
      }
      #expect(try await stage.stranger.get(String(picture)).status == 404)
      #expect(try await send(stage.parent, [:], AvatarTests.picture).status == 422)
      #expect(try await send(stage.stranger, [:], AvatarTests.picture).status == 404)
      #expect(try await send(stage.athlete, [:], Array("<svg/>".utf8)).status == 422)
      let name = String(picture.split(separator: "/").last ?? "")
      #expect(try await send(stage.parent, ["remove": name], nil).status == 303)
      #expect(try await stage.parent.get(String(picture)).status == 200)
      #expect(try await send(stage.athlete, ["remove": name], nil).status == 303)
      #expect(try await stage.parent.get(String(picture)).status == 404)
      #expect(try await stage.parent.get(page).text.contains("<img src=\"/interactions") == false)
    }
  }

  @Test func filtersAndFiguresAgree() async throws {
    try await RecruitingStage.run { stage in
      let entries = [
        ["type": "email", "direction": "outbound", "subject": "First camp", "sentiment": "positive"],
        ["type": "phone_call", "direction": "inbound", "subject": "Call back"],
        ["type": "email", "direction": "inbound", "content": "The CAMP is full", "occurred": "2020-02-03T14:15"],
      ]
      for entry in entries { _ = try await stage.log(entry) }
      for (query, found, thisWeek) in [
        ("", 3, 2), ("?type=email", 2, 1), ("?direction=inbound", 2, 1), ("?q=camp", 2, 1), ("?days=7", 2, 2),
        ("?sentiment=positive", 1, 1), ("?type=email&direction=inbound&q=camp", 1, 0), ("?q=%25", 0, 0),
      ] {
        let page = try await stage.parent.get("/interactions" + query).text
        #expect(page.matches(of: /class="card entry"/).count == found, "\(query)")
        #expect(page.contains(">Total: \(found)<") && page.contains(">This Week: \(thisWeek)<"), "\(query)")
        #expect(page.contains("id=\"nothing\"") == (found == 0), "\(query)")
        #expect(page.contains("class=\"chips\"") == !query.isEmpty, "\(query)")
      }
      let chips = try await stage.parent.get("/interactions?type=email&q=camp").text
      #expect(chips.contains("href=\"/interactions?q=camp\"") && chips.contains("href=\"/interactions?type=email\""))
      #expect(try await stage.parent.get("/interactions?type=letter").status == 400)
      let table = try await stage.parent.get("/interactions/export.csv?type=phone_call")
      #expect(table.headers["content-type"] == "text/csv; charset=utf-8" && table.text.contains("Call back"))
      #expect(table.text.split(separator: "\r\n").count == 2)
    }
  }

  /// The cookie has the browser's time zone, which decides how times are shown and read.
  @Test(arguments: [("America/New_York", "Feb 3, 2026, 2:15 PM"), ("Asia/Tokyo", "Feb 3, 2026, 2:15 PM")])
  func timesAreInTheVisitorsZone(zone: String, label: String) async throws {
    try await RecruitingStage.run { stage in
      let cookie = [
        "Cookie": (stage.athlete.cookies.map { "\($0)=\($1)" } + ["bsc_zone=\(zone)"]).joined(separator: "; ")
      ]
      let page = try await stage.athlete.get("/interactions/add", headers: cookie).text
      #expect(page.contains("In \(zone)."))
      var fields = try PageBrowser.fields(of: "/interactions/add", in: page)
      fields.merge(["type": "email", "direction": "outbound", "occurred": "2026-02-03T14:15"]) { $1 }
      let reply = try await stage.athlete.post("/interactions/add", fields, headers: cookie)
      let path = try #require(reply.headers["location"])
      #expect(try await stage.athlete.get(path, headers: cookie).text.contains(label))
      let utc = try await stage.athlete.get(path, headers: cookie).text
      #expect(utc.contains(zone == "Asia/Tokyo" ? "2026-02-03T05:15:00" : "2026-02-03T19:15:00"))
    }
  }

  @Test(arguments: [
    ["type": "", "direction": "outbound"], ["type": "letter", "direction": "outbound"],
    ["type": "email", "direction": "outbound", "occurred": "2026-02-30T10:00"],
    ["type": "email", "direction": "outbound", "coach": "00000000-0000-4000-8000-000000000000"],
    ["type": "email", "direction": "outbound", "subject": String(repeating: "x", count: 301)],
  ])
  func invalidInteractionsAreNotLogged(fields: [String: String]) async throws {
    try await RecruitingStage.run { stage in
      let reply = try await stage.athlete.submit("/interactions/add", on: "/interactions/add", fields)
      #expect(reply.status == 422 && reply.text.contains("id=\"notice\""))
      #expect(try await stage.athlete.get("/interactions").text.contains("id=\"nothing\""))
    }
  }

  /// A form encodes each of these characters with twelve bytes.
  @Test func theLongestContentIsLogged() async throws {
    try await RecruitingStage.run { stage in
      let content = String(repeating: "🏐", count: 10_000)
      let id = try await stage.log(["content": content])
      #expect(try await stage.parent.get("/interactions/\(id)").text.contains(content))
      let fields = ["type": "email", "direction": "outbound", "content": content + "x"]
      #expect(try await stage.athlete.submit("/interactions/add", on: "/interactions/add", fields).status == 422)
    }
  }

  @Test func anEditKeepsTheSecondsOfAnUnchangedTime() async throws {
    try await RecruitingStage.run { stage in
      let id = UUID().uuidString.lowercased()
      let row = """
        {"id": "\(id)", "family_unit_id": "\(stage.family)", "type": "email", "direction": "outbound",
         "occurred_at": "2026-02-03T14:15:42+00:00", "subject": "Old"}
        """
      let inserted = try await stage.backend.send(
        "POST", "/rest/v1/interactions", headers: AuthRoutesTests.bearer(stage.backend.server.address.ownerToken),
        body: Array(row.utf8))
      try #require(inserted.status == 201, "\(inserted.text)")
      let edit = "/interactions/\(id)/edit"
      let page = try await stage.athlete.get(edit).text
      let field = try #require(page.firstMatch(of: /name="occurred" type="datetime-local" value="([^"]+)"/))
      let reply = try await stage.athlete.submit(
        edit, on: edit,
        ["type": "email", "direction": "outbound", "subject": "New", "occurred": String(field.output.1)])
      #expect(reply.status == 303)
      let detail = try await stage.athlete.get("/interactions/\(id)").text
      #expect(detail.contains("New") && detail.contains("2026-02-03T14:15:42"))
    }
  }
}
