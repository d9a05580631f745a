import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct JobLockTests {
  let home: ScratchFolder
  let places: ApplicationFolders
  let job = UUID()

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
  }

  @Test func lockErrorNamesHolder() throws {
    let lock = try JobLock(job: job, places: places)
    let error = #expect(throws: ShareEngineError.self) { _ = try JobLock(job: job, places: places) }
    #expect(error?.explanation.category == .locked)
    #expect(error?.explanation.facts["holder"] == "process \(getpid())")
    withExtendedLifetime(lock) {}
  }

  @Test func locksOfJobsAreIndependent() throws {
    let other = UUID()
    func isFree(_ job: UUID) throws -> Bool {
      do { _ = try JobLock(job: job, places: places) } catch let error as ShareEngineError
        where error.explanation.category == .locked
      { return false }
      return true
    }
    let lock = try JobLock(job: job, places: places)
    #expect(try isFree(other))
    let otherLock = try JobLock(job: other, places: places)
    #expect(try !isFree(job) && !isFree(other))
    lock.releaseAndRemove()
    #expect(try isFree(job) && !isFree(other))
    otherLock.releaseAndRemove()
    #expect(try isFree(other))
  }

  @Test func releasedLockLeavesNoFile() throws {
    try JobLock(job: job, places: places).releaseAndRemove()
    #expect(!FileManager.default.fileExists(atPath: places.lockFile(job)))
    _ = try JobLock(job: job, places: places)
  }
}
