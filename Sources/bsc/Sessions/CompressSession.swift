import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import Synchronization

/// What all passes of one `compress` share: several with `--watch`, one otherwise.
final class CompressSession: Sendable {
  private let request: ShareRequest
  private let isOfRally: Bool
  private let ledgerKind: Ledger.Kind
  private let shard: Shard?
  private let options: BatchOptions
  /// Flags that were given and count only where a film is encoded.
  private let encoderFlags: [String]
  private let isWatching: Bool
  private let reports: BatchReports
  private let reporting: OutputOptions
  private let progress: BatchProgress
  private let began = ContinuousClock.now
  private let state = Mutex(State())

  private struct State {
    var ledgers: [String: Ledger] = [:]
    /// The last of each file, and where its result is.
    var records: [BatchItem: BatchRecord] = [:]
    var order: [BatchItem] = []
  }

  init(
    request: ShareRequest, isOfRally: Bool, ledgerKind: Ledger.Kind, shard: Shard?, options: BatchOptions,
    encoderFlags: [String], isWatching: Bool, reports: BatchReports, reporting: OutputOptions, titles: Bool
  ) {
    self.request = request
    self.isOfRally = isOfRally
    self.ledgerKind = ledgerKind
    self.shard = shard
    self.options = options
    self.encoderFlags = encoderFlags
    self.isWatching = isWatching
    self.reports = reports
    self.reporting = reporting
    progress = BatchProgress(reporting.progressMode, titles: titles)
  }

  func note(_ text: String) {
    guard !reporting.quiet else { return }
    progress.interrupting { Console.note(text) }
  }

  /// Ends the replacements of killed runs in these folders.
  /// - Returns: what cannot be put right.
  func settle(_ roots: Set<String>) throws -> [any ExplainedError] {
    try roots.sorted().filter { Ledger.exists(in: $0, kind: ledgerKind) }.flatMap { root in
      try openLedger(root)
      return state.withLock { $0.ledgers[root] }?.settleReplacements().map(\.error) ?? []
    }
  }

  /// Works through files, tells each, and writes the reports of all passes so far.
  /// - Parameter lost: what could not be looked at.
  /// - Returns: the exit code of this pass.
  func run(_ inputs: [OutputTargets.Input], lost: [any ExplainedError]) async throws -> Int32 {
    let clock = ContinuousClock.now
    let isAlone = inputs.count + lost.count == 1
    for root in Set(inputs.compactMap(\.root)) { try openLedger(root) }
    let items = inputs.map { input in
      BatchItem(
        path: absolutePath(input.source), name: input.name, shown: input.shown,
        destination: absolutePath(input.destination), root: input.root)
    }
    let written = Dictionary(zip(items, inputs.map { $0.shownDestination ?? $0.destination })) { first, _ in first }
    for error in lost { ErrorOutput.write(error.explanation, asJSON: reporting.json) }
    // Whoever makes one file is told at once; a night's work waits for room.
    var options = options
    options.waitsForRoom = !options.failsFast && (inputs.count > 1 || isWatching)
    let batch = ClipBatch(
      items: items, request: request, isOfRally: isOfRally, ledgers: state.withLock(\.ledgers), options: options
    ) { [self] event in
      progress.take(event)
      guard case .ended(let item, let record) = event else { return }
      state.withLock { state in
        if state.records.updateValue(record, forKey: item) == nil { state.order.append(item) }
      }
      progress.interrupting {
        CompressResult(record: record, output: written[item] ?? item.destination, input: item.shown)
          .show(reporting, isAlone: isAlone)
      }
    }
    defer { progress.end() }
    let records = try await batch.run()
    progress.end()
    let (finished, all) = state.withLock { state in (state.order, state.order.compactMap { state.records[$0] }) }
    try await reports.write(
      all, outputs: zip(finished, all).map { $1.byteCount == nil ? nil : $0.destination },
      seconds: (ContinuousClock.now - began).seconds)
    if !isAlone, !reporting.quiet {
      let seconds = (ContinuousClock.now - clock).seconds
      Console.writeError(BatchText.summary(records, seconds: seconds, areTold: true))
    } else if !isAlone {
      // What failed now was told; what failed before went wrong, too.
      for record in records where record.isOld == true && record.failure != nil {
        ErrorOutput.write(BatchText.explanation(ofOld: record), asJSON: false)
      }
    }
    let copyCount = records.count { record in
      record.status == .done && record.isVideoCopied == true
    }
    if copyCount > 0, !encoderFlags.isEmpty {
      note(
        "\(encoderFlags.joined(separator: " and ")) \(encoderFlags.count == 1 ? "means" : "mean") nothing for "
          + "\(copyCount.counting("clip")) that needed no encoding; --max-size or --height make smaller ones")
    }
    if options.replaces, !reporting.quiet, records.contains(where: { $0.status == .done && $0.original != nil }) {
      for root in Set(items.compactMap(\.root)).sorted() {
        note("the sources are in \(root)/.bsc/trash until you remove it; to bring them back: bsc batch undo \(root)")
      }
    }
    let failures = lost.map(\.explanation.category) + records.compactMap(\.failure)
    // "It exists already" of one file among many is no wrong command line.
    let many = failures.map { $0 == .usage ? .unjudged : $0 }
    return isAlone ? failures.first.map(ExitStatus.code(for:)) ?? 0 : ExitStatus.code(forAll: many)
  }

  private func openLedger(_ root: String) throws {
    guard state.withLock({ $0.ledgers[root] }) == nil else { return }
    let ledger = try Ledger(root: root, kind: ledgerKind, shard: shard)
    ledger.removeAbandoned()
    if ledger.unreadableLineCount > 0 {
      note(
        "\(ledger.unreadableLineCount.counting("line")) of the ledger in \(root)/.bsc cannot be read and count for nothing"
      )
    }
    state.withLock { $0.ledgers[root] = ledger }
  }
}
