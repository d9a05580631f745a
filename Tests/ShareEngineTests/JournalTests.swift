import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct JournalTests {
  let home: ScratchFolder
  let places: ApplicationFolders

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
  }

  @Test(arguments: Jobs.stages) func everyStageSurvivesReopening(stage: ShareStage) async throws {
    let job = Jobs.job(stage)
    try await Journal.open(places).save(job)
    #expect(try await Journal.open(places).load(job.id) == job)
  }

  @Test(arguments: Jobs.stages) func healthCountsUnfinishedJobs(stage: ShareStage) async throws {
    let journal = try await Journal.open(places)
    try await journal.save(Jobs.job(stage))
    let health = try await journal.checkHealth(places)
    #expect(health.jobCount == 1 && health.unfinishedCount == (stage.isFinal ? 0 : 1))
  }

  @Test func savingReplacesStage() async throws {
    let journal = try await Journal.open(places)
    var job = Jobs.job()
    for stage in Jobs.stages {
      job.stage = stage
      job.updatedAt += 1
      try await journal.save(job)
    }
    #expect(try await journal.loadAllJobs() == [job])
  }

  @Test func jobsAreSortedByAge() async throws {
    let journal = try await Journal.open(places)
    let jobs = [3, 1, 2].map { Jobs.job(createdAt: $0) }
    for job in jobs { try await journal.save(job) }
    #expect(try await journal.loadAllJobs().map(\.createdAt) == [1, 2, 3])
  }

  @Test func deletingJobTwiceSucceeds() async throws {
    let journal = try await Journal.open(places)
    let job = Jobs.job()
    try await journal.save(job)
    try await journal.delete(job.id)
    try await journal.delete(job.id)
    #expect(try await journal.load(job.id) == nil)
  }

  @Test func concurrentFirstOpeningSucceeds() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [places] in try await Journal.open(places).save(Jobs.job()) }
      }
      try await group.waitForAll()
    }
    #expect(try await Journal.open(places).loadAllJobs().count == 8)
  }

  @Test func connectionsUseDurableWrites() throws {
    try places.createStateFolders()
    let database = try JournalSchema.open(places.journalFile)
    #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
    #expect(try database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
  }
}
