import ClipModel
import DurableFiles
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct JournalDamageTests {
  let home: ScratchFolder
  let places: ApplicationFolders

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
  }

  /// After a power failure: the main file and the log of an open journal, without the end of the log.
  @Test(arguments: [0, 1, 31, 32, 33, 500, 4000, 4200]) func truncatedLogLosesOnlyLastJob(missing: Int) async throws {
    let journal = try await Journal.open(places)
    let first = Jobs.job(.uploading(Jobs.clip, Jobs.session))
    try await journal.save(first)
    let log = places.journalFile + "-wal"
    let confirmed = try Data(contentsOf: URL(filePath: log)).count
    try await journal.save(Jobs.job(.queued))
    let after = try ApplicationFolders(environment: ["HOME": home.path("after")])
    try after.createStateFolders()
    try FileManager.default.copyItem(atPath: places.journalFile, toPath: after.journalFile)
    let bytes = try Data(contentsOf: URL(filePath: log))
    try bytes.prefix(max(confirmed, bytes.count - missing)).write(to: URL(filePath: after.journalFile + "-wal"))
    let survivors = try await Journal.open(after).loadAllJobs()
    #expect(survivors.contains(first))
    #expect(survivors.count == (missing == 0 ? 2 : 1))
  }

  @Test func newerJournalIsRefusedAndKept() async throws {
    try await Journal.open(places).save(Jobs.job())
    try await DatabaseQueue(path: places.journalFile).write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from the future')")
    }
    let error = await #expect(throws: ShareEngineError.self) { try await Journal.open(places) }
    #expect(error?.explanation.id == "journal.newer")
    #expect(error?.explanation.category == .notConfigured)
    let tables = try await DatabaseQueue(path: places.journalFile).read { database in
      try ["job", "grdb_migrations"].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") }
    }
    #expect(tables == [1, 3])
  }

  @Test(arguments: ["this is not a database", String(repeating: "x", count: 9000)])
  func damagedJournalIsRefusedAndKept(content: String) async throws {
    try places.createStateFolders()
    try Data(content.utf8).write(to: URL(filePath: places.journalFile))
    let error = await #expect(throws: ShareEngineError.self) { try await Journal.open(places) }
    #expect(error?.explanation.id == "journal.damaged" && error?.explanation.facts["path"] == places.journalFile)
    #expect(error?.explanation.category == .inputOutput)
    #expect(try String(contentsOfFile: places.journalFile, encoding: .utf8) == content)
  }

  @Test func networkFileSystemIsRefused() {
    let error = #expect(throws: ShareEngineError.self) {
      try Journal.requireLocalFileSystem("/nfs/journal.sqlite", isNetwork: true)
    }
    #expect(error?.explanation.id == "journal.network-file-system")
    #expect(error?.explanation.category == .notConfigured)
  }

  @Test func unreadableEntryIsReported() async throws {
    let journal = try await Journal.open(places)
    let job = Jobs.job()
    try await journal.save(job)
    try await DatabaseQueue(path: places.journalFile).write { try $0.execute(sql: "UPDATE job SET job = '{}'") }
    let error = await #expect(throws: ShareEngineError.self) { try await journal.loadAllJobs() }
    #expect(error?.explanation.id == "job.unreadable")
    #expect(error?.explanation.facts["job"] == job.id.uuidString.lowercased())
  }

  @Test func fileInPlaceOfFolderIsReported() async throws {
    try home.write("", to: ".local")
    await #expect(throws: DurableFileError.self) { try await Journal.open(places) }
  }
}
