import ClipModel
import Foundation
import GRDB
import Hummingbird
import Logging
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct StorageFailureTests {
  @Test(arguments: [
    ("full", 507, "storage_failed"), ("unmappable", 507, "storage_failed"), ("part", 507, "storage_failed"),
    ("rest/v1/full", 507, #""code":"53100""#), ("broken", 500, ""),
  ])
  func everyRouteReportsAFullDisk(_ path: String, _ status: Int, _ text: String) async throws {
    let router = Router(context: BackendContext.self)
    router.add(middleware: RequestGuard())
    router.get("full") { _, _ -> Response in throw DatabaseError(resultCode: .SQLITE_FULL) }
    router.get("rest/v1/full") { _, _ -> Response in throw DatabaseError(resultCode: .SQLITE_FULL) }
    router.get("unmappable") { _, _ -> Response in throw DatabaseError(resultCode: .SQLITE_IOERR_SHMSIZE) }
    router.get("part") { _, _ -> Response in throw PartFile.Failure(code: ENOSPC) }
    router.get("broken") { _, _ -> Response in throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    let listener = try await Listener.start(
      router: router, port: .any, idleSeconds: 10,
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let reply = try await TestBackend.send(to: listener.port, "GET", "/" + path)
    await listener.stop()
    #expect(reply.status == status)
    #expect(text.isEmpty || reply.text.contains(text))
  }

  /// The database of the server cannot grow.
  @Test func aRowThatDoesNotFitOnTheDiskIsRejected() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store = try ServerStore(path: folder + "/backend.sqlite")
    try await store.database.write { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    var draft = HighlightDraft.sample()
    draft.caption = String(repeating: "long ", count: 4000)
    do {
      _ = try await store.openUpload(
        draft: draft, author: Caller.localUserID, idempotencyKey: "k", lifetimeSeconds: 60, now: Date())
      Issue.record("the row was stored")
    } catch {
      #expect(StorageFailure.isDiskFull(error))
    }
    try store.database.close()
  }
}
