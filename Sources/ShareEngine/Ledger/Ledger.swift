import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// What a folder of results remembers: which source became which output, so that nothing is made twice.
///
/// Lines of JSON in `.bsc` of that folder, one file for each shard, that only grow: no two machines write one file, and
/// nothing of it needs what network file systems do not have.
package final class Ledger: Sendable {
  /// In the folder of results. Its presence says that the folder is one.
  package static let folderName = ".bsc"

  /// What to do with one file.
  enum Decision: Equatable {
    /// The output is there as it was made.
    case keep(LedgerEntry)
    /// The output of another file of the same bytes is there as it was made.
    case copy(LedgerEntry, ReplacePolicy)
    /// It failed before, and would again.
    case refused(LedgerEntry)
    case make(ReplacePolicy)
  }

  package let root: String
  /// Of the files of this shard: `beside-0-of-4`.
  let name: String
  let shard: Shard?
  let kind: Kind
  private let lock: FileLock
  private let log: Mutex<LineLog>
  let state: Mutex<LedgerState>
  /// Lines that say nothing: cut off by a crash, or damaged.
  package let unreadableLineCount: Int

  /// What else is in the ledger's folder of results.
  package enum Kind: String, Sendable {
    /// Results alone: whoever walks over the folder leaves it aside.
    case results = "ledger"
    /// Results beside their sources.
    case beside
  }

  /// Whether a folder holds results, and nothing else.
  package static func marksResults(_ folder: String) -> Bool { exists(in: folder, kind: .results) }

  /// Whether a folder has a ledger of this kind.
  package static func exists(in folder: String, kind: Kind) -> Bool {
    let names = (try? Folder.names(in: "\(folder)/\(folderName)")) ?? []
    return names.contains { $0.hasPrefix(kind.rawValue) && $0.hasSuffix(".jsonl") }
  }

  /// Reads what all shards wrote, and locks the file of this one.
  /// - Parameter root: an absolute path; it is made.
  /// - Throws: `ShareEngineError` (locked) when another bsc writes the same ledger, `DurableFileError`.
  package init(root: String, kind: Kind, shard: Shard? = nil) throws {
    let folder = "\(root)/\(Self.folderName)"
    // A folder may come from a stranger, and lead our work to another one.
    for path in [folder, "\(folder)/work", "\(folder)/trash"] where FileMove.isLink(path) {
      throw ShareEngineError(.batchLink, ["folder": root, "path": path])
    }
    try Folder.create(folder, permissions: 0o755)
    let name = kind.rawValue + (shard.map { "-\($0.index)-of-\($0.count)" } ?? "")
    guard let lock = try FileLock(path: "\(folder)/\(name).lock") else {
      throw ShareEngineError(.batchLocked, ["folder": root])
    }
    try Self.requireNoOtherSplit(in: folder, than: shard, kind: kind, root: root)
    let (entries, unreadable) = try Self.entries(in: root, kind: kind)
    var state = LedgerState()
    for entry in entries { state.take(entry) }
    self.root = root
    self.name = name
    self.shard = shard
    self.kind = kind
    self.lock = lock
    self.state = Mutex(state)
    log = Mutex(try LineLog(path: "\(folder)/\(name).jsonl"))
    unreadableLineCount = unreadable
  }

  /// Parts of one split never meet; the whole, or parts of another one, would make the same files at the same time.
  private static func requireNoOtherSplit(in folder: String, than shard: Shard?, kind: Kind, root: String) throws {
    let allowed = shard.map { "-of-\($0.count).lock" }
    for name in try Folder.names(in: folder) where name.hasPrefix(kind.rawValue) && name.hasSuffix(".lock") {
      if let allowed, name.hasSuffix(allowed) { continue }
      if shard == nil, name == "\(kind.rawValue).lock" { continue }
      guard try FileLock(path: "\(folder)/\(name)") == nil else { continue }
      throw ShareEngineError(.batchOtherSplit, ["folder": root])
    }
  }

  /// What a process that was killed left of outputs: each was begun and has no end.
  package func removeAbandoned() {
    let begun = state.withLock { Array($0.begun.values) }
    for entry in begun where shard?.owns(entry.source) ?? true {
      // What cannot be looked at is told when it is written.
      _ = try? StagedFile.removeAbandoned(of: "\(root)/\(entry.output)")
    }
    // Of parts of another split nobody works now, or this ledger could not have been opened.
    let siblings = shard.map { "-of-\($0.count)" }
    let places = (try? Folder.names(in: workFolder(of: ""))) ?? []
    for place in places where place == name || siblings.map({ !place.hasSuffix($0) }) ?? true {
      try? Folder.remove(workFolder(of: place))
    }
  }

  func workFolder(of name: String) -> String { "\(root)/\(Self.folderName)/work/\(name)" }

  /// What all shards wrote, in order, and how many lines say nothing.
  static func entries(in root: String, kind: Kind) throws -> (entries: [LedgerEntry], unreadableCount: Int) {
    let folder = "\(root)/\(folderName)"
    var entries: [LedgerEntry] = []
    var unreadable = 0
    let decoder = JSONDecoder()
    for file in try Folder.names(in: folder) where file.hasPrefix(kind.rawValue) && file.hasSuffix(".jsonl") {
      let bytes = try DurableFile.read("\(folder)/\(file)", limit: byteLimit)
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        if let entry = try? decoder.decode(LedgerEntry.self, from: line), entry.staysInside {
          entries.append(entry)
        } else {
          unreadable += 1
        }
      }
    }
    // Each file is in order; of several shards the later word counts.
    let ordered = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    return (ordered.map(\.element), unreadable)
  }

  /// What became of each source, as the ledgers of a folder of results tell it: no lock is needed for that.
  /// - Throws: `DurableFileError` when there is no ledger.
  package static func records(in root: String) throws -> [BatchRecord] {
    var last: [String: LedgerEntry] = [:]
    let all = try entries(in: root, kind: .results).entries
    let done = Set(all.filter { $0.event == .done }.map(\.key))
    for entry in all { last[entry.source] = entry }
    // A source that got another name while it was worked on was made under that.
    last = last.filter { ![.began, .made].contains($0.value.event) || !done.contains($0.value.key) }
    return last.values.sorted { $0.source < $1.source }.map(BatchRecord.init(told:)).filter(\.isPlausible)
  }

  /// A million files with two lines of a kilobyte each; more is no ledger.
  private static let byteLimit = 2 << 30

  /// The digest of a file that nobody has touched since it was made; `nil` when it has to be read.
  func digest(of identity: FileIdentity) -> String? { state.withLock { $0.digests[identity] } }

  /// The digest of the metadata that was put beside an output; `nil` when none was.
  func sidecar(ofOutput output: String) -> String? { state.withLock { $0.claims[output]?.last?.sidecar } }

  /// Looks at the outputs, but at no source. Blocks.
  /// - Parameters:
  ///   - force: make it whatever is there.
  ///   - retriesRefusals: what failed before is tried again.
  func decision(
    for item: BatchItem, key: LedgerEntry.Key, force: Bool, retriesRefusals: Bool
  ) throws(DurableFileError) -> Decision {
    let (results, refusal, claims) = state.withLock { state in
      (state.results[key] ?? [:], state.refusals[key], state.claims[item.output] ?? [])
    }
    if force { return .make(.replace) }
    if let own = results[item.output], isIntact(own) { return .keep(own) }
    // What is there stays unless we made it, of this source: it may have come a moment ago, or from another folder.
    let isOurs = claims.contains { ($0.path == item.path || $0.key.sha256 == key.sha256) && isIntact($0) }
    let policy: ReplacePolicy = isOurs ? .replace : .keepExisting
    let isFree = unsafe access(item.destination, F_OK) != 0
    if isFree || isOurs, let twin = results.values.sorted(by: { $0.output < $1.output }).first(where: isIntact) {
      return .copy(twin, policy)
    }
    if let refusal, !retriesRefusals { return .refused(refusal) }
    return .make(policy)
  }

  /// Whether the output is as it was when it was finished.
  func isIntact(_ entry: LedgerEntry) -> Bool {
    (try? FileIdentity.of("\(root)/\(entry.output)")).map(entry.isResult) ?? false
  }

  /// Writes a line; it is on the disk when this returns.
  func append(_ entry: LedgerEntry) async throws {
    try await WorkerThread.run("bsc ledger") { [self] _ in try appendNow(entry) }
  }

  /// The same; blocks.
  func appendNow(_ entry: LedgerEntry) throws {
    var entry = entry
    entry.at = max(entry.at, state.withLock(\.lastAt))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = String(decoding: try encoder.encode(entry), as: UTF8.self)
    try log.withLock { try $0.append(line) }
    state.withLock { $0.take(entry) }
  }
}
