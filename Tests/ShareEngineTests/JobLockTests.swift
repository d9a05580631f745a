import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct JobLockTests {
  let home: ScratchFolder
  let places: Places
  let job = UUID()

  init() throws {
    home = try ScratchFolder()
    places = try Places(environment: ["HOME": home.path])
  }

  @Test func secondHolderLearnsWhoHoldsTheJob() throws {
    let lock = try JobLock(job: job, places: places)
    let error = #expect(throws: ShareEngineError.self) { _ = try JobLock(job: job, places: places) }
    #expect(error?.explanation.category == .locked)
    #expect(error?.explanation.why == "process \(getpid()) holds it")
    withExtendedLifetime(lock) {}
  }

  @Test func otherJobsAreFree() throws {
    let lock = try JobLock(job: job, places: places)
    _ = try JobLock(job: UUID(), places: places)
    withExtendedLifetime(lock) {}
  }

  @Test func releasedJobCanBeTakenAndLeavesNoFile() throws {
    try JobLock(job: job, places: places).releaseAndRemove()
    #expect(!FileManager.default.fileExists(atPath: places.lockFile(job)))
    _ = try JobLock(job: job, places: places)
  }
}
