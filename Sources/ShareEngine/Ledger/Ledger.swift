import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Records which source file produced which output in a folder, so that no result is created twice.
///
/// The ledger consists of append-only files with JSON lines in the `.bsc` subfolder, one file per shard. Machines never
/// write to the same file, and the ledger doesn't depend on features that network file systems lack.
package final class Ledger: Sendable {
  /// The name of the ledger's subfolder in the results folder.
  static let folderName = ".bsc"

  /// The decision about how to process a file.
  enum FileDecision: Equatable {
    /// The output exists and is unchanged.
    case keep(LedgerEntry)
    /// Another file has identical content, and its output hasn't changed, so that output can be copied.
    case copy(LedgerEntry, ReplacePolicy)
    /// The file was rejected in an earlier run, and a retry would have the same result.
    case refused(LedgerEntry)
    case make(ReplacePolicy)
  }

  let root: String
  /// The base name of this shard's files, for example `beside-0-of-4`.
  let name: String
  let shard: Shard?
  let kind: LedgerKind
  private let lock: FileLock
  private let log: Mutex<LineLog>
  let state: Mutex<LedgerState>
  /// The number of unreadable lines. Lines can be damaged, or incomplete after a crash.
  let unreadableLineCount: Int

  /// The kind of files in the ledger's root folder. The raw values are file name prefixes.
  enum LedgerKind: String, Sendable {
    /// The folder contains only results, so searches for sources skip it.
    case results = "ledger"
    /// The folder contains results next to their sources.
    case beside
  }

  /// Whether a folder contains only results.
  package static func isResultsFolder(_ folder: String) -> Bool { hasLedger(in: folder, kind: .results) }

  /// Whether a folder contains a ledger of the given kind.
  static func hasLedger(in folder: String, kind: LedgerKind) -> Bool {
    let names = (try? Folder.names(in: "\(folder)/\(folderName)")) ?? []
    return names.contains { $0.hasPrefix(kind.rawValue) && $0.hasSuffix(".jsonl") }
  }

  /// Reads the ledgers of all shards and locks this shard's ledger.
  /// - Parameter root: the folder's absolute path. The folder is created if it is missing.
  /// - Throws: `ShareEngineError` in the category `locked` if another bsc process is using the ledger, or
  ///   `DurableFileError` if a file cannot be read or written.
  init(root: String, kind: LedgerKind, shard: Shard? = nil) throws {
    let folder = "\(root)/\(Self.folderName)"
    // The folder can come from an untrusted source, so symbolic links are rejected.
    for path in [folder, "\(folder)/work", "\(folder)/trash"] where FileMove.isLink(path) {
      throw ShareEngineError(.batchLink, ["folder": root, "path": path])
    }
    try Folder.create(folder, permissions: 0o755)
    let name = kind.rawValue + (shard.map { "-\($0.index)-of-\($0.count)" } ?? "")
    guard let lock = try FileLock(path: "\(folder)/\(name).lock") else {
      throw ShareEngineError(.batchLocked, ["folder": root])
    }
    try Self.requireNoOtherSplit(in: folder, than: shard, kind: kind, root: root)
    let (entries, unreadable) = try Self.readEntries(in: root, kind: kind)
    self.root = root
    self.name = name
    self.shard = shard
    self.kind = kind
    self.lock = lock
    state = Mutex(LedgerState(entries))
    log = Mutex(try LineLog(path: "\(folder)/\(name).jsonl"))
    unreadableLineCount = unreadable
  }

  /// Checks that no run with different split settings is active. Shards of the same split write separate files, but
  /// other runs would write the same files.
  private static func requireNoOtherSplit(in folder: String, than shard: Shard?, kind: LedgerKind, root: String) throws
  {
    let own = shard.map { "-of-\($0.count).lock" } ?? "\(kind.rawValue).lock"
    for name in try Folder.names(in: folder)
    where name.hasPrefix(kind.rawValue) && name.hasSuffix(".lock") && !name.hasSuffix(own) {
      guard try FileLock(path: "\(folder)/\(name)") == nil else { continue }
      throw ShareEngineError(.batchOtherSplit, ["folder": root])
    }
  }

  /// Removes unfinished temporary output files that a killed process did not remove.
  func removeAbandoned() {
    let begun = state.withLock { Array($0.begun.values) }
    for entry in begun where shard?.owns(entry.source) ?? true {
      // Ignore errors here. They are reported later, when the output is written.
      _ = try? StagedFile.removeAbandoned(of: "\(root)/\(entry.output)")
    }
    // No other process is using the work folders of a different split; otherwise, opening this ledger would have
    // failed.
    let siblings = shard.map { "-of-\($0.count)" }
    for folder in (try? Folder.names(in: workFolderPath(of: ""))) ?? []
    where folder == name || siblings.map({ !folder.hasSuffix($0) }) ?? true {
      try? Folder.remove(workFolderPath(of: folder))
    }
  }

  func workFolderPath(of name: String) -> String { "\(root)/\(Self.folderName)/work/\(name)" }

  /// Reads the entries of all shards in chronological order and counts unreadable lines.
  static func readEntries(in root: String, kind: LedgerKind) throws -> (entries: [LedgerEntry], unreadableCount: Int) {
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
    // Sort by time, and keep the order of lines with equal times.
    let ordered = readable.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    return (ordered.map(\.element), entries.count - readable.count)
  }

  /// Reads the record of each source in a results folder. Doesn't require a lock.
  /// - Throws: `DurableFileError` if there is no ledger.
  package static func readRecords(in root: String) throws -> [BatchRecord] {
    let entries = try readEntries(in: root, kind: .results).entries
    let done = Set(entries.filter { $0.event == .done }.map(\.key))
    // A source that was renamed during processing is recorded under its new name.
    return Dictionary(entries.map { ($0.source, $0) }) { _, last in last }.values
      .filter { ![.began, .made].contains($0.event) || !done.contains($0.key) }
      .sorted { $0.source < $1.source }.map { BatchRecord(reporting: $0, root: root) }.filter(\.isPlausible)
  }

  /// The maximum size of a ledger file, in bytes. It is enough for a million files with two lines of 1 kB each.
  private static let byteLimit = 2 << 30

  /// Returns a source's digest if the source hasn't changed since it was recorded, or `nil` if the digest must be
  /// computed.
  func knownDigest(of identity: FileIdentity) -> String? { state.withLock { $0.digests[identity] } }

  /// Returns the digest of the metadata that was copied to an output's folder, or `nil` if there is none.
  func sidecarDigest(ofOutput output: String) -> String? { state.withLock { $0.claims[output]?.last?.sidecar } }

  /// Decides how to process a file. Checks outputs on the disk, but not sources. Blocks.
  func decideProcessing(
    for item: BatchItem, key: LedgerEntry.ResultKey, options: BatchOptions
  ) throws(DurableFileError) -> FileDecision {
    let (results, refusal, claims) = state.withLock { state in
      (state.results[key] ?? [:], state.refusals[key], state.claims[item.output] ?? [])
    }
    if options.force { return .make(.replace) }
    if let own = results[item.output], isIntact(own) { return .keep(own) }
    // Replace an existing file only if bsc created it from this source. Any other file may be new or unrelated.
    let isOurs = claims.contains { ($0.path == item.path || $0.key.sha256 == key.sha256) && isIntact($0) }
    let policy: ReplacePolicy = isOurs ? .replace : .keepExisting
    let isFree = unsafe access(item.destination, F_OK) != 0
    if isFree || isOurs, let twin = results.values.sorted(by: { $0.output < $1.output }).first(where: isIntact) {
      return .copy(twin, policy)
    }
    if let refusal, !options.retriesFailed { return .refused(refusal) }
    return .make(policy)
  }

  /// Whether an entry's output has not changed since it was created.
  func isIntact(_ entry: LedgerEntry) -> Bool { Self.isIntact(entry, in: root) }

  static func isIntact(_ entry: LedgerEntry, in root: String) -> Bool {
    (try? FileIdentity.of("\(root)/\(entry.output)")).map(entry.isResult) ?? false
  }

  /// Appends an entry and returns after it is stored on the disk.
  func append(_ entry: LedgerEntry) async throws {
    try await WorkerThread.run("bsc ledger") { [self] _ in try appendSynchronously(entry) }
  }

  /// Like `append(_:)`. Blocks.
  func appendSynchronously(_ entry: LedgerEntry) throws {
    var entry = entry
    entry.at = max(entry.at, state.withLock(\.lastAt))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = String(decoding: try encoder.encode(entry), as: UTF8.self)
    try log.withLock { try $0.append(line) }
    state.withLock { $0.applyEntry(entry) }
  }
}
