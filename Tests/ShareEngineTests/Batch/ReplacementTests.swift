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
    case told, bothNames, aside, done, trashEmptied, foreign
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
    try await Patience.wait {
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
    // Where the file system knows no better, a file has both names for a moment.
    if moment == .bothNames { try link(source, aside) }
    if [.aside, .done, .trashEmptied, .foreign].contains(moment) { try move(source, aside) }
    if [.done, .trashEmptied].contains(moment) { try move("work.mp4", output) }
    if moment == .foreign { try write(Data("somebody else's".utf8), source) }
    if moment == .trashEmptied { try FileManager.default.removeItem(atPath: "\(root)/.bsc/trash") }
    let ledger = try await ledger()
    #expect(ledger.settleReplacements().isEmpty)
    switch moment {
    case .told, .bothNames, .aside:
      #expect(bytes(source) == original && bytes(aside) == nil)
      #expect(isSamePlace || bytes(output) == nil)
      #expect(ledger.replacement(.init(number: 1, name: source)) == nil)
      #expect(!Ledger.hasReplacements(in: root))
    case .done:
      #expect(bytes(aside) == original && bytes(output) == small)
      #expect(isSamePlace || bytes(source) == nil)
      #expect(ledger.ownResult(output)?.trash == 1)
    case .trashEmptied:
      #expect(bytes(output) == small && ledger.ownResult(output)?.trash == 1)
    case .foreign:
      #expect(bytes(aside) == original && bytes(source) == Data("somebody else's".utf8))
      #expect(ledger.ownResult(source) == nil)
    }
    // Nothing more to do, and everything to take back.
    let before = [bytes(source), bytes(output), bytes(aside)]
    #expect(ledger.settleReplacements().isEmpty)
    #expect([bytes(source), bytes(output), bytes(aside)] == before)
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
    #expect(try ledger.settle(entry) == .takenBack)
    #expect(bytes(source) == Data("recorded anew".utf8))
    #expect(source == "a.mp4" || bytes("a.mp4") == nil)
    #expect(!Ledger.hasReplacements(in: root))
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

  /// A folder may come from a stranger: its ledger and its links lead nowhere else.
  @Test func aStrangersLedgerReachesNothingOutside() async throws {
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
    #expect(ledger.settleReplacements().isEmpty)
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

  /// One that can be neither carried out nor taken back keeps none of the others from it.
  @Test func oneThatCannotBeSettledStopsNobody() async throws {
    for (number, name) in ["x/a.mov", "y/b.mov"].enumerated() {
      try write(original, name)
      let ledger = try await ledger()
      try await ledger.append(try made(name, (name as NSString).deletingPathExtension + ".mp4", trash: number + 1))
      try write(original, ".bsc/trash/\(number + 1)/\(name)")
      try FileManager.default.removeItem(atPath: "\(root)/\(name)")
    }
    // A file where the folder was.
    try FileManager.default.removeItem(atPath: "\(root)/x")
    try write(Data(), "x")
    let ledger = try await ledger()
    #expect(ledger.settleReplacements().map(\.name) == ["x/a.mov"])
    #expect(bytes("y/b.mov") == original && bytes(".bsc/trash/1/x/a.mov") == original)
  }
}
