import ClipModel
import Foundation
import Testing

@testable import LocalBackend

/// Protection of the pages against foreign forms and injected text.
@Suite(.timeLimit(.minutes(10))) struct PageSafetyTests {
  @Test func securityHeadersAllowOnlyOwnContent() async throws {
    try await TestBackend.run { backend in
      for path in ["/", "/h/\(UUID())", "/sign-in", "/enter", "/u/local", "/tags/spike", "/nothing"] {
        let page = try await PageBrowser(backend).get(path)
        let policy = try #require(page.headers["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "\(path)")
        #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
        #expect(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"))
        #expect(page.headers["x-content-type-options"] == "nosniff")
        #expect(page.headers["referrer-policy"] == "same-origin" && page.headers["cache-control"] == "no-store")
        // No inline styles or scripts, and no links to other servers.
        #expect(!page.text.contains("style=") && !page.text.contains("<style") && !page.text.contains(/\son[a-z]+=/))
        #expect(!page.text.contains("http://") && !page.text.contains("https://"))
        #expect(page.text.contains("<main") && page.text.contains("lang=\"en\""))
      }
      #expect(try await PageBrowser(backend).get("/nothing").status == 404)
      #expect(try await backend.send("GET", "/nothing").text.contains("<html") == false)
    }
  }

  @Test func staticFilesHaveVersionedAddresses() async throws {
    try await TestBackend.run { backend in
      let page = try await backend.send("GET", "/").text
      let path = try #require(page.firstMatch(of: /src="(\/static\/[0-9a-f]+\/pages\.js)"/)).output.1
      let script = try await backend.send("GET", String(path))
      #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
      #expect(script.headers["cache-control"]?.contains("immutable") == true)
      for match in script.text.matches(of: /from "\.\/([a-z]+\.js)"/) {
        let other = try await backend.send("GET", String(path).replacing("pages.js", with: String(match.output.1)))
        #expect(other.status == 200)
      }
      #expect(try await backend.send("GET", "/static/other/pages.js").headers["cache-control"] == "no-cache")
      #expect(try await backend.send("GET", "/static/x/..%2f..%2fkeys.json").status == 404)
    }
  }

  /// A quotation mark with a combining mark is one character in Swift, but still a quotation mark in HTML.
  @Test func escapesUserText() async throws {
    try await TestBackend.run { backend in
      var draft = HighlightDraft.sample(caption: #"<script>alert("1")</script> & 'co' {{id}} #<b> "\#u{301} onx=1"#)
      draft.tags = [#"a"><img src=x>"#, "\"\u{301} onfocus=1 x=\""]
      draft.privacy = .followersOnly
      let highlight = try await backend.publish(pattern(100), draft)
      for path in ["/", "/h/\(highlight.id.uuidString.lowercased())", "/u/local"] {
        let page = try await backend.send("GET", path)
        #expect(page.status == 200)
        #expect(page.text.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;"))
        #expect(page.text.contains("{{id}}"))
        #expect(!page.text.contains("<script>") && !page.text.contains("<img src=x") && !page.text.contains("<b> "))
        #expect(!page.text.unicodeScalars.contains("\"\u{301}".unicodeScalars))
      }
      let page = try await backend.send("GET", "/h/\(highlight.id.uuidString.lowercased())").text
      // The highlight isn't public, so only the page of its author knows the playback ID.
      #expect(highlight.muxPlaybackID == nil)
      let source = try #require(page.firstMatch(of: /src="\/stream\/([0-9a-f]+)\.mp4"/))
      #expect(page.contains("poster=\"/image/\(source.output.1)/thumbnail.jpg?time=2\""))
      #expect(page.contains("followers only") && page.contains(">0:12</span>"))
    }
  }

  /// Rows of the app may contain videos and images of other servers, which pages don't load.
  @Test func contentOfOtherServersIsOnlyLinked() async throws {
    try await TestBackend.run { backend in
      let owner = backend.server.address.ownerToken
      for (address, image) in [
        ("https://stream.example.org/a.m3u8", #"https://image.example.org/a.jpg"#),
        (#"https://x.example.org/"onx=1"#, "https://image.example.org/\\\"\u{301} onx=1"),
      ] {
        let json = JSONValueText.quoted(address)
        let reply = try await backend.send(
          "POST", "/rest/v1/highlights", headers: AuthRoutesTests.bearer(owner),
          body: Array(
            """
            {"author_id":"\(Caller.localUserID)","mux_playback_id":\(json),"thumbnail_url":"\(image)","tags":[],
            "duration":5,"rally_metadata":{"duration":5,"confidence":0,"quality":0,"detection_count":0}}
            """.utf8))
        #expect(reply.status == 201, "\(reply.text)")
      }
      let page = try await backend.send("GET", "/").text
      #expect(page.contains(#"href="https://stream.example.org/a.m3u8" rel="noreferrer noopener""#))
      #expect(!page.contains("image.example.org") && !page.contains("\"onx") && !page.contains("<video"))
    }
  }

  @Test func acceptsOnlyFormsOfItsOwnPages() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      let browser = PageBrowser(backend)
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      // GET changes nothing.
      for path in ["/like", "/like?on=1", "/comments?text=x"] {
        #expect([404, 405].contains(try await browser.get(page + path).status), "\(path)")
      }
      let fields = try PageBrowser.fields(of: page + "/like", in: try await browser.get(page).text)
      let wrong: [([String: String], [String: String], Int)] = [
        (fields, ["Origin": "http://evil.example"], 403), (fields, ["Origin": "null"], 403),
        (fields, ["Sec-Fetch-Site": "cross-site"], 403), (fields, ["Sec-Fetch-Site": "same-site"], 403),
        (fields, ["Sec-Fetch-Site": "none"], 403), (fields, ["Cookie": ""], 403),
        (fields, ["Content-Type": "text/plain"], 403), (["on": "1"], [:], 403),
        (["on": "1", "token": String(repeating: "0", count: 32)], [:], 403),
        (fields, ["Host": "evil.example"], 421),
      ]
      for (fields, headers, status) in wrong {
        let reply = try await browser.post(page + "/like", fields, headers: headers)
        #expect(reply.status == status, "\(headers)")
      }
      // The token of another browser.
      let other = PageBrowser(backend)
      #expect(try await other.get("/").status == 200)
      #expect(try await other.post(page + "/like", fields).status == 403)
      #expect(try await browser.get(page).text.contains("Like, 0 likes"))
      // The token is sufficient without these headers.
      #expect(try await browser.post(page + "/like", fields).status == 303)
      #expect(try await browser.get(page).text.contains("Like, 1 like\""))
    }
  }
}

extension String.UnicodeScalarView {
  /// Compares code points instead of characters.
  fileprivate func contains(_ other: String.UnicodeScalarView) -> Bool {
    Array(self).firstRange(of: Array(other)) != nil
  }
}

private enum JSONValueText {
  static func quoted(_ text: String) -> String { JSONValue.quoted(text) }
}
