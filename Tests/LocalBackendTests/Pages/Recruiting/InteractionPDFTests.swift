import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// `/interactions/export.pdf`: what each visitor gets.
@Suite(.timeLimit(.minutes(10))) struct InteractionPDFTests {
  @Test func theDocumentHasTheFilteredListOfTheVisitor() async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach("John", "Smith")
      _ = try await stage.log(["coach": coach, "subject": "First <camp>", "content": "Bring\r\nshoes"])
      _ = try await stage.log(["type": "phone_call", "direction": "inbound", "subject": "Call back"])
      let page = try await stage.parent.get("/interactions?type=email").text
      #expect(page.contains("/interactions/export.pdf?type=email&amp;paper=letter"))
      #expect(page.contains("/interactions/export.pdf?type=email&amp;paper=a4"))

      let reply = try await stage.parent.get("/interactions/export.pdf?type=email&paper=a4")
      #expect(reply.status == 200 && reply.headers["content-type"] == "application/pdf")
      #expect(reply.headers["content-disposition"] == "attachment; filename=\"interactions.pdf\"")
      #expect(reply.headers["cache-control"] == "no-store")
      let document = try PDFReader(reply.body)
      let text = document.pages.joined()
      #expect(text.contains("First <camp>") && text.contains("John Smith") && text.contains("shoes"))
      #expect(!text.contains("Call back") && text.contains("Logged By"))
      #expect(document.info["Title"]?.contains("Möller") == true)
      #expect(document.info["Page size"]?.hasPrefix("841.89") == true)

      let own = try PDFReader(try await stage.athlete.get("/interactions/export.pdf").body)
      #expect(own.pages.joined().contains("Call back") && own.info["Page size"]?.hasPrefix("792") == true)
      #expect(!own.pages.joined().contains("Logged By"))
      // The filter for other members is ignored for an athlete, as on the page.
      let other = "?by=00000000-0000-4000-8000-000000000000"
      let ignored = try PDFReader(try await stage.athlete.get("/interactions/export.pdf\(other)").body)
      #expect(ignored.pages.joined().contains("Call back"))
    }
  }

  @Test func othersGetNothing() async throws {
    try await RecruitingStage.run { stage in
      _ = try await stage.log(["subject": "Secret plan"])
      let path = "/interactions/export.pdf"
      let signedOut = try await PageBrowser(stage.backend).get(path)
      #expect(signedOut.status == 303 && signedOut.headers["location"]?.hasPrefix("/sign-in?next=") == true)
      #expect(try await stage.stranger.get(path).headers["location"] == "/family")
      _ = try await stage.stranger.submit("/family/create", on: "/family", ["name": "Okafor", "role": "parent"])
      #expect(try await stage.stranger.get("\(path)?family=\(stage.family)").status == 404)
      let own = try PDFReader(try await stage.stranger.get(path).body)
      #expect(!own.pages.joined().contains("Secret") && !own.pages.joined().contains("Möller"))
    }
  }

  @Test func unknownValuesAreRejected() async throws {
    try await RecruitingStage.run { stage in
      for query in ["paper=a0", "paper=", "type=letter"] {
        let reply = try await stage.parent.get("/interactions/export.pdf?\(query)")
        #expect(reply.status == 400 && reply.headers["content-type"]?.hasPrefix("text/html") == true, "\(query)")
      }
    }
  }
}
