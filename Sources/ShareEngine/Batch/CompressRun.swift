package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// A request to compress files and folders.
package struct CompressRunRequest: Sendable {
  /// The paths of files and folders, as the user entered them.
  package var paths: [String]
  /// The paths from a list file. Relative paths keep their folder structure in the output folder.
  package var listed: [String] = []
  /// The output file or folder, or `nil` to write results to the sources' folders.
  package var output: String?
  package var clipRequest: ShareRequest
  /// Whether the request selects a rally.
  package var isRally = false
  /// Whether results replace their sources.
  package var replaces = false
  package var shard: Shard?
  package var includes: [Glob] = []
  package var excludes: [Glob] = []
  package var options = BatchOptions()
  /// Whether the run continues to process new files in the folders until it is canceled.
  package var isWatching = false
  /// The duration that a new file must remain unchanged before it is processed.
  package var settleTime = Duration.seconds(5)

  package init(paths: [String], clipRequest: ShareRequest) {
    (self.paths, self.clipRequest) = (paths, clipRequest)
  }
}

/// An event during a compress run. Events can arrive on any thread.
package enum CompressEvent: Sendable {
  case batch(BatchEvent)
  /// A file was processed. The paths are in the form that the user entered.
  case ended(BatchRecord, input: String, output: String, isSingleFile: Bool)
  /// An input or an unfinished replacement could not be read.
  case failed(any ExplainedError)
  /// A folder's ledger contains unreadable lines, which are ignored.
  case unreadableLedger(folder: String, lineCount: Int)
  /// A watched folder disappeared or reappeared.
  case folder(String, isPresent: Bool)
}

/// The result of one pass over all files. If `isWatching` is set, a pass includes only the files that were ready.
package struct CompressPass: Sendable {
  /// The records of this pass, in order of completion.
  package var records: [BatchRecord]
  package var seconds: Double
  /// The records of all passes so far, with the absolute paths of the results.
  package var all: [(record: BatchRecord, output: String?)]
  package var totalSeconds: Double
  /// The folders whose trash contains sources that this pass replaced.
  package var trashFolders: [String]
  /// Whether the pass includes only a single file.
  package var isSingleFile: Bool
  package var outcome: RunOutcome
}

/// Compresses files. If a run is interrupted, the next run resumes it.
package final class CompressRun: Sendable {
  private let runRequest: CompressRunRequest
  private let places: ApplicationFolders
  private let report: @Sendable (CompressEvent) -> Void
  private let began = ContinuousClock.now
  private let state = Mutex(State())

  private struct State {
    var ledgers: [String: Ledger] = [:]
    /// The latest record of each file.
    var records: [BatchItem: BatchRecord] = [:]
    var order: [BatchItem] = []
  }

  package init(
    _ request: CompressRunRequest, places: ApplicationFolders, report: @escaping @Sendable (CompressEvent) -> Void
  ) {
    (runRequest, self.places, self.report) = (request, places, report)
  }

  // MARK: Files

  /// Determines the destination of each file.
  /// - Parameter isDry: whether to leave all files unchanged. If false, replacements that a killed run left unfinished
  ///   are completed or reverted.
  /// - Throws: `ShareEngineError` if no videos are found, or if a destination is invalid.
  package func findTargets(isDry: Bool) throws -> OutputTargets {
    if runRequest.isWatching, let path = runRequest.paths.first(where: { !Folder.exists($0) }) {
      throw ShareEngineError(.noFolder, ["file": path])
    }
    let unrecovered = runRequest.replaces && !isDry ? try recoverReplacements() : []
    var targets = try findTargets(in: runRequest.paths)
    targets.unreadable += unrecovered
    if let input = targets.inputs.first(where: { !$0.destination.lowercased().hasSuffix(".mp4") }) {
      throw ShareEngineError(.outputNotMP4, ["output": input.destination])
    }
    return targets
  }

  private func findTargets(in paths: [String]) throws -> OutputTargets {
    var filter = MediaFolder.Filter()
    (filter.includes, filter.excludes) = (runRequest.includes, runRequest.excludes)
    // If results are written to the sources' folders, sources cannot be opened through aliases in a different folder.
    filter.aliases = runRequest.output == nil ? nil : "\(places.cacheFolder)/names"
    filter.skipsResults = true
    filter.skipsReplaced = runRequest.replaces
    let targets = try OutputTargets(
      paths, listed: runRequest.listed, naming: runRequest.replaces ? .replaced : .compressed,
      output: runRequest.output, shard: runRequest.shard, filter: filter, mayBeEmpty: runRequest.isWatching)
    if runRequest.replaces { try targets.checkTrashFolders() }
    return targets
  }

  /// Returns the inputs that are not results of earlier runs.
  package static func removingResults(from inputs: [OutputTargets.Input]) -> [OutputTargets.Input] {
    let made = Dictionary(
      uniqueKeysWithValues: Set(inputs.compactMap(\.root)).map { ($0, Ledger.findResultNames(in: $0)) })
    return inputs.filter { input in input.root.map { made[$0]?.contains(input.name) != true } ?? true }
  }

  // MARK: Ledgers

  /// Completes or reverts all replacements that killed runs left unfinished.
  /// - Returns: an error for each replacement that cannot be completed or reverted.
  private func recoverReplacements() throws -> [any ExplainedError] {
    let roots = Set((runRequest.paths + runRequest.listed).map(OutputTargets.replacementRoot))
    return try roots.sorted().filter { Ledger.hasLedger(in: $0, kind: ledgerKind) }.flatMap { root in
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

  /// The kind of ledger. A folder that also contains the sources is not a results folder.
  private var ledgerKind: Ledger.LedgerKind {
    guard let output = runRequest.output else { return .beside }
    return runRequest.paths.contains { realPath($0) == realPath(output) } ? .beside : .results
  }

  // MARK: Work

  /// Processes the files at the given targets.
  /// - Parameters:
  ///   - targets: the targets that `findTargets(isDry:)` returned.
  ///   - ended: called after each pass, for example to write reports.
  /// - Returns: the outcome of the run. If `isWatching` is set, the run ends only when the task is canceled.
  package func run(
    _ targets: OutputTargets, ended: @escaping @Sendable (CompressPass) async throws -> Void
  ) async throws -> RunOutcome {
    guard runRequest.isWatching else {
      let pass = try await runPass(targets.inputs, unreadable: targets.unreadable)
      try await ended(pass)
      return pass.outcome
    }
    let watch = FolderWatch()
    var filter = StableFileFilter(settleTime: runRequest.settleTime)
    var (inputs, unreadable, folders) = (targets.inputs, targets.unreadable, targets.folders)
    var missing: Set<String> = []
    while true {
      let ready = filter.selectReadyFiles(inputs.map(\.source))
      let chosen = inputs.filter { ready.contains($0.source) }
      if !chosen.isEmpty || !unreadable.isEmpty { try await ended(try await runPass(chosen, unreadable: unreadable)) }
      filter.markProcessed(chosen.map(\.source))
      // The kernel does not report when a missing folder reappears, so check regularly.
      let limit: Duration? = filter.hasUnstableFiles ? .seconds(1) : missing.isEmpty ? nil : .seconds(5)
      _ = try await watch.waitForChange(in: folders, atMost: limit)
      // A disk that was ejected can reappear.
      let gone = Set(runRequest.paths.filter { !FileManager.default.fileExists(atPath: $0) })
      for path in gone.subtracting(missing) { report(.folder(path, isPresent: false)) }
      for path in missing.subtracting(gone) { report(.folder(path, isPresent: true)) }
      missing = gone
      let present = try self.findTargets(in: runRequest.paths.filter { !gone.contains($0) })
      (inputs, folders, unreadable) = (present.inputs, present.folders, [])
    }
  }

  /// - Parameter unreadable: the errors for inputs that cannot be read.
  private func runPass(_ inputs: [OutputTargets.Input], unreadable: [any ExplainedError]) async throws -> CompressPass {
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
    // If the disk is full, a single file fails immediately, but a batch waits for free space.
    var options = runRequest.options
    options.waitsForSpace = !options.failsFast && (inputs.count > 1 || runRequest.isWatching)
    options.replaces = runRequest.replaces
    let batch = ClipBatch(
      items: items, request: runRequest.clipRequest, isRally: runRequest.isRally, ledgers: state.withLock(\.ledgers),
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
      // If one of several outputs already exists, the failure is not a usage error.
      outcome: RunOutcome(
        count: inputs.count + unreadable.count,
        failures: failures.map { $0 == .usage && !isSingleFile ? .unjudged : $0 }))
  }
}
