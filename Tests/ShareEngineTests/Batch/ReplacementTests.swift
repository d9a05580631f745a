import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@testable import ClipMedia
@testable import ShareEngine

/// A replacement that was interrupted between any two steps is completed or reverted, and the source is never lost.
@Suite struct ReplacementTests {
  private let folder: ScratchFolder
  private let original = Data("the only copy of the source".utf8)
  private let small = Data("the result".utf8)

  private var root: String { folder.path("season") }

  init() throws {
    folder = try ScratchFolder()
    try Folder.create(root)
  }

  /// The last step before the power failure.
  enum Moment: String, CaseIterable, CustomTestStringConvertible {
    case recorded, bothNames, trashed, done, trashEmptied, foreign
    var testDescription: String { rawValue }
  }

  private func write(_ data: Data, _ name: String) throws {
    let path = "\(root)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try data.write(to: URL(filePath: path))
  }

  private func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(root)/\(name)") }

  private func ledger() async throws -> Ledger {
    // The thread that wrote the last line can keep the ledger open slightly longer than the test.
    try await TestTimeout.wait {
      do { _ = try Ledger(root: root, kind: .beside) } catch let error as ShareEngineError
        where error.explanation.category == .locked
      { return false }
      return true
    }
    return try Ledger(root: root, kind: .beside)
  }

  private func made(_ source: String, _ output: String, trash: Int) throws -> LedgerEntry {
    try write(small, "work.mp4")
    let identity = try FileIdentity.of("\(root)/work.mp4")
    var entry = LedgerEntry(
      event: .made, at: 1, source: source, output: output, identity: try FileIdentity.of("\(root)/\(source)"),
      key: .init(sha256: FileDigest.sha256(of: original), settings: "x"))
    entry.trash = trash
    entry.result = LedgerEntry.Result(
      byteCount: identity.byteCount, modifiedNanoseconds: identity.modifiedNanoseconds,
      sha256: FileDigest.sha256(of: small), sourceByteCount: Int64(original.count), decisions: [], removed: [],
      notes: [])
    return entry
  }

  @Test(
    arguments: ["deep/a.mov", "deep/a.mp4"].flatMap { source in Moment.allCases.map { (source, $0) } })
  func powerFailureLosesNoFile(_ source: String, _ moment: Moment) async throws {
    let output = "deep/a.mp4"
    let isSamePath = source == output
    try write(original, source)
    let last: LedgerEntry
    do {
      let ledger = try await ledger()
      let slot = try ledger.reserveTrash(for: source)
      last = try made(source, output, trash: slot.number)
      try await ledger.append(last)
    }
    let trashed = ".bsc/trash/1/\(source)"
    func link(_ name: String, _ other: String) throws {
      try FileManager.default.linkItem(atPath: "\(root)/\(name)", toPath: "\(root)/\(other)")
    }
    func move(_ name: String, _ other: String) throws {
      #expect(rename("\(root)/\(name)", "\(root)/\(other)") == 0)
    }
    // On file systems without an exclusive rename, a file temporarily has both names.
    if moment == .bothNames { try link(source, trashed) }
    if [.trashed, .done, .trashEmptied, .foreign].contains(moment) { try move(source, trashed) }
    if [.done, .trashEmptied].contains(moment) { try move("work.mp4", output) }
    if moment == .foreign { try write(Data("an unrelated file".utf8), source) }
    if moment == .trashEmptied { try FileManager.default.removeItem(atPath: "\(root)/.bsc/trash") }
    // The GOPs of the encode are needed until the result has replaced the source.
    let encode = StoredEncode(of: "\(root)/\(output)")
    try Data("GOPs".utf8).write(to: URL(filePath: encode.path))
    let ledger = try await ledger()
    #expect(ledger.recoverReplacements().isEmpty)
    #expect(FileManager.default.fileExists(atPath: encode.path) != [.done, .trashEmptied].contains(moment))
    switch moment {
    case .recorded, .bothNames, .trashed:
      #expect(bytes(source) == original && bytes(trashed) == nil)
      #expect(isSamePath || bytes(output) == nil)
      #expect(ledger.replacements[.init(number: 1, name: source)] == nil)
      #expect(!Ledger.hasReplacements(in: root))
    case .done:
      #expect(bytes(trashed) == original && bytes(output) == small)
      #expect(isSamePath || bytes(source) == nil)
      #expect(ledger.findResult(named: output)?.trash == 1)
    case .trashEmptied:
      #expect(bytes(output) == small && ledger.findResult(named: output)?.trash == 1)
    case .foreign:
      #expect(bytes(trashed) == original && bytes(source) == Data("an unrelated file".utf8))
      #expect(ledger.findResult(named: source) == nil)
    }
    // A second recovery changes nothing.
    let before = [bytes(source), bytes(output), bytes(trashed)]
    #expect(ledger.recoverReplacements().isEmpty)
    #expect([bytes(source), bytes(output), bytes(trashed)] == before)
  }

  /// A source that was replaced after its digest was computed is kept.
  @Test(arguments: ["a.mov", "a.mp4"]) func sourceThatChangesBeforeTheReplacementIsKept(_ source: String) async throws {
    try write(original, source)
    let read = try FileIdentity.of("\(root)/\(source)")
    let ledger = try await ledger()
    let slot = try ledger.reserveTrash(for: source)
    let entry = try made(source, "a.mp4", trash: slot.number)
    try await ledger.append(entry)
    try write(Data("a new recording".utf8), source)
    let replacement = Replacement(root: ledger.root, slot: slot, output: "a.mp4")
    #expect(throws: DurableFileError.self) { try replacement.replaceSource(with: "\(root)/work.mp4", original: read) }
    #expect(try ledger.recoverReplacement(entry) == .reverted)
    #expect(bytes(source) == Data("a new recording".utf8))
    #expect(source == "a.mp4" || bytes("a.mp4") == nil)
    #expect(!Ledger.hasReplacements(in: root))
  }

  /// Concurrent reservations get different numbers.
  @Test func trashSlotsAreReservedOnce() async throws {
    let trash = Trash(root: root)
    let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask { try (0..<25).map { _ in try trash.reserveSlot(for: "x/a.mov", after: 6).number } }
      }
      return try await group.reduce(into: [Int]()) { $0 += $1 }
    }
    #expect(numbers.sorted() == Array(7...106))
    let slot = Trash.Slot(number: 50, name: "x/a.mov")
    try write(original, ".bsc/trash/50/x/a.mov")
    try write(original, ".bsc/trash/51/x/.DS_Store")
    #expect(try trash.listSlots() == [slot])
    trash.removeEmptyFolders(of: slot)
    #expect(bytes(".bsc/trash/50/x/a.mov") == original)
  }

  /// A folder can come from an untrusted source. Its ledger and its links must not affect other folders.
  @Test func untrustedLedgerCannotReachOtherFolders() async throws {
    try write(original, "a.mov")
    try small.write(to: URL(filePath: folder.path("victim.mp4")))
    do {
      let ledger = try await ledger()
      var entry = try made("a.mov", "../victim.mp4", trash: 1)
      try await ledger.append(entry)
      entry.source = "../../planted.mov"
      try await ledger.append(entry)
    }
    let ledger = try await ledger()
    #expect(ledger.unreadableLineCount == 2)
    #expect(ledger.recoverReplacements().isEmpty)
    #expect(FileManager.default.contents(atPath: folder.path("victim.mp4")) == small)
    for name in ["work", "trash"] {
      let other = folder.path("other-\(name)")
      try Folder.create("\(other)/.bsc")
      try Folder.create(folder.path("precious/beside"))
      try FileManager.default.createSymbolicLink(
        atPath: "\(other)/.bsc/\(name)", withDestinationPath: folder.path("precious"))
      #expect(throws: ShareEngineError.self) { try Ledger(root: other, kind: .beside) }
      #expect(FileManager.default.fileExists(atPath: folder.path("precious/beside")))
    }
  }

  /// A replacement that can be neither completed nor reverted does not affect others.
  @Test func failedRecoveryDoesNotAffectOthers() async throws {
    for (number, name) in ["x/a.mov", "y/b.mov"].enumerated() {
      try write(original, name)
      let ledger = try await ledger()
      try await ledger.append(try made(name, (name as NSString).deletingPathExtension + ".mp4", trash: number + 1))
      try write(original, ".bsc/trash/\(number + 1)/\(name)")
      try FileManager.default.removeItem(atPath: "\(root)/\(name)")
    }
    // A file in place of the folder.
    try FileManager.default.removeItem(atPath: "\(root)/x")
    try write(Data(), "x")
    let ledger = try await ledger()
    #expect(ledger.recoverReplacements().map(\.name) == ["x/a.mov"])
    #expect(bytes("y/b.mov") == original && bytes(".bsc/trash/1/x/a.mov") == original)
  }
}
