import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct LedgerTests {
  private let folder: ScratchFolder
  private let settings = "0123456789abcdef"

  init() throws { folder = try ScratchFolder() }

  private func item(_ name: String) -> BatchItem {
    let stem = (name as NSString).deletingPathExtension
    return BatchItem(
      path: folder.path("in/\(name)"), name: name, displayPath: name, destination: folder.path("out/\(stem).mp4"),
      root: folder.path("out"))
  }

  /// Writes a source and its output, and returns their ledger entry.
  private func entry(
    _ event: LedgerEntry.Event, _ item: BatchItem, sha256: String = "aa", settings: String? = nil, writes: Bool = true
  ) throws -> LedgerEntry {
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    try Data(item.name.utf8).write(to: URL(filePath: item.path))
    var entry = LedgerEntry(
      event: event, at: 1, source: item.name, path: item.path, output: item.output,
      identity: try FileIdentity.of(item.path),
      key: .init(sha256: sha256, settings: settings ?? self.settings))
    guard [.done, .made].contains(event) else { return entry }
    if writes { try Data("output of \(item.name)".utf8).write(to: URL(filePath: item.destination)) }
    let output = try FileIdentity.of(item.destination)
    entry.result = LedgerEntry.Result(
      byteCount: output.byteCount, modifiedNanoseconds: output.modifiedNanoseconds, sha256: "bb", sourceByteCount: 9,
      decisions: [], removed: [], notes: [])
    return entry
  }

  private func open(_ shard: Shard? = nil) throws -> Ledger {
    try Ledger(root: folder.path("out"), kind: .results, shard: shard)
  }

  private func decision(
    _ ledger: Ledger, _ item: BatchItem, _ entry: LedgerEntry, force: Bool = false, retries: Bool = false
  ) throws -> Ledger.FileDecision {
    var options = BatchOptions()
    options.force = force
    options.retriesFailed = retries
    return try ledger.decideProcessing(for: item, key: entry.key, options: options)
  }

  /// The thread that wrote the last line can keep the ledger open slightly longer than the test.
  private func reopened(_ shard: Shard? = nil) async throws -> Ledger {
    try await TestTimeout.wait {
      do { _ = try open(shard) } catch let error as ShareEngineError where error.explanation.category == .locked {
        return false
      }
      return true
    }
    return try open(shard)
  }

  @Test func unchangedResultIsKept() async throws {
    let item = item("a.mov")
    let done = try entry(.done, item)
    do {
      let ledger = try open()
      #expect(try decision(ledger, item, done) == .make(.keepExisting))
      try await ledger.append(done)
      #expect(try decision(ledger, item, done) == .keep(done))
    }
    // A new ledger reads the entry.
    let ledger = try await reopened()
    #expect(try decision(ledger, item, done) == .keep(done))
    #expect(ledger.knownDigest(of: done.identity) == "aa")
    #expect(try decision(ledger, item, done, force: true) == .make(.replace))
    var other = done
    other.key.settings = "other"
    #expect(try decision(ledger, item, other) == .make(.replace))
    // A file of the same name in another folder is a different source.
    var otherItem = item
    otherItem.path = folder.path("elsewhere/a.mov")
    other.key.sha256 = "ff"
    #expect(try decision(ledger, otherItem, other) == .make(.keepExisting))
    #expect(try decision(ledger, item, other) == .make(.replace))
  }

  /// An edited result is kept. A deleted result is made again.
  @Test func changedResultIsNotReplaced() async throws {
    let item = item("a.mov")
    let done = try entry(.done, item)
    let ledger = try open()
    try await ledger.append(done)
    try Data("edited manually".utf8).write(to: URL(filePath: item.destination))
    #expect(try decision(ledger, item, done) == .make(.keepExisting))
    // The path is free. A file that appears there in the meantime is kept.
    try FileManager.default.removeItem(atPath: item.destination)
    #expect(try decision(ledger, item, done) == .make(.keepExisting))
  }

  /// The process was killed after renaming the output and before writing the `done` entry.
  @Test func madeResultIsRecognizedWithoutADoneEntry() async throws {
    let item = item("a.mov")
    let ledger = try open()
    try await ledger.append(try entry(.began, item))
    // This file has another origin.
    try Data("an unrelated file".utf8).write(to: URL(filePath: item.destination))
    let began = try entry(.began, item)
    #expect(try decision(ledger, item, began) == .make(.keepExisting))
    try FileManager.default.removeItem(atPath: item.destination)
    let made = try entry(.made, item)
    try await ledger.append(made)
    #expect(try decision(ledger, item, made) == .make(.replace))
    try Data("another unrelated file".utf8).write(to: URL(filePath: item.destination))
    #expect(try decision(ledger, item, made) == .make(.keepExisting))
  }

  /// A result is still recognized while another one is made to replace it.
  @Test func interruptedReplacementKeepsTheOldResult() async throws {
    let item = item("a.mov")
    let done = try entry(.done, item)
    let ledger = try open()
    try await ledger.append(done)
    var later = try entry(.began, item, settings: "other")
    try await ledger.append(later)
    later.event = .made
    later.result = done.result
    later.result?.byteCount += 7
    try await ledger.append(later)
    #expect(try decision(ledger, item, later) == .make(.replace))
    #expect(try decision(ledger, item, done) == .keep(done))
  }

  /// Entries are never dated before earlier ones, even if the clock is set back.
  @Test func lastEntryCountsEvenIfTheClockIsSetBack() async throws {
    let item = item("a.mov")
    var first = try entry(.done, item)
    first.at = 1000
    var second = try entry(.done, item, sha256: "cc", writes: false)
    second.at = 10
    do {
      let ledger = try open()
      try await ledger.append(first)
      try await ledger.append(second)
    }
    second.at = 1000
    #expect(try decision(await reopened(), item, second) == .keep(second))
  }

  @Test func resultOfEqualBytesIsCopied() async throws {
    let (first, second) = (item("a.mov"), item("b.mov"))
    let done = try entry(.done, first)
    let ledger = try open()
    try await ledger.append(done)
    #expect(try decision(ledger, second, done) == .copy(done, .keepExisting))
    // A changed result is not copied, and an unrelated file is not replaced.
    try Data("not ours".utf8).write(to: URL(filePath: second.destination))
    #expect(try decision(ledger, second, done) == .make(.keepExisting))
    try FileManager.default.removeItem(atPath: second.destination)
    try Data("edited".utf8).write(to: URL(filePath: first.destination))
    #expect(try decision(ledger, second, done) == .make(.keepExisting))
  }

  /// A result of another source replaced the output of `a.mov`.
  @Test func outputHasOneResult() async throws {
    let item = item("a.mov")
    let first = try entry(.done, item)
    let ledger = try open()
    try await ledger.append(first)
    try Data("the second, longer".utf8).write(to: URL(filePath: item.destination))
    let second = try entry(.done, item, sha256: "cc", writes: false)
    try await ledger.append(second)
    #expect(try decision(ledger, item, first) == .make(.replace))
    #expect(try decision(ledger, item, second) == .keep(second))
  }

  @Test func refusalsAreRemembered() async throws {
    let item = item("a.mov")
    let refused = try entry(.refused, item)
    let failed = try entry(.failed, item, sha256: "dd")
    let ledger = try open()
    try await ledger.append(refused)
    try await ledger.append(failed)
    #expect(try decision(ledger, item, refused) == .refused(refused))
    #expect(try decision(ledger, item, refused, retries: true) == .make(.keepExisting))
    #expect(try decision(ledger, item, failed) == .make(.keepExisting))
  }

  @Test func incompleteLineIsIgnored() async throws {
    let (first, second) = (item("a.mov"), item("b.mov"))
    let done = try entry(.done, first)
    do { try await (try open()).append(done) }
    let path = folder.path("out/.bsc/ledger.jsonl")
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"at":1,"event":"do"#.utf8))
    try handle.close()
    let later = try entry(.done, second, sha256: "ee")
    do {
      let ledger = try await reopened()
      #expect(ledger.unreadableLineCount == 1)
      try await ledger.append(later)
    }
    let ledger = try await reopened()
    #expect(ledger.unreadableLineCount == 1)
    #expect(try decision(ledger, first, done) == .keep(done))
    #expect(try decision(ledger, second, later) == .keep(later))
  }

  @Test func secondWriterIsRefused() throws {
    let ledger = try open()
    let error = #expect(throws: ShareEngineError.self) { try open() }
    #expect(error?.explanation.category == .locked)
    // A shard would make the same files at the same time.
    #expect(throws: ShareEngineError.self) { try open(Shard(index: 0, count: 2)) }
    withExtendedLifetime(ledger) {}
  }

  @Test func onlyShardsOfOneSplitRunTogether() throws {
    let first = try open(Shard(index: 0, count: 2))
    let second = try open(Shard(index: 1, count: 2))
    #expect(throws: ShareEngineError.self) { try open(Shard(index: 0, count: 3)) }
    #expect(throws: ShareEngineError.self) { try open() }
    withExtendedLifetime((first, second)) {}
  }

  /// A source that is renamed during processing is recorded under its new name.
  @Test func renamedSourceIsNotAFailure() async throws {
    let (old, new) = (item("old.mov"), item("new.mov"))
    let ledger = try open()
    try await ledger.append(try entry(.began, old))
    #expect(try Ledger.readRecords(in: folder.path("out")).map(\.status) == [.failed])
    try await ledger.append(try entry(.done, new))
    #expect(try Ledger.readRecords(in: folder.path("out")).map(\.file) == ["new.mov"])
  }

  @Test func temporaryFilesOfAKilledRunAreRemoved() async throws {
    let (first, second) = (item("a.mov"), item("b.mov"))
    do {
      let ledger = try open()
      try await ledger.append(try entry(.began, first))
      try await ledger.append(try entry(.done, second))
    }
    let names = [".a.mp4.bsc-12.tmp", ".a.json.bsc-12.tmp", ".ab.mp4.bsc-12.tmp", ".b.mp4.bsc-12.tmp"]
    for name in names { try Data().write(to: URL(filePath: folder.path("out/\(name)"))) }
    func left() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))).intersection(names)
    }
    let part = try #require(Shard(index: 0, count: 2))
    let other = try #require(Shard(index: 1, count: 2))
    do {
      let otherShard = try await reopened(part.owns("a.mov") ? other : part)
      otherShard.removeAbandoned()
    }
    #expect(try left() == Set(names))
    try await reopened().removeAbandoned()
    #expect(try left() == [".ab.mp4.bsc-12.tmp", ".b.mp4.bsc-12.tmp"])
  }

  @Test(
    arguments: [
      ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000", 2), ("50000 100000", 1), ("", nil), ("x y", nil),
    ] as [(String, Int?)])
  func controlGroupQuotaLimitsTheCores(_ text: String, _ count: Int?) {
    #expect(AvailableCores.parseQuota(text) == count)
  }

  @Test func shardsReadEachOther() async throws {
    let item = item("a.mov")
    let done = try entry(.done, item)
    try await (try open(Shard(index: 1, count: 2))).append(done)
    do { #expect(try decision(open(Shard(index: 0, count: 2)), item, done) == .keep(done)) }
    #expect(try decision(await reopened(), item, done) == .keep(done))
    #expect(try Ledger.readRecords(in: folder.path("out")).map(\.status) == [.done])
    #expect(Ledger.isResultsFolder(folder.path("out")) && !Ledger.isResultsFolder(folder.path("in")))
  }
}
