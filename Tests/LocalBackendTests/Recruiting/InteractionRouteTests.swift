import Foundation
import Testing

@testable import LocalBackend

/// Concurrent changes of the list of attachments, and the route of the app's interface for a confirmed deletion.
@Suite(.timeLimit(.minutes(10))) struct InteractionRouteTests {
  /// Runs a test with an account that has logged an interaction.
  private static func run(_ test: (TestBackend, _ token: String, _ id: String) async throws -> Void) async throws {
    try await TestBackend.run { backend in
      let token = try await FamilyTests.signUp("ann", backend)
      let family: String = try await FamilyTests.call(
        "create_family", #"{"name":"home","role":"athlete"}"#, token, backend
      ).json()
      let id = RecruitingFixture.newID()
      let row = #"{"id":"\#(id)","family_unit_id":"\#(family)","type":"email","direction":"inbound"}"#
      let created = try await backend.send(
        "POST", "/rest/v1/interactions", headers: ["Authorization": "Bearer \(token)"], body: Array(row.utf8))
      try #require(created.status == 201)
      try await test(backend, token, id)
    }
  }

  /// Clients that attach pictures at the same time have read the same list.
  @Test func attachmentsThatAreListedAtOnceAreKept() async throws {
    try await Self.run { backend, token, id in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<16 {
          group.addTask {
            let body = #"{"id":"\#(id)","attachment":"file\#(number)"}"#
            return try await FamilyTests.call("list_attachment", body, token, backend).status
          }
        }
        for try await status in group { #expect(status == 204) }
      }
      struct Listed: Decodable {
        let attachments: [String]
      }
      let path = "/rest/v1/interactions?select=attachments&id=eq.\(id)"
      let rows: [Listed] = try await backend.send("GET", path, headers: ["Authorization": "Bearer \(token)"]).json()
      #expect(Set(rows.first?.attachments ?? []) == Set((0..<16).map { "file\($0)" }))
    }
  }

  @Test func aConfirmedDeletionAnswersAsDocumented() async throws {
    try await Self.run { backend, token, id in
      let stranger = try await FamilyTests.signUp("eve", backend)
      func delete(_ body: String, _ token: String?, _ id: String) async throws -> HTTPReply {
        try await backend.send(
          "POST", "/api/interactions/\(id)/cascade-delete",
          headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:], body: Array(body.utf8))
      }
      let confirmed = #"{"confirmDelete": true}"#
      #expect(try await delete(confirmed, stranger, id).status == 404)
      #expect(try await delete(confirmed, nil, id).status == 401)
      #expect(try await delete(confirmed, token, "x").status == 400)
      for body in [#"{"confirmDelete": false}"#, "{}", ""] {
        #expect(try await delete(body, token, id).status == 400, "\(body)")
      }
      struct Answer: Decodable, Equatable {
        let success: Bool
        let deleted: [String: Int]
        let message: String
      }
      let answer: Answer = try await delete(confirmed, token, id).json()
      #expect(answer == Answer(success: true, deleted: ["interactions": 1], message: "Interaction deleted"))
      #expect(try await delete(confirmed, token, id).status == 404)
    }
  }
}
