import DurableFiles
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ShareEngine

/// Digests are stored by device, inode, size and modification time.
@Suite struct JournalDigestsTests {
  let home: ScratchFolder
  let places: ApplicationFolders
  let file: String

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
    file = home.path("clip.mp4")
    try write("one")
  }

  /// - Parameter age: seconds since the modification.
  private func write(_ text: String, age: Double = 100) throws {
    let handle = FileManager.default.createFile(atPath: file, contents: nil)
    #expect(handle)
    try Data(text.utf8).write(to: URL(filePath: file))
    try setAge(age)
  }

  private func setAge(_ age: Double, fraction: Double = 0) throws {
    // Whole seconds, so that equal ages give equal times.
    let date = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - age).rounded() + fraction)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
  }

  private func digest(of text: String) async throws -> String {
    let other = home.path("other")
    try Data(text.utf8).write(to: URL(filePath: other))
    return try await FileDigest.sha256(path: other)
  }

  private func countDigests() async throws -> Int? {
    try await DatabaseQueue(path: places.journalFile).read { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM digest")
    }
  }

  /// The test overwrites the file with the same size and resets its time, which is not detectable. A file that was just
  /// written is read only once, too, if its time has a fraction of a second.
  @Test(arguments: [(100.0, 0.0), (2.0, 0.5)]) func unchangedFileIsNotReadAgain(age: Double, fraction: Double)
    async throws
  {
    try setAge(age, fraction: fraction)
    let journal = try await Journal.open(places)
    let first = try await journal.sha256(ofFileAt: file)
    #expect(first == (try await digest(of: "one")))
    let before = try FileIdentity.of(file)
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.write(contentsOf: Data("two".utf8))
    try handle.close()
    let date = Date(timeIntervalSince1970: Double(before.modifiedNanoseconds) / 1e9)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    #expect(try FileIdentity.of(file) == before)
    #expect(try await journal.sha256(ofFileAt: file) == first)
    // Another process finds the stored digest.
    #expect(try await Journal.open(places).sha256(ofFileAt: file) == first)
  }

  @Test func changedFileIsReadAgain() async throws {
    let journal = try await Journal.open(places)
    _ = try await journal.sha256(ofFileAt: file)
    try write("two", age: 50)
    #expect(try await journal.sha256(ofFileAt: file) == (try await digest(of: "two")))
    try write("more", age: 50)
    #expect(try await journal.sha256(ofFileAt: file) == (try await digest(of: "more")))
  }

  /// A recently modified file can change again without a new modification time.
  @Test func recentlyModifiedFileIsNotStored() async throws {
    let journal = try await Journal.open(places)
    try write("one", age: 0)
    _ = try await journal.sha256(ofFileAt: file)
    #expect(try await countDigests() == 0)
  }

  /// Times of whole seconds can have steps of 2 s.
  @Test(arguments: [(0, 1.9, 0), (0, 2.1, 1), (500_000_000, 0.04, 0), (500_000_000, 0.06, 1)])
  func changesOfStoredFilesAreDetectable(nanoseconds: Int64, age: Double, storedCount: Int) async throws {
    let journal = try await Journal.open(places)
    var identity = try FileIdentity.of(file)
    identity.modifiedNanoseconds += nanoseconds
    let modified = Double(identity.modifiedNanoseconds) / 1e9
    await journal.storeDigest("digest", of: identity, readAt: Date(timeIntervalSince1970: modified + age))
    #expect(try await countDigests() == storedCount)
  }

  @Test func unusedDigestsExpire() async throws {
    let journal = try await Journal.open(places)
    let identity = try FileIdentity.of(file)
    await journal.storeDigest("old", of: identity, readAt: Date(timeIntervalSinceNow: 200))
    #expect(try await journal.sha256(ofFileAt: file) == "old")
    var other = identity
    other.inode += 1
    await journal.storeDigest("new", of: other, readAt: Date(timeIntervalSinceNow: 91 * 86_400))
    #expect(try await journal.sha256(ofFileAt: file) == (try await digest(of: "one")))
  }

  @Test func digestIsComputedWithoutJournal() async throws {
    let journal = try await Journal.open(places)
    try await DatabaseQueue(path: places.journalFile).write { try $0.execute(sql: "DROP TABLE digest") }
    #expect(try await journal.sha256(ofFileAt: file) == (try await digest(of: "one")))
  }
}
