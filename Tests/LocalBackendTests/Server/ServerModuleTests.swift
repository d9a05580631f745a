import Foundation
import GRDB
import Hummingbird
import TestSupport
import Testing

@testable import LocalBackend

/// The parts of a module work together with the other modules of a server, over HTTP.
@Suite(.timeLimit(.minutes(10))) struct ServerModuleTests {
  /// A stored database depends on the identifiers and their order. New migrations are added at the end.
  @Test func releasedMigrationsAreUnchanged() {
    let released = [
      "1 uploads and highlights", "2 bare objects", "3 accounts and the social layer", "4 mux assets",
      "5 posts of several clips", "6 rows of clients", "7 codes and changes of accounts",
    ]
    #expect(ServerModule.all.migrator.migrations.prefix(released.count) == released[...])
    let numbers = ServerModule.all.flatMap(\.migrations).map(\.number)
    #expect(numbers.sorted() == Array(1...numbers.count))
  }

  @Test func aModuleAddsATableAFunctionAndAPage() async throws {
    try await Self.run { backend, _ in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let bob = try await AuthRoutesTests.signUp(backend, "bob@example.org")
      #expect(try await Self.write("<spike>", as: ann, of: ann, backend).status == 201)
      #expect(try await Self.write("forged", as: bob, of: ann, backend).status == 403)

      let (owner, stranger) = (AuthRoutesTests.bearer(ann.accessToken), AuthRoutesTests.bearer(bob.accessToken))
      let anonymous = ["apikey": try await ServerKeys.open(backend.folder + "/keys.json").publishableKey]
      let rows = "/rest/v1/notes?select=text,owner:profiles(id)"
      let note = #"[{"text":"<spike>","owner":{"id":"\#(ann.user.id)"}}]"#
      #expect(try await backend.send("GET", rows, headers: owner).text == note)
      #expect(try await backend.send("GET", rows, headers: stranger).text == "[]")
      #expect(try await backend.send("GET", rows, headers: anonymous).status == 401)

      let function = "/rest/v1/rpc/notes_with_vowels?select=text&least="
      #expect(try await backend.send("GET", function + "2", headers: owner).text == #"[{"text":"<spike>"}]"#)
      #expect(try await backend.send("GET", function + "3", headers: owner).text == "[]")
      #expect(try await backend.send("GET", function + "2", headers: stranger).text == "[]")

      let page = try await backend.send("GET", "/notes", headers: owner)
      #expect(page.status == 200 && page.text.contains("<li>&lt;spike&gt;</li>"))
      #expect(!(try await backend.send("GET", "/notes", headers: stranger).text.contains("spike")))
      #expect(try await backend.send("GET", "/static/x/notes.css").headers["content-type"] == "text/css; charset=utf-8")

      let clear = "/rest/v1/rpc/clear_notes"
      #expect(try await backend.send("GET", clear, headers: owner).status == 405)
      #expect(try await backend.send("POST", clear, headers: owner, body: Array(#"{"x":1}"#.utf8)).status == 404)
      #expect(try await backend.send("POST", clear, headers: anonymous, body: Array("{}".utf8)).status == 401)
      #expect(try await backend.send("POST", clear, headers: stranger, body: Array("{}".utf8)).status == 204)
      #expect(try await backend.send("GET", rows, headers: owner).text == note)
      #expect(try await backend.send("POST", clear, headers: owner, body: Array("{}".utf8)).status == 204)
      #expect(try await backend.send("GET", rows, headers: owner).text == "[]")
    }
  }

  @Test func aModuleRunsAsLongAsTheServer() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (first, ann) = try await Self.run(in: folder) { backend, service in
      #expect(await service.state == .started)
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      for text in ["expired", "kept"] {
        #expect(try await Self.write(text, as: ann, of: ann, backend).status == 201)
      }
      return (service, ann)
    }
    #expect(await first.state == .stopped)
    // The migration has run, and the cleanup runs at each start.
    try await Self.run(in: folder) { backend, _ in
      let headers = AuthRoutesTests.bearer(ann.accessToken)
      let isCleanedUp = try await TestTimeout.wait {
        try await backend.send("GET", "/rest/v1/notes?select=text", headers: headers).text == #"[{"text":"kept"}]"#
      }
      #expect(isCleanedUp)
    }
  }

  @Test(arguments: ["error", "status"]) func aServerErrorIsAPageWithRetry(kind: String) async throws {
    try await Self.run { backend, _ in
      let page = try await backend.send("GET", "/broken?kind=\(kind)", headers: ["Accept": "text/html"])
      #expect(page.status == 500 && page.text.contains(#"id="retry" href="/broken?kind=\#(kind)""#), "\(page.text)")
      let answer = try await backend.send("GET", "/broken?kind=\(kind)")
      #expect(answer.status == 500 && !answer.text.contains("<html"))
      #expect(!(page.text + answer.text).contains("secret"))
    }
  }

  /// `RequestGuard` responds to a full disk.
  @Test func aFullDiskIsNotAServerError() async throws {
    try await Self.run { backend, _ in
      let answer = try await backend.send("GET", "/broken?kind=disk", headers: ["Accept": "text/html"])
      #expect(answer.status == 507)
    }
  }

  @Test func aServerWithoutTheModuleLacksItsRoutes() async throws {
    try await TestBackend.run { backend in
      for path in ["/rest/v1/notes", "/rest/v1/rpc/notes_with_vowels", "/notes", "/static/x/notes.css"] {
        let reply = try await backend.send("GET", path)
        #expect(reply.status == 404, "\(path)")
      }
    }
  }

  // MARK: Support

  @discardableResult
  private static func run<Value>(
    in folder: String? = nil, _ test: (TestBackend, NoteService) async throws -> Value
  ) async throws -> Value {
    let service = NoteService()
    var options = TestBackend.Options()
    options.change = { $0.modules.append(.notes(service)) }
    return try await TestBackend.run(in: folder, options: options) { try await test($0, service) }
  }

  private static func write(
    _ text: String, as session: AuthRoutesTests.Session, of owner: AuthRoutesTests.Session, _ backend: TestBackend
  ) async throws -> HTTPReply {
    try await backend.send(
      "POST", "/rest/v1/notes", headers: AuthRoutesTests.bearer(session.accessToken),
      body: Array(#"{"text":"\#(text)","owner_id":"\#(owner.user.id)"}"#.utf8))
  }
}

private actor NoteService: BackgroundService {
  enum State { case new, started, stopped }

  private(set) var state = State.new

  func start() { state = .started }
  func stop() { state = .stopped }
}

private struct Note: Decodable {
  var text: String
}

extension ServerModule {
  /// Notes that are visible to their owners only.
  fileprivate static func notes(_ service: NoteService) -> ServerModule {
    ServerModule(
      name: "notes",
      migrations: [
        Migration(number: 1000, title: "notes") { db in
          try db.execute(
            sql: """
              CREATE TABLE notes (
                id TEXT PRIMARY KEY NOT NULL, owner_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
                text TEXT NOT NULL, created_at TEXT NOT NULL)
              """)
        }
      ],
      sqlFunctions: [
        DatabaseFunction("vowels", argumentCount: 1, pure: true) { values in
          String.fromDatabaseValue(values[0])?.count { "aeiou".contains($0) }
        }
      ],
      tables: [noteTable],
      functions: [
        RPCFunction(
          name: "notes_with_vowels", arguments: ["least"],
          answer: .rows(noteTable) { call in
            let least = try call.number("least") ?? 0
            return RowStore.Restriction(conditions: { statement, alias in
              ["vowels(\(alias).text) >= \(statement.bind(least.databaseValue))"]
            })
          }),
        RPCFunction(
          name: "clear_notes", isReadOnly: false,
          answer: .response { call in
            guard let owner = call.caller.userID else { throw call.denied }
            try await call.rows.store.database.write { db in
              try db.execute(sql: "DELETE FROM notes WHERE owner_id = ?", arguments: [owner])
            }
            return Response(status: .noContent)
          }),
      ],
      pages: [
        "notes.mustache": Array(
          "{{<layout}}{{$body}}<ul>{{#notes}}<li>{{text}}</li>{{/notes}}</ul>{{/body}}{{/layout}}".utf8),
        "notes.css": Array("ul { margin: 0 }".utf8),
      ],
      routes: { router, server in
        router.get("broken") { request, _ -> Response in
          if request.uri.queryParameters["kind"] == "status" { throw HTTPError(.internalServerError) }
          if request.uri.queryParameters["kind"] == "disk" { throw DatabaseError(resultCode: .SQLITE_FULL) }
          throw LocalBackendError.cannotListen(reason: "secret")
        }
        router.get("notes") { request, _ in
          let visitor = try await server.site.visitor(of: request)
          let notes: [Note] = try await server.rows.decodeRows(noteTable, RowQuery("select=text"), visitor.caller)
          return server.site.page("notes", ["title": "Notes", "notes": notes], request, visitor)
        }
      },
      services: { _ in [service] },
      cleanUp: { server in
        try await server.store.database.write { db in try db.execute(sql: "DELETE FROM notes WHERE text = 'expired'") }
      })
  }

  private static let noteTable = TableSchema(
    name: "notes",
    columns: [
      SocialTables.id, SocialTables.reference("owner_id", "profiles").allowingInsert(),
      SocialTables.column("text", .text).allowingInsert(), SocialTables.createdAt,
    ],
    rules: RowRules(select: RowRules.isCaller("owner_id"), insert: RowRules.isCaller("owner_id")))
}
