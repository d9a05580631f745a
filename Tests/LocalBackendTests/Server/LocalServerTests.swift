import ClipModel
import Foundation
import GRDB
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct LocalServerTests {
  @Test func twoServersCannotUseTheSameFolder() async throws {
    try await TestBackend.run { backend in
      let configuration = LocalServerConfiguration(
        dataFolder: backend.folder, port: .any, assetMaker: TestBackend.quickMaker)
      let error = await #expect(throws: LocalBackendError.self) { try await LocalServer.start(configuration) }
      #expect(error == .folderInUse(path: backend.folder))
      #expect(error?.explanation.category == .locked)
      // The failed start leaves the running server's file unchanged.
      #expect(LocalServer.running(in: backend.folder)?.baseURL == backend.server.baseURL)
    }
  }

  @Test func aRunningServerIsFound() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(LocalServer.running(in: folder) == nil)
    try await TestBackend.run(in: folder) { backend in
      #expect(LocalServer.running(in: folder)?.baseURL == backend.server.baseURL)
      #expect(ServerInfo.read(folder + "/server.json")?.pid == ProcessInfo.processInfo.processIdentifier)
    }
    #expect(LocalServer.running(in: folder) == nil)
    // A killed server leaves its file, but not its lock.
    try ServerInfo(pid: 1, host: "127.0.0.1", port: 1, version: "1", ownerToken: "t", asksForToken: false)
      .write(to: folder + "/server.json")
    #expect(LocalServer.running(in: folder) == nil)
  }

  @Test func withServerUsesARunningServerOrStartsOne() async throws {
    struct Stop: Error {}
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await TestBackend.run(in: folder) { backend in
      let address = try await LocalServer.withServer(in: folder) { $0 }
      #expect(address.baseURL == backend.server.baseURL)
      #expect(LocalServer.running(in: folder) == address)
    }
    let own = try await LocalServer.withServer(in: folder) { address in
      #expect(LocalServer.running(in: folder) == address)
      return address
    }
    #expect(own.baseURL.port != nil && LocalServer.running(in: folder) == nil)
    // Also when the body has failed.
    await #expect(throws: Stop.self) { try await LocalServer.withServer(in: folder) { _ in throw Stop() } }
    #expect(LocalServer.running(in: folder) == nil)
  }

  /// A killed server leaves incomplete files, which the next server removes.
  @Test func temporaryFilesOfAKilledServerAreRemoved() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let left = folder + "/.server.json.bsc-1f.tmp"
    try Data("{".utf8).write(to: URL(filePath: left))
    try await TestBackend.run(in: folder) { _ in
      #expect(!FileManager.default.fileExists(atPath: left))
    }
  }

  @Test func anotherPortIsUsedOnlyIfAllowed() async throws {
    try await TestBackend.run { first in
      let port = first.server.port
      try await TestBackend.run(options: .init(port: .preferably(port))) { second in
        #expect(second.server.port != port)
        let health = try await second.send("GET", "/health")
        #expect(health.status == 200)
      }
      let folder = TestBackend.newFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let configuration = LocalServerConfiguration(
        dataFolder: folder, port: .exactly(port), assetMaker: TestBackend.quickMaker)
      let error = await #expect(throws: LocalBackendError.self) { try await LocalServer.start(configuration) }
      #expect(error == .portTaken(port))
      // The failed start leaves no files.
      #expect(LocalServer.running(in: folder) == nil)
      let health = try await TestBackend.run(in: folder) { try await $0.send("GET", "/health") }
      #expect(health.status == 200)
    }
  }

  @Test func filesAreReadableByTheirOwnerOnly() async throws {
    try await TestBackend.run { backend in
      _ = try await backend.ticket()
      func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: backend.folder + name)[.posixPermissions] as? Int
      }
      for folder in ["", "/uploads", "/assets"] { #expect(try mode(folder) == 0o700) }
      for file in ["/server.json", "/server.lock", "/backend.sqlite", "/backend.sqlite-wal"] {
        #expect(try mode(file) == 0o600, "\(file)")
      }
    }
  }

  @Test func stopEndsIdleConnectionsAndWaiters() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = LocalServerConfiguration(
      dataFolder: folder, port: .any, assetMaker: TestBackend.quickMaker)
    configuration.idleTimeoutSeconds = 86_400
    let server = try await LocalServer.start(configuration)
    let idle = try RawConnection(port: server.port)
    try await idle.send(Array("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /".utf8))
    async let waiting: Void = server.waitUntilStopped()
    // Neither waits for the idle connection, which would stay open for a day.
    await server.stop()
    await waiting
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: server.port) }
  }

  @Test func anImpossibleFolderIsReported() async throws {
    let file = TestBackend.newFolder()
    _ = FileManager.default.createFile(atPath: file, contents: Data())
    defer { try? FileManager.default.removeItem(atPath: file) }
    let error = await #expect(throws: LocalBackendError.self) {
      try await LocalServer.start(
        LocalServerConfiguration(dataFolder: file + "/x", port: .any, assetMaker: TestBackend.quickMaker))
    }
    guard case .folderUnusable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aNewerDatabaseIsRejected() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await TestBackend.run(in: folder) { _ in }
    let store = try ServerStore(path: folder + "/backend.sqlite")
    try await store.database.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')")
    }
    try store.database.close()
    let error = await #expect(throws: LocalBackendError.self) {
      try await LocalServer.start(
        LocalServerConfiguration(dataFolder: folder, port: .any, assetMaker: TestBackend.quickMaker))
    }
    guard case .databaseUnusable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
