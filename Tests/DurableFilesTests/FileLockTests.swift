import Dispatch
import DurableFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct FileLockTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("job.lock")
  }

  /// Takes the lock; throws when somebody holds it.
  private func take() throws -> FileLock {
    guard let lock = try FileLock(path: path) else { throw POSIXError(.EWOULDBLOCK) }
    return lock
  }

  /// Takes the lock for a moment.
  private func isFree() throws -> Bool {
    switch try FileLock(path: path) {
    case .some: true
    case .none: false
    }
  }

  @Test func secondHandleIsRefusedUntilTheFirstGoes() throws {
    do {
      let first = try take()
      #expect(try !isFree())
      withExtendedLifetime(first) {}
    }
    #expect(try isFree())
  }

  @Test func noteTellsTheHolder() throws {
    let lock = try take()
    #expect(FileLock.note(at: path) == String(getpid()))
    withExtendedLifetime(lock) {}
  }

  @Test func aShorterNoteReplacesALongerOne() throws {
    do { _ = try FileLock(path: path, note: "process 123456 on court one") }
    let lock = try FileLock(path: path, note: "7")
    #expect(FileLock.note(at: path) == "7")
    withExtendedLifetime(lock) {}
  }

  @Test func removedLockCanBeTakenAgain() throws {
    try take().releaseAndRemove()
    #expect(try folder.names() == [])
    let again = try take()
    #expect(try !isFree())
    withExtendedLifetime(again) {}
  }

  /// Between open and lock the file may be removed by its last holder: then two could hold "the" lock.
  @Test func removingHoldersExcludeEachOther() throws {
    let holders = Atomic(0)
    let collisions = Atomic(0)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { [path] _ in
      for _ in 0..<1000 {
        do {
          guard let lock = try FileLock(path: path) else { continue }
          if holders.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
            collisions.add(1, ordering: .sequentiallyConsistent)
          }
          sched_yield()
          holders.subtract(1, ordering: .sequentiallyConsistent)
          lock.releaseAndRemove()
        } catch {
          failures.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    #expect(collisions.load(ordering: .sequentiallyConsistent) == 0)
    #expect(failures.load(ordering: .sequentiallyConsistent) == 0)
  }

  @Test(.enabled(if: LockHolder.isAvailable)) func otherProcessIsRefused() throws {
    do {
      let lock = try take()
      #expect(try !LockHolder.canLock(path))
      withExtendedLifetime(lock) {}
    }
    #expect(try LockHolder.canLock(path))
  }

  @Test(.enabled(if: LockHolder.isAvailable)) func lockOfAKilledProcessIsFree() throws {
    let holder = try LockHolder(path)
    #expect(try !isFree())
    holder.kill()
    #expect(try isFree())
  }

  @Test(.enabled(if: LockHolder.isAvailable)) func childProcessesDoNotInheritTheLock() throws {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/cat")
    let input = Pipe()
    child.standardInput = input
    do {
      let lock = try take()
      try child.run()
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree())
    try input.fileHandleForWriting.close()
    child.waitUntilExit()
  }

  @Test func missingFolderIsExplained() throws {
    let error = #expect(throws: DurableFileError.self) { _ = try FileLock(path: folder.path("none/job.lock")) }
    #expect(error?.code == ENOENT)
  }
}
