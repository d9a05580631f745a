package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// What one run makes small: files and folders, and how.
package struct CompressOrder: Sendable {
  /// As they were named.
  package var paths: [String]
  /// Paths from a list: relative ones keep their folders under the output folder.
  package var listed: [String] = []
  /// A file or a folder; `nil` writes beside the sources.
  package var output: String?
  package var request: ShareRequest
  /// The rally is found in metadata.
  package var isOfRally = false
  /// Results replace their sources.
  package var replaces = false
  package var shard: Shard?
  package var includes: [Glob] = []
  package var excludes: [Glob] = []
  package var options = BatchOptions()
  /// Continues with files that appear in the folders, until the run is cancelled.
  package var isWatching = false
  /// How long a new file must stay unchanged.
  package var settleTime = Duration.seconds(5)

  package init(paths: [String], request: ShareRequest) { (self.paths, self.request) = (paths, request) }
}

/// What happens in a compress run, on any thread.
package enum CompressActivity: Sendable {
  case batch(BatchEvent)
  /// A file has ended. Paths are as the user named them.
  case ended(BatchRecord, input: String, output: String, isAlone: Bool)
  /// An input or a replacement that cannot be examined.
  case failed(any ExplainedError)
  /// Lines of a folder's ledger cannot be read, and are ignored.
  case unreadableLedger(folder: String, lineCount: Int)
  /// A watched folder disappeared, or came back.
  case folder(String, isPresent: Bool)
}

/// The files of a run that were worked on together: all of them, or with `isWatching` those that were ready.
package struct CompressPass: Sendable {
  /// In the order in which they ended.
  package var records: [BatchRecord]
  package var seconds: Double
  /// Of all passes so far; paths of the results are absolute.
  package var all: [(record: BatchRecord, output: String?)]
  package var totalSeconds: Double
  /// Folders whose trash has replaced sources.
  package var trashFolders: [String]
  package var isAlone: Bool
  package var outcome: RunOutcome
}

/// Makes files small, continued by the next run after an interruption.
package final class CompressRun: Sendable {
  private let order: CompressOrder
  private let places: Places
  private let report: @Sendable (CompressActivity) -> Void
  private let began = ContinuousClock.now
  private let state = Mutex(State())

  private struct State {
    var ledgers: [String: Ledger] = [:]
    /// The last of each file, and where its result is.
    var records: [BatchItem: BatchRecord] = [:]
    var order: [BatchItem] = []
  }

  package init(_ order: CompressOrder, places: Places, report: @escaping @Sendable (CompressActivity) -> Void) {
    (self.order, self.places, self.report) = (order, places, report)
  }

  // MARK: Files

  /// Which file becomes which.
  /// - Parameter isDry: nothing is changed; otherwise replacements that a killed run left unfinished are ended first.
  /// - Throws: `ShareEngineError` when there is nothing to do, or something cannot be written.
  package func targets(isDry: Bool) throws -> OutputTargets {
    if order.isWatching { try requireFolders() }
    let unsettled = order.replaces && !isDry ? try settle() : []
    var targets = try targets(order.paths)
    targets.lost += unsettled
    if let input = targets.inputs.first(where: { !$0.destination.lowercased().hasSuffix(".mp4") }) {
      throw ShareEngineError(.outputNotMP4, ["output": input.destination])
    }
    return targets
  }

  private func targets(_ paths: [String]) throws -> OutputTargets {
    var filter = MediaFolder.Filter()
    (filter.includes, filter.excludes) = (order.includes, order.excludes)
    // Results cannot be written beside an alias.
    filter.aliases = order.output == nil ? nil : "\(places.cacheFolder)/names"
    filter.skipsResults = true
    filter.skipsReplaced = order.replaces
    let targets = try OutputTargets(
      paths, listed: order.listed, naming: order.replaces ? .replaced : .compressed, output: order.output,
      shard: order.shard, filter: filter, mayBeEmpty: order.isWatching)
    if order.replaces { try targets.checkPlaces() }
    return targets
  }

  /// The sources among inputs that are replaced: without the results of earlier runs.
  package static func sources(of inputs: [OutputTargets.Input]) -> [OutputTargets.Input] {
    let made = Dictionary(uniqueKeysWithValues: Set(inputs.compactMap(\.root)).map { ($0, Ledger.ownResults(in: $0)) })
    return inputs.filter { input in input.root.map { made[$0]?.contains(input.name) != true } ?? true }
  }

  private func requireFolders() throws {
    for path in order.paths {
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { continue }
      throw ShareEngineError(.noFolder, ["file": path])
    }
  }

  // MARK: Ledgers

  /// Ends the replacements of killed runs in these folders.
  /// - Returns: those that cannot be ended.
  private func settle() throws -> [any ExplainedError] {
    let roots = OutputTargets.places(of: order.paths + order.listed)
    return try roots.sorted().filter { Ledger.exists(in: $0, kind: ledgerKind) }.flatMap { root in
      try openLedger(root)
      return state.withLock { $0.ledgers[root] }?.settleReplacements().map(\.error) ?? []
    }
  }

  private func openLedger(_ root: String) throws {
    guard state.withLock({ $0.ledgers[root] }) == nil else { return }
    let ledger = try Ledger(root: root, kind: ledgerKind, shard: order.shard)
    ledger.removeAbandoned()
    if ledger.unreadableLineCount > 0 {
      report(.unreadableLedger(folder: root, lineCount: ledger.unreadableLineCount))
    }
    state.withLock { $0.ledgers[root] = ledger }
  }

  /// Results that are among their sources make no folder of results.
  private var ledgerKind: Ledger.Kind {
    guard let output = order.output else { return .beside }
    return order.paths.contains { realPath($0) == realPath(output) } ? .beside : .results
  }

  // MARK: Work

  /// Works on the files.
  /// - Parameters:
  ///   - targets: of `targets(isDry:)`.
  ///   - ended: called after each pass, to write its reports.
  /// - Returns: what became of them; with `isWatching` it ends only when cancelled.
  package func run(
    _ targets: OutputTargets, ended: @escaping @Sendable (CompressPass) async throws -> Void
  ) async throws -> RunOutcome {
    guard order.isWatching else {
      let pass = try await pass(targets.inputs, lost: targets.lost)
      try await ended(pass)
      return pass.outcome
    }
    let watch = FolderWatch()
    var filter = StableFileFilter(patience: order.settleTime)
    var (inputs, lost, folders) = (targets.inputs, targets.lost, targets.folders)
    var missing: Set<String> = []
    while true {
      let ready = filter.ready(inputs.map(\.source))
      let chosen = inputs.filter { ready.contains($0.source) }
      if !chosen.isEmpty || !lost.isEmpty { try await ended(try await pass(chosen, lost: lost)) }
      filter.ended(chosen.map(\.source))
      _ = try await watch.change(in: folders, atMost: filter.isWaiting ? .seconds(1) : nil)
      // A disk that was removed can come back.
      let gone = Set(order.paths.filter { !FileManager.default.fileExists(atPath: $0) })
      for path in gone.subtracting(missing) { report(.folder(path, isPresent: false)) }
      for path in missing.subtracting(gone) { report(.folder(path, isPresent: true)) }
      missing = gone
      let present = try self.targets(order.paths.filter { !gone.contains($0) })
      (inputs, folders, lost) = (present.inputs, present.folders, [])
    }
  }

  /// Works through files.
  /// - Parameter lost: inputs that cannot be examined.
  private func pass(_ inputs: [OutputTargets.Input], lost: [any ExplainedError]) async throws -> CompressPass {
    let clock = ContinuousClock.now
    let isAlone = inputs.count + lost.count == 1
    for root in Set(inputs.compactMap(\.root)) { try openLedger(root) }
    let items = inputs.map { input in
      BatchItem(
        path: absolutePath(input.source), name: input.name, shown: input.shown,
        destination: absolutePath(input.destination), root: input.root)
    }
    let written = Dictionary(zip(items, inputs.map { $0.shownDestination ?? $0.destination })) { first, _ in first }
    for error in lost { report(.failed(error)) }
    // A single file fails at once on a full disk; a batch waits for room.
    var options = order.options
    options.waitsForRoom = !options.failsFast && (inputs.count > 1 || order.isWatching)
    options.replaces = order.replaces
    let batch = ClipBatch(
      items: items, request: order.request, isOfRally: order.isOfRally, ledgers: state.withLock(\.ledgers),
      options: options
    ) { [self] event in
      report(.batch(event))
      guard case .ended(let item, let record) = event else { return }
      state.withLock { state in
        if state.records.updateValue(record, forKey: item) == nil { state.order.append(item) }
      }
      report(
        .ended(record, input: item.shown, output: written[item] ?? item.destination, isAlone: isAlone))
    }
    let records = try await batch.run()
    let failures = lost.map(\.explanation.category) + records.compactMap(\.failure)
    let isTrashed = order.replaces && records.contains { $0.status == .done && $0.original != nil }
    return CompressPass(
      records: records, seconds: (ContinuousClock.now - clock).seconds,
      all: state.withLock { state in
        state.order.compactMap { item in
          state.records[item].map { ($0, $0.byteCount == nil ? nil : item.destination) }
        }
      },
      totalSeconds: (ContinuousClock.now - began).seconds,
      trashFolders: isTrashed ? Set(items.compactMap(\.root)).sorted() : [], isAlone: isAlone,
      // "It exists already" of one file among many is not a wrong command line.
      outcome: RunOutcome(
        count: inputs.count + lost.count, failures: failures.map { $0 == .usage && !isAlone ? .unjudged : $0 }))
  }
}
