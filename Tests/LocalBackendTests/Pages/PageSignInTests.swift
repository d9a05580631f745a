import ClipModel
import Foundation
import Testing

@testable import LocalBackend

/// Signing in on the pages, as a user and as the owner.
@Suite(.timeLimit(.minutes(10))) struct PageSignInTests {
  private static let password = "correct horse"

  @Test func signsInAndOut() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      let browser = PageBrowser(backend)
      let stranger = try await browser.get(page).text
      #expect(stranger.contains("Sign in and send"))
      for (email, password) in [("ann@example.org", "wrong horse"), ("bob@example.org", Self.password), ("", "")] {
        let refused = try await browser.signIn(email, password)
        #expect(refused.status == 401 && refused.text.contains("Wrong email or password"))
        #expect(!refused.text.contains("horse"))
      }
      let reply = try await browser.submit(
        "/sign-in", on: "/sign-in?next=\(LocalPath.percentEncoded(page))",
        ["email": "ann@example.org", "password": Self.password])
      #expect(reply.status == 303 && reply.headers["location"] == page)
      let rule = try #require(browser.cookieRules.last)
      #expect(rule.contains("HttpOnly") && rule.contains("SameSite=Strict") && rule.contains("Path=/"))
      #expect(try await browser.get(page).text.contains("Sign out"))
      // Only the owner may see the uploads.
      #expect(try await browser.get("/uploads").status != 200)
      let before = browser.cookies
      #expect(try await browser.submit("/sign-out", on: "/").status == 303)
      #expect(try await browser.get(page).text.contains("Sign in and send"))
      // The old cookie is invalid.
      let old = before.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      #expect(try await backend.send("GET", page, headers: ["Cookie": old]).text.contains("Sign in and send"))
    }
  }

  /// A visitor reacts first, and signs in then.
  @Test(arguments: ["like", "comments", "follow"])
  func theReactionIsPerformedAfterTheSignIn(_ kind: String) async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      let page = kind == "follow" ? "/u/local" : "/h/\(highlight.id.uuidString.lowercased())"
      let (action, text) = ("\(page)/\(kind)", "Nice <dig>\r\n\"排球\"")
      let shown = [
        "like": #"aria-pressed="true" aria-label="Like, 1 like""#, "follow": "<b>1</b> follower</a>",
        "comments": "Nice &lt;dig&gt;\n&quot;排球&quot;</p>",
      ]
      let browser = PageBrowser(backend)
      var form = try await browser.submit(action, on: page, kind == "comments" ? ["text": text] : [:])
      #expect(form.status == 200 && form.text.contains(#"id="prompt""#))
      #expect(try await !browser.get(page).text.contains(try #require(shown[kind])))
      // A wrong password keeps the reaction.
      for password in ["wrong horse", Self.password] {
        let fields = try PageBrowser.fields(of: "/sign-in", in: form.text)
        form = try await browser.post(
          "/sign-in", fields.merging(["email": "ann@example.org", "password": password]) { $1 })
      }
      #expect(form.status == 303 && form.headers["location"] == page + (kind == "comments" ? "#comments" : ""))
      #expect(try await browser.get(page).text.contains(try #require(shown[kind])))
    }
  }

  // MARK: New accounts

  /// The date of birth of a person some days before a birthday.
  private static func born(before age: Int, days: Int = 1) throws -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let birthday = try #require(calendar.date(byAdding: .day, value: days, to: Date()))
    let date = try #require(calendar.date(byAdding: .year, value: -age, to: birthday))
    return String(date.formatted(.iso8601).prefix(10))
  }

  private static func person(_ fields: [String: String] = [:]) throws -> [String: String] {
    let born = try born(before: 20)
    return ["name": "Ann", "email": "Ann@example.org", "password": password, "born": born].merging(fields) { $1 }
  }

  @Test func aVisitorCreatesAnAccount() async throws {
    try await TestBackend.run { backend in
      let browser = PageBrowser(backend)
      let reply = try await browser.submit("/sign-up", on: "/sign-up?next=/settings", Self.person())
      #expect(reply.status == 303 && reply.headers["location"] == "/settings")
      let settings = try await browser.get("/settings").text
      #expect(settings.contains(#"value="Ann""#) && settings.contains(#"value="public" selected"#))
      // The date of birth is set.
      let again = ["born": try Self.born(before: 30)]
      #expect(try await browser.submit("/settings/birth-date", on: "/settings", again).status == 422)
      #expect(try await PageBrowser(backend).signIn("ann@example.org", Self.password).status == 303)
    }
  }

  @Test(arguments: [
    ["password": "short"], ["password": String(repeating: "x", count: 80)], ["email": "ann"],
    ["email": "bob@example.org"],
    ["email": "BOB@example.org"], ["name": " "],
    ["born": ""], ["born": "2008-02-30"], ["born": "2999-01-01"], ["born": "1850-01-01"], ["young": "13"],
  ])
  func anInvalidAccountIsNotCreated(_ change: [String: String]) async throws {
    try await TestBackend.run { backend in
      _ = try await AuthRoutesTests.signUp(backend, "bob@example.org", password: Self.password)
      let browser = PageBrowser(backend)
      var fields = try Self.person(change)
      if let age = change["young"].flatMap({ Int($0) }) { fields["born"] = try Self.born(before: age) }
      let reply = try await browser.submit("/sign-up", on: "/sign-up", fields)
      #expect(reply.status == 422 && reply.text.contains(#"id="notice""#), "\(change)")
      // The form keeps the values, without the password.
      #expect(
        reply.text.contains(#"value="\#(fields["email"] ?? "")""#) && !reply.text.contains(fields["password"] ?? ""))
      #expect(try await browser.get("/settings").status == 401)
      #expect(try await browser.signIn("ann@example.org", Self.password).status == 401)
    }
  }

  @Test func aYoungPersonIsProtected() async throws {
    try await TestBackend.run { backend in
      let browser = PageBrowser(backend)
      let fields = try Self.person(["born": try Self.born(before: 18)])
      #expect(try await browser.submit("/sign-up", on: "/sign-up", fields).status == 303)
      #expect(try await browser.get("/settings").text.contains(#"value="followers_only" selected"#))
    }
  }

  @Test func aPersonOfTheMinimumAgeCreatesAnAccount() async throws {
    try await TestBackend.run { backend in
      let fields = try Self.person(["born": try Self.born(before: 13, days: 0)])
      #expect(try await PageBrowser(backend).submit("/sign-up", on: "/sign-up", fields).status == 303)
    }
  }

  /// The account exists, and the visitor learns that the reaction does not.
  @Test func aRefusedReactionIsReportedAfterTheSignUp() async throws {
    try await TestBackend.run { backend in
      let browser = PageBrowser(backend)
      let fields = try Self.person(["then": "like", "target": UUID().uuidString])
      let reply = try await browser.submit("/sign-up", on: "/sign-up", fields)
      #expect(reply.text.contains(#"id="notice""#) && !reply.text.contains(#"name="then""#))
      #expect(try await browser.signIn("ann@example.org", Self.password).status == 303)
    }
  }

  @Test func theReactionIsPerformedAfterTheSignUp() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      // Before the first account, a visitor is the owner.
      _ = try await AuthRoutesTests.signUp(backend, "bob@example.org", password: Self.password)
      let browser = PageBrowser(backend)
      let signIn = try await browser.submit("\(page)/like", on: page)
      let form = try await browser.post("/sign-up", PageBrowser.fields(of: "/sign-up", in: signIn.text))
      #expect(form.status == 200)
      let fields = try PageBrowser.fields(of: "/sign-up", in: form.text).merging(Self.person()) { $1 }
      let reply = try await browser.post("/sign-up", fields)
      #expect(reply.status == 303 && reply.headers["location"] == page)
      #expect(try await browser.get(page).text.contains(#"aria-pressed="true" aria-label="Like, 1 like""#))
    }
  }

  // MARK: Failures

  /// The visitor isn't signed in, so that the form with the comment stays usable.
  @Test func aFailedReactionEndsTheSignIn() async throws {
    try await TestBackend.run { backend in
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      let browser = PageBrowser(backend)
      let fields = [
        "email": "ann@example.org", "password": Self.password, "then": "comment", "target": UUID().uuidString,
        "text": "x",
      ]
      #expect(try await browser.submit("/sign-in", on: "/sign-in", fields).status == 404)
      #expect(try await !browser.get("/").text.contains("Sign out"))
    }
  }

  @Test(
    arguments: [
      "//evil.example", "/\\evil.example", "http://evil.example", "/a\r\nSet-Cookie: x=1", "/ä", "",
      "javascript:alert(1)",
    ], ["/sign-in", "/sign-up"])
  func nextLeadsOnlyToThisServer(_ next: String, _ form: String) async throws {
    try await TestBackend.run { backend in
      if form == "/sign-in" {
        _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      }
      let reply = try await PageBrowser(backend).submit(form, on: form, Self.person(["next": next]))
      #expect(reply.status == 303 && reply.headers["location"] == "/")
    }
  }

  @Test func ownerLinkIsValidOnce() async throws {
    let clock = WallClock()
    try await TestBackend.run(options: .init(now: { clock.now })) { backend in
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      let server = backend.server.address
      let address = server.ownerSignInURL(to: "/h/x", now: clock.now)
      let target = "\(address.path)?\(address.query ?? "")"
      #expect(!target.contains(server.ownerToken))
      // Loading the page alone doesn't use the link.
      #expect(try await PageBrowser(backend).get(target).status == 200)
      let browser = PageBrowser(backend)
      let reply = try await browser.submit("/enter", on: target)
      #expect(reply.status == 303 && reply.headers["location"] == "/h/x")
      let rule = try #require(browser.cookieRules.last)
      #expect(rule.contains("HttpOnly") && rule.contains("SameSite=Strict") && !rule.contains(server.ownerToken))
      #expect(try await browser.get("/").text.contains("Volleyball Player"))
      let other = PageBrowser(backend)
      #expect(try await other.submit("/enter", on: target).status == 403)
      #expect(try await other.get("/").text.contains(">Sign in</a>"))
      // An expired key, a key of another server, and invalid keys.
      for (key, now) in [
        (OwnerSignInKey.make(ownerToken: server.ownerToken, now: clock.now), 301.0),
        (OwnerSignInKey.make(ownerToken: "other", now: clock.now), 0), ("1.2.3", 0), ("", 0),
      ] {
        clock.advance(now)
        let refused = try await PageBrowser(backend).get("/enter?key=\(key)")
        #expect(refused.status == 403 && refused.text.contains("bsc serve --open"))
      }
    }
  }

  @Test func ownerLinkIsNotUsableThroughAProxy() async throws {
    try await TestBackend.run { backend in
      let address = backend.server.address.ownerSignInURL(to: "/", now: Date())
      let target = "\(address.path)?\(address.query ?? "")"
      let browser = PageBrowser(backend)
      let fields = try PageBrowser.fields(of: "/enter", in: try await browser.get(target).text)
      #expect(try await browser.post("/enter", fields, headers: ["Via": "1.1 proxy"]).status == 403)
      // The rejected request doesn't use the link.
      #expect(try await browser.post("/enter", fields).status == 303)
    }
  }

  @Test func sessionSurvivesARestartAndExpiresAfterAMonth() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = WallClock()
    let cookie = try await TestBackend.run(in: folder, options: .init(now: { clock.now })) { backend in
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      let browser = PageBrowser(backend)
      try await browser.enter()
      return try #require(browser.cookies.first { $0.key.hasPrefix("bsc_session_") }).value
    }
    for (days, isKnown) in [(29.0, true), (2, false)] {
      clock.advance(days * 86_400)
      try await TestBackend.run(in: folder, options: .init(now: { clock.now })) { backend in
        let name = "bsc_session_\(backend.server.port)"
        let page = try await backend.send("GET", "/", headers: ["Cookie": "\(name)=\(cookie)"])
        #expect(page.text.contains("Volleyball Player") == isKnown)
        // A forged cookie is refused.
        let forged = cookie.prefix(36) + "." + String(repeating: "0", count: 32)
        let other = try await backend.send("GET", "/", headers: ["Cookie": "\(name)=\(forged)"])
        #expect(!other.text.contains("Volleyball Player"))
      }
    }
  }
}
