package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// The files and folders to compress, and the options.
package struct CompressRunRequest: Sendable {
  /// Paths as specified by the user.
  package var paths: [String]
  /// Paths from a list. Relative paths keep their folders in the output folder.
  package var listed: [String] = []
  /// A file or a folder; `nil` writes next to the sources.
  package var output: String?
  package var request: ShareRequest
  /// Whether the request selects a rally.
  package var isRally = false
  /// Results replace their sources.
  package var replaces = false
  package var shard: Shard?
  package var includes: [Glob] = []
  package var excludes: [Glob] = []
  package var options = BatchOptions()
  /// Whether the run keeps processing new files in the folders until it is canceled.
  package var isWatching = false
  /// How long a new file must stay unchanged before it is processed.
  package var settleTime = Duration.seconds(5)

  package init(paths: [String], request: ShareRequest) { (self.paths, self.request) = (paths, request) }
}

/// The progress of a compress run, reported on any thread.
package enum CompressEvent: Sendable {
  case batch(BatchEvent)
  /// A file was processed. The paths are as specified by the user.
  case ended(BatchRecord, input: String, output: String, isSingleFile: Bool)
  /// An input or a replacement could not be examined.
  case failed(any ExplainedError)
  /// Some lines of a folder's ledger are unreadable and are ignored.
  case unreadableLedger(folder: String, lineCount: Int)
  /// A watched folder disappeared or reappeared.
  case folder(String, isPresent: Bool)
}

/// The result of processing all files, or only the files that were ready if `isWatching` is set.
package struct CompressPass: Sendable {
  /// The records in the order of completion.
  package var records: [BatchRecord]
  package var seconds: Double
  /// The records of all passes so far, with absolute paths of the results.
  package var all: [(record: BatchRecord, output: String?)]
  package var totalSeconds: Double
  /// Folders with replaced sources in their trash.
  package var trashFolders: [String]
  /// Whether there is only one file.
  package var isSingleFile: Bool
  package var outcome: RunOutcome
}

/// Compresses files. The next run resumes an interrupted one.
package final class CompressRun: Sendable {
  private let runRequest: CompressRunRequest
  private let places: Places
  private let report: @Sendable (CompressEvent) -> Void
  private let began = ContinuousClock.now
  private let state = Mutex(State())

  private struct State {
    var ledgers: [String: Ledger] = [:]
    /// The latest record of each file.
    var records: [BatchItem: BatchRecord] = [:]
    var order: [BatchItem] = []
  }

  package init(_ request: CompressRunRequest, places: Places, report: @escaping @Sendable (CompressEvent) -> Void) {
    (runRequest, self.places, self.report) = (request, places, report)
  }

  // MARK: Files

  /// Determines the destination of each file.
  /// - Parameter isDry: if true, nothing is changed. Otherwise, replacements that a killed run left unfinished are
  ///   completed or reverted.
  /// - Throws: `ShareEngineError` when there are no files, or when a destination is invalid.
  package func targets(isDry: Bool) throws -> OutputTargets {
    if runRequest.isWatching, let path = runRequest.paths.first(where: { !Folder.exists($0) }) {
      throw ShareEngineError(.noFolder, ["file": path])
    }
    let unrecovered = runRequest.replaces && !isDry ? try recoverReplacements() : []
    var targets = try targets(runRequest.paths)
    targets.unreadable += unrecovered
    if let input = targets.inputs.first(where: { !$0.destination.lowercased().hasSuffix(".mp4") }) {
      throw ShareEngineError(.outputNotMP4, ["output": input.destination])
    }
    return targets
  }

  private func targets(_ paths: [String]) throws -> OutputTargets {
    var filter = MediaFolder.Filter()
    (filter.includes, filter.excludes) = (runRequest.includes, runRequest.excludes)
    // Results cannot be written next to an alias of a source.
    filter.aliases = runRequest.output == nil ? nil : "\(places.cacheFolder)/names"
    filter.skipsResults = true
    filter.skipsReplaced = runRequest.replaces
    let targets = try OutputTargets(
      paths, listed: runRequest.listed, naming: runRequest.replaces ? .replaced : .compressed,
      output: runRequest.output, shard: runRequest.shard, filter: filter, mayBeEmpty: runRequest.isWatching)
    if runRequest.replaces { try targets.checkTrashFolders() }
    return targets
  }

  /// The inputs without the results of earlier runs.
  package static func sources(of inputs: [OutputTargets.Input]) -> [OutputTargets.Input] {
    let made = Dictionary(uniqueKeysWithValues: Set(inputs.compactMap(\.root)).map { ($0, Ledger.resultNames(in: $0)) })
    return inputs.filter { input in input.root.map { made[$0]?.contains(input.name) != true } ?? true }
  }

  // MARK: Ledgers

  /// Completes or reverts replacements that killed runs left unfinished.
  /// - Returns: errors for replacements that cannot be recovered.
  private func recoverReplacements() throws -> [any ExplainedError] {
    let roots = Set((runRequest.paths + runRequest.listed).map(OutputTargets.replacementRoot))
    return try roots.sorted().filter { Ledger.exists(in: $0, kind: ledgerKind) }.flatMap { root in
      try openLedger(root)
      return state.withLock { $0.ledgers[root] }?.recoverReplacements().map(\.error) ?? []
    }
  }

  private func openLedger(_ root: String) throws {
    guard state.withLock({ $0.ledgers[root] }) == nil else { return }
    let ledger = try Ledger(root: root, kind: ledgerKind, shard: runRequest.shard)
    ledger.removeAbandoned()
    if ledger.unreadableLineCount > 0 {
      report(.unreadableLedger(folder: root, lineCount: ledger.unreadableLineCount))
    }
    state.withLock { $0.ledgers[root] = ledger }
  }

  /// A folder that also contains the sources is not a results folder.
  private var ledgerKind: Ledger.Kind {
    guard let output = runRequest.output else { return .beside }
    return runRequest.paths.contains { realPath($0) == realPath(output) } ? .beside : .results
  }

  // MARK: Work

  /// Processes the files.
  /// - Parameters:
  ///   - targets: the result of `targets(isDry:)`.
  ///   - ended: called after each pass, to write its reports.
  /// - Returns: the outcome. If `isWatching` is set, the call returns only when the task is canceled.
  package func run(
    _ targets: OutputTargets, ended: @escaping @Sendable (CompressPass) async throws -> Void
  ) async throws -> RunOutcome {
    guard runRequest.isWatching else {
      let pass = try await pass(targets.inputs, unreadable: targets.unreadable)
      try await ended(pass)
      return pass.outcome
    }
    let watch = FolderWatch()
    var filter = StableFileFilter(patience: runRequest.settleTime)
    var (inputs, unreadable, folders) = (targets.inputs, targets.unreadable, targets.folders)
    var missing: Set<String> = []
    while true {
      let ready = filter.ready(inputs.map(\.source))
      let chosen = inputs.filter { ready.contains($0.source) }
      if !chosen.isEmpty || !unreadable.isEmpty { try await ended(try await pass(chosen, unreadable: unreadable)) }
      filter.markDone(chosen.map(\.source))
      // The kernel does not report that a missing folder reappears.
      let limit: Duration? = filter.hasUnstableFiles ? .seconds(1) : missing.isEmpty ? nil : .seconds(5)
      _ = try await watch.change(in: folders, atMost: limit)
      // A disk that was removed can reappear.
      let gone = Set(runRequest.paths.filter { !FileManager.default.fileExists(atPath: $0) })
      for path in gone.subtracting(missing) { report(.folder(path, isPresent: false)) }
      for path in missing.subtracting(gone) { report(.folder(path, isPresent: true)) }
      missing = gone
      let present = try self.targets(runRequest.paths.filter { !gone.contains($0) })
      (inputs, folders, unreadable) = (present.inputs, present.folders, [])
    }
  }

  /// - Parameter unreadable: inputs that cannot be examined.
  private func pass(_ inputs: [OutputTargets.Input], unreadable: [any ExplainedError]) async throws -> CompressPass {
    let clock = ContinuousClock.now
    let isSingleFile = inputs.count + unreadable.count == 1
    for root in Set(inputs.compactMap(\.root)) { try openLedger(root) }
    let items = inputs.map { input in
      BatchItem(
        path: absolutePath(input.source), name: input.name, displayPath: input.displayPath,
        destination: absolutePath(input.destination), root: input.root)
    }
    let outputs = Dictionary(zip(items, inputs.map { $0.displayDestination ?? $0.destination })) { first, _ in first }
    for error in unreadable { report(.failed(error)) }
    // On a full disk, a single file fails at once, but a batch waits for free space.
    var options = runRequest.options
    options.waitsForSpace = !options.failsFast && (inputs.count > 1 || runRequest.isWatching)
    options.replaces = runRequest.replaces
    let batch = ClipBatch(
      items: items, request: runRequest.request, isRally: runRequest.isRally, ledgers: state.withLock(\.ledgers),
      options: options
    ) { [self] event in
      report(.batch(event))
      guard case .ended(let item, let record) = event else { return }
      state.withLock { state in
        if state.records.updateValue(record, forKey: item) == nil { state.order.append(item) }
      }
      report(
        .ended(record, input: item.displayPath, output: outputs[item] ?? item.destination, isSingleFile: isSingleFile))
    }
    let records = try await batch.run()
    let failures = unreadable.map(\.explanation.category) + records.compactMap(\.failure)
    let isTrashed = runRequest.replaces && records.contains { $0.status == .done && $0.original != nil }
    return CompressPass(
      records: records, seconds: (ContinuousClock.now - clock).seconds,
      all: state.withLock { state in
        state.order.compactMap { item in
          state.records[item].map { ($0, $0.byteCount == nil ? nil : item.destination) }
        }
      },
      totalSeconds: (ContinuousClock.now - began).seconds,
      trashFolders: isTrashed ? Set(items.compactMap(\.root)).sorted() : [], isSingleFile: isSingleFile,
      // If one of many outputs already exists, that is not a usage error.
      outcome: RunOutcome(
        count: inputs.count + unreadable.count,
        failures: failures.map { $0 == .usage && !isSingleFile ? .unjudged : $0 }))
  }
}
