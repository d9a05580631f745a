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

  /// Acquires the lock; throws when it is held.
  private func acquire() throws -> FileLock {
    guard let lock = try FileLock(path: path) else { throw POSIXError(.EWOULDBLOCK) }
    return lock
  }

  /// Acquires and releases the lock.
  private func isFree() throws -> Bool {
    switch try FileLock(path: path) {
    case .some: true
    case .none: false
    }
  }

  @Test func secondHandleIsRefusedUntilTheFirstIsReleased() throws {
    do {
      let first = try acquire()
      #expect(try !isFree())
      withExtendedLifetime(first) {}
    }
    #expect(try isFree())
  }

  @Test func noteContainsTheProcessID() throws {
    let lock = try acquire()
    #expect(FileLock.holderNote(at: path) == String(getpid()))
    withExtendedLifetime(lock) {}
  }

  @Test func shorterNoteReplacesALongerOne() throws {
    do { _ = try FileLock(path: path, note: "process 123456 on court one") }
    let lock = try FileLock(path: path, note: "7")
    #expect(FileLock.holderNote(at: path) == "7")
    withExtendedLifetime(lock) {}
  }

  @Test func removedLockCanBeAcquiredAgain() throws {
    try acquire().releaseAndRemove()
    #expect(try folder.names() == [])
    let again = try acquire()
    #expect(try !isFree())
    withExtendedLifetime(again) {}
  }

  /// The last holder can remove the file between another process's open and flock. Without a check, two could hold the lock.
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

  @Test(.enabled(if: LockHolder.isAvailable)) func anotherProcessIsRefused() throws {
    do {
      let lock = try acquire()
      #expect(try !LockHolder.canLock(path))
      withExtendedLifetime(lock) {}
    }
    #expect(try LockHolder.canLock(path))
  }

  @Test(.enabled(if: LockHolder.isAvailable)) func lockOfAKilledProcessIsReleased() throws {
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
      let lock = try acquire()
      try child.run()
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree())
    try input.fileHandleForWriting.close()
    child.waitUntilExit()
  }

  @Test func missingFolderFails() throws {
    let error = #expect(throws: DurableFileError.self) { _ = try FileLock(path: folder.path("none/job.lock")) }
    #expect(error?.code == ENOENT)
  }
}
