import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Records which source became which output in a folder, so that no result is created twice.
///
/// The ledger consists of append-only JSON lines in the folder's `.bsc` subfolder, with one file per shard. No two
/// machines write to the same file, and it doesn't depend on features that network file systems lack.
package final class Ledger: Sendable {
  /// The ledger's folder within the results folder.
  static let folderName = ".bsc"

  /// What to do with one file.
  enum Decision: Equatable {
    /// The output exists and is unchanged.
    case keep(LedgerEntry)
    /// The unchanged output of another file with the same bytes can be copied.
    case copy(LedgerEntry, ReplacePolicy)
    /// The file failed in an earlier run and would fail again.
    case refused(LedgerEntry)
    case make(ReplacePolicy)
  }

  let root: String
  /// The name of this shard's files, for example `beside-0-of-4`.
  let name: String
  let shard: Shard?
  let kind: Kind
  private let lock: FileLock
  private let log: Mutex<LineLog>
  let state: Mutex<LedgerState>
  /// The number of unreadable lines, which are either damaged or incomplete after a crash.
  let unreadableLineCount: Int

  /// The content of the ledger's folder. The raw values are prefixes of file names.
  enum Kind: String, Sendable {
    /// The folder contains only results. Searches for sources skip it.
    case results = "ledger"
    /// The folder contains results next to their sources.
    case beside
  }

  /// Whether a folder contains only results.
  package static func isResultsFolder(_ folder: String) -> Bool { exists(in: folder, kind: .results) }

  /// Whether a folder has a ledger of this kind.
  static func exists(in folder: String, kind: Kind) -> Bool {
    let names = (try? Folder.names(in: "\(folder)/\(folderName)")) ?? []
    return names.contains { $0.hasPrefix(kind.rawValue) && $0.hasSuffix(".jsonl") }
  }

  /// Reads the ledgers of all shards, and locks the ledger of this one.
  /// - Parameter root: an absolute path. The folder is created if it is missing.
  /// - Throws: `ShareEngineError` (locked) when another bsc process uses the ledger, `DurableFileError`.
  init(root: String, kind: Kind, shard: Shard? = nil) throws {
    let folder = "\(root)/\(Self.folderName)"
    // The folder can come from an untrusted source, so links to other folders are not allowed.
    for path in [folder, "\(folder)/work", "\(folder)/trash"] where FileMove.isLink(path) {
      throw ShareEngineError(.batchLink, ["folder": root, "path": path])
    }
    try Folder.create(folder, permissions: 0o755)
    let name = kind.rawValue + (shard.map { "-\($0.index)-of-\($0.count)" } ?? "")
    guard let lock = try FileLock(path: "\(folder)/\(name).lock") else {
      throw ShareEngineError(.batchLocked, ["folder": root])
    }
    try Self.checkNoOtherSplit(in: folder, than: shard, kind: kind, root: root)
    let (entries, unreadable) = try Self.entries(in: root, kind: kind)
    self.root = root
    self.name = name
    self.shard = shard
    self.kind = kind
    self.lock = lock
    state = Mutex(LedgerState(entries))
    log = Mutex(try LineLog(path: "\(folder)/\(name).jsonl"))
    unreadableLineCount = unreadable
  }

  /// Shards of one split write separate files. An unsplit run, or shards of a different split, would create the same
  /// files.
  private static func checkNoOtherSplit(in folder: String, than shard: Shard?, kind: Kind, root: String) throws {
    let own = shard.map { "-of-\($0.count).lock" } ?? "\(kind.rawValue).lock"
    for name in try Folder.names(in: folder)
    where name.hasPrefix(kind.rawValue) && name.hasSuffix(".lock") && !name.hasSuffix(own) {
      guard try FileLock(path: "\(folder)/\(name)") == nil else { continue }
      throw ShareEngineError(.batchOtherSplit, ["folder": root])
    }
  }

  /// Removes temporary output files that a killed process left unfinished.
  func removeAbandoned() {
    let begun = state.withLock { Array($0.begun.values) }
    for entry in begun where shard?.owns(entry.source) ?? true {
      // Errors are reported later, when the output is written.
      _ = try? StagedFile.removeAbandoned(of: "\(root)/\(entry.output)")
    }
    // No process is using the work folders of a different split; otherwise, this ledger could not have been opened.
    let siblings = shard.map { "-of-\($0.count)" }
    for folder in (try? Folder.names(in: workFolder(of: ""))) ?? []
    where folder == name || siblings.map({ !folder.hasSuffix($0) }) ?? true {
      try? Folder.remove(workFolder(of: folder))
    }
  }

  func workFolder(of name: String) -> String { "\(root)/\(Self.folderName)/work/\(name)" }

  /// Reads the entries of all shards in chronological order, and counts unreadable lines.
  static func entries(in root: String, kind: Kind) throws -> (entries: [LedgerEntry], unreadableCount: Int) {
    let folder = "\(root)/\(folderName)"
    let decoder = JSONDecoder()
    let entries = try Folder.names(in: folder)
      .filter { $0.hasPrefix(kind.rawValue) && $0.hasSuffix(".jsonl") }
      .flatMap { file in
        try DurableFile.read("\(folder)/\(file)", limit: byteLimit).split(separator: UInt8(ascii: "\n")).map { line in
          (try? decoder.decode(LedgerEntry.self, from: line)).flatMap { $0.staysInside ? $0 : nil }
        }
      }
    let readable = entries.compactMap(\.self)
    // Sorts by time. The sort keeps the order of lines with equal times.
    let ordered = readable.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    return (ordered.map(\.element), entries.count - readable.count)
  }

  /// The record of each source in a results folder. Doesn't need a lock.
  /// - Throws: `DurableFileError` when there is no ledger.
  package static func records(in root: String) throws -> [BatchRecord] {
    let entries = try entries(in: root, kind: .results).entries
    let done = Set(entries.filter { $0.event == .done }.map(\.key))
    // A source that was renamed during processing is recorded under its new name.
    return Dictionary(entries.map { ($0.source, $0) }) { _, last in last }.values
      .filter { ![.began, .made].contains($0.event) || !done.contains($0.key) }
      .sorted { $0.source < $1.source }.map(BatchRecord.init(reporting:)).filter(\.isPlausible)
  }

  /// Enough for a million files with two lines of 1 kB each.
  private static let byteLimit = 2 << 30

  /// The digest of a source that has not changed since it was recorded; `nil` when it must be computed.
  func digest(of identity: FileIdentity) -> String? { state.withLock { $0.digests[identity] } }

  /// The digest of the metadata that was copied next to an output; `nil` when there is none.
  func sidecar(ofOutput output: String) -> String? { state.withLock { $0.claims[output]?.last?.sidecar } }

  /// Decides what to do with a file. Examines outputs, but not sources. Blocks.
  func decision(
    for item: BatchItem, key: LedgerEntry.Key, options: BatchOptions
  ) throws(DurableFileError) -> Decision {
    let (results, refusal, claims) = state.withLock { state in
      (state.results[key] ?? [:], state.refusals[key], state.claims[item.output] ?? [])
    }
    if options.force { return .make(.replace) }
    if let own = results[item.output], isIntact(own) { return .keep(own) }
    // An existing file is only replaced if bsc made it from this source. Any other file may be new or unrelated.
    let isOurs = claims.contains { ($0.path == item.path || $0.key.sha256 == key.sha256) && isIntact($0) }
    let policy: ReplacePolicy = isOurs ? .replace : .keepExisting
    let isFree = unsafe access(item.destination, F_OK) != 0
    if isFree || isOurs, let twin = results.values.sorted(by: { $0.output < $1.output }).first(where: isIntact) {
      return .copy(twin, policy)
    }
    if let refusal, !options.retriesFailed { return .refused(refusal) }
    return .make(policy)
  }

  /// Whether the output is unchanged since it was made.
  func isIntact(_ entry: LedgerEntry) -> Bool { Self.isIntact(entry, in: root) }

  static func isIntact(_ entry: LedgerEntry, in root: String) -> Bool {
    (try? FileIdentity.of("\(root)/\(entry.output)")).map(entry.isResult) ?? false
  }

  /// Appends an entry, and returns when it is on the disk.
  func append(_ entry: LedgerEntry) async throws {
    try await WorkerThread.run("bsc ledger") { [self] _ in try appendNow(entry) }
  }

  /// Like `append(_:)`. Blocks.
  func appendNow(_ entry: LedgerEntry) throws {
    var entry = entry
    entry.at = max(entry.at, state.withLock(\.lastAt))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = String(decoding: try encoder.encode(entry), as: UTF8.self)
    try log.withLock { try $0.append(line) }
    state.withLock { $0.apply(entry) }
  }
}
