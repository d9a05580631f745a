import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

/// A replacement that was stopped between any two of its steps is carried out or taken back, and the source is never
/// lost.
@Suite struct ReplacementTests {
  private let folder: ScratchFolder
  private let original = Data("the source, which is all there is of it".utf8)
  private let small = Data("the result".utf8)

  private var root: String { folder.path("season") }

  init() throws {
    folder = try ScratchFolder()
    try Folder.create(root)
  }

  /// What the steps have done by the moment of the power cut.
  enum Moment: String, CaseIterable, CustomTestStringConvertible {
    case told, resultMoved, asideLinked, sourceMoved, bothNames, sourceOnlyAside, done
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
    // The thread that wrote the last line may hold a ledger for a moment longer than the test.
    for _ in 0..<200 {
      do { return try Ledger(root: root, kind: .beside) } catch let error as ShareEngineError
        where error.explanation.category == .locked
      { try await Task.sleep(for: .milliseconds(5)) }
    }
    return try Ledger(root: root, kind: .beside)
  }

  private func made(_ source: String, _ output: String, trash: Int) throws -> LedgerEntry {
    try write(small, "work.mp4")
    let identity = try FileIdentity.of("\(root)/work.mp4")
    var entry = LedgerEntry(
      .made, at: 1, source: source, output: output, identity: try FileIdentity.of("\(root)/\(source)"),
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
  func aPowerCutLosesNothing(_ source: String, _ moment: Moment) async throws {
    let output = "deep/a.mp4"
    let isSamePlace = source == output
    try write(original, source)
    let last: LedgerEntry
    do {
      let ledger = try await ledger()
      let place = try ledger.takeTrash(for: source)
      last = try made(source, output, trash: place.number)
      try await ledger.append(last)
    }
    let aside = ".bsc/trash/1/\(source)"
    func link(_ name: String, _ other: String) throws {
      try FileManager.default.linkItem(atPath: "\(root)/\(name)", toPath: "\(root)/\(other)")
    }
    func move(_ name: String, _ other: String) throws {
      #expect(rename("\(root)/\(name)", "\(root)/\(other)") == 0)
    }
    switch (moment, isSamePlace) {
    case (.told, _): break
    case (.resultMoved, false): try move("work.mp4", output)
    case (.bothNames, false):
      try move("work.mp4", output)
      try link(source, aside)
    case (.sourceMoved, false), (.done, false):
      try move("work.mp4", output)
      try move(source, aside)
    case (.asideLinked, true): try link(source, aside)
    // Disks without hard links.
    case (.sourceOnlyAside, true): try move(source, aside)
    case (.done, true):
      try link(source, aside)
      try move("work.mp4", source)
    default: return
    }
    let ledger = try await ledger()
    try ledger.settleReplacements()
    let isCarriedOut = bytes(aside) != nil
    #expect(isCarriedOut == [.resultMoved, .bothNames, .sourceMoved, .done].contains(moment))
    if isCarriedOut {
      #expect(bytes(aside) == original && bytes(output) == small)
      #expect(isSamePlace || bytes(source) == nil)
      #expect(ledger.ownResult(output)?.trash == 1)
    } else {
      #expect(bytes(source) == original)
      #expect(isSamePlace || bytes(output) == nil)
      #expect(ledger.replacement(1) == nil)
      #expect(!Trash.isKept(in: root))
    }
    // Nothing more to do, and everything to take back.
    try ledger.settleReplacements()
    #expect((bytes(aside) != nil) == isCarriedOut)
  }

  /// The source became another file between the digest and the exchange: that one stays.
  @Test(arguments: ["a.mov", "a.mp4"]) func aSourceThatChangesAtTheLastMomentStays(_ source: String) async throws {
    try write(original, source)
    let read = try FileIdentity.of("\(root)/\(source)")
    let ledger = try await ledger()
    let place = try ledger.takeTrash(for: source)
    let entry = try made(source, "a.mp4", trash: place.number)
    try await ledger.append(entry)
    try write(Data("recorded anew".utf8), source)
    let replacement = Replacement(root: ledger.root, place: place, output: "a.mp4")
    #expect(throws: DurableFileError.self) { try replacement.carryOut("\(root)/work.mp4", original: read) }
    #expect(try !ledger.settle(entry))
    #expect(bytes(source) == Data("recorded anew".utf8))
    #expect(source == "a.mp4" || bytes("a.mp4") == nil)
    #expect(!Trash.isKept(in: root))
  }

  /// Whoever takes a place has it alone, and no number comes twice.
  @Test func placesInTheTrashAreTakenOnce() async throws {
    let trash = Trash(root: root)
    let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 { group.addTask { try (0..<25).map { _ in try trash.take(for: "x/a.mov", after: 6).number } } }
      return try await group.reduce(into: [Int]()) { $0 += $1 }
    }
    #expect(numbers.sorted() == Array(7...106))
    let place = Trash.Place(number: 50, name: "x/a.mov")
    try write(original, ".bsc/trash/50/x/a.mov")
    try write(original, ".bsc/trash/51/x/.DS_Store")
    #expect(try trash.places() == [place])
    trash.giveUp(place)
    #expect(bytes(".bsc/trash/50/x/a.mov") == original)
  }
}
