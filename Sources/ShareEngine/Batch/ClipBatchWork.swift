import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// One file of a batch, from its first byte to the ledger's last word on it.
extension ClipBatch {
  func work(on open: Open, _ settings: String, coreCount: Int) async throws -> BatchRecord {
    let item = open.item
    let clock = ContinuousClock.now
    var pauses = options.retryPauses[...]
    while true {
      var record: BatchRecord
      do {
        report(.began(item, byteCount: open.byteCount))
        record = try await result(of: item, settings, coreCount: coreCount)
      } catch let error as any ExplainedError {
        try Task.checkCancellation()
        if error.isDiskFull, options.waitsForRoom {
          try await waitForRoom(item, needed: 0, why: error.explanation.why)
          continue
        }
        // A disk or a network that stumbles is worth another try.
        if error.explanation.category == .inputOutput, !error.isDiskFull, let pause = pauses.popFirst() {
          try await Task.sleep(for: pause)
          continue
        }
        record = BatchRecord(file: item.shown, output: item.output, status: .failed)
        record.error = error.explanation
        try? await note(record, of: item, settings)
      }
      record.seconds = Double((ContinuousClock.now - clock) / .milliseconds(1)) / 1000
      return record
    }
  }

  private func result(of item: BatchItem, _ settings: String, coreCount: Int) async throws -> BatchRecord {
    guard let ledger = ledger(of: item) else {
      return try await make(item, nil, policy: options.force ? .replace : .keepExisting, coreCount: coreCount)
    }
    let identity = try FileIdentity.of(item.path)
    let digest =
      if let known = ledger.digest(of: identity) { known } else { try await FileDigest.sha256(path: item.path) }
    let key = LedgerEntry.Key(sha256: digest, settings: settings)
    return try await making.use(key) {
      let place = Place(ledger: ledger, identity: identity, key: key)
      switch try ledger.decision(
        for: item, key: key, force: options.force, retriesRefusals: options.retriesFailed)
      {
      case .keep(let entry): return BatchRecord(kept: entry, item)
      case .refused(let entry): return BatchRecord(refused: entry, item)
      // What takes a source's place is made of that source.
      case .copy where options.replaces:
        return try await make(item, place, policy: .keepExisting, coreCount: coreCount)
      case .copy(let twin): return try await copy(twin, to: item, place)
      case .make(let policy): return try await make(item, place, policy: policy, coreCount: coreCount)
      }
    }
  }

  /// Where the ledger writes about a file.
  private struct Place: Sendable {
    var ledger: Ledger
    var identity: FileIdentity
    var key: LedgerEntry.Key

    func entry(_ event: LedgerEntry.Event, _ item: BatchItem) -> LedgerEntry {
      LedgerEntry(
        event, at: Int64(Date().timeIntervalSince1970), source: item.name, output: item.output, identity: identity,
        key: key)
    }
  }

  private func make(
    _ item: BatchItem, _ place: Place?, policy: ReplacePolicy, coreCount: Int
  ) async throws -> BatchRecord {
    // A result that replaces its source finds that there.
    if item.destination != item.path { try StagedFile.check(item.destination, replacing: policy) }
    let probe = try await Prober.probe(path: item.path)
    let outcome = try SharePlan.make(
      path: item.path, probe: probe, request: request, purpose: .file(ofRally: isOfRally))
    var record = BatchRecord(file: item.shown, output: item.output, status: .done)
    record.sourceByteCount = probe.byteCount
    record.findings = outcome.findings
    guard let plan = outcome.plan else {
      record.status = .refused
      if var entry = place?.entry(.refused, item) {
        entry.findings = outcome.findings
        try await place?.ledger.append(entry)
      }
      return record
    }
    let base = (item.destination as NSString).deletingPathExtension
    let orders = plan.pictures.map { PictureOrder($0, base: base) }
    for path in orders.flatMap(\.paths) { try StagedFile.check(path, replacing: policy) }
    let folder = (item.destination as NSString).deletingLastPathComponent
    try Folder.create(folder, permissions: 0o755)
    try await requireRoom(item, for: min(plan.estimatedByteCount ?? probe.byteCount, probe.byteCount))
    let replacement = options.replaces ? place.map { Replacement(of: item, in: $0.ledger.root) } : nil
    try replacement?.prepare()
    if let place {
      var entry = place.entry(.began, item)
      entry.trash = replacement?.trash
      try await place.ledger.append(entry)
    }
    let clip = try await ClipProcessor.process(
      item.path, probe: probe, plan: plan, destination: replacement?.workPath ?? item.destination, pictures: orders,
      policy: replacement == nil ? policy : .replace,
      keepsAttributes: true, coreCount: coreCount
    ) { fraction in
      report(.progressed(item, fraction: fraction))
    }
    record.byteCount = clip.byteCount
    record.sha256 = clip.sha256
    record.decisions = plan.decisions
    record.removed = clip.removed
    record.pictures = clip.pictures
    record.notes = clip.notes
    if let replacement {
      guard let place, try FileIdentity.of(item.path) == place.identity else {
        throw ShareEngineError(
          what: "cannot replace \(item.shown)", why: "it was changed while it was worked on",
          next: "run the same command again", category: .noInput)
      }
      try await WorkerThread.run("bsc replace") { _ in try replacement.carryOut(policy) }
    }
    try await finish(&record, item, place, trash: replacement?.trash)
    return record
  }

  /// The bytes of a twin's result, looked at once more on the way.
  private func copy(_ twin: LedgerEntry, to item: BatchItem, _ place: Place) async throws -> BatchRecord {
    guard let result = twin.result else {
      return try await make(item, place, policy: .keepExisting, coreCount: options.coreCount)
    }
    let folder = (item.destination as NSString).deletingLastPathComponent
    try Folder.create(folder, permissions: 0o755)
    try await requireRoom(item, for: result.byteCount)
    try await place.ledger.append(place.entry(.began, item))
    let source = "\(place.ledger.root)/\(twin.output)"
    try await WorkerThread.run("bsc copy") { flag in
      let original = try CopySource(source)
      let staged = try StagedFile(for: item.destination)
      var copy = StagedCopy(to: staged)
      try copy.append(0..<result.byteCount, of: original, to: staged) { _ in try flag.check() }
      try staged.takeAttributes(of: CopySource(item.path), keepsTimes: true)
      try staged.commit(replacing: .replace)
    }
    guard try await FileDigest.sha256(path: item.destination) == result.sha256 else {
      try DurableFile.remove(item.destination)
      throw ShareEngineError(
        what: "cannot write \(item.name)", why: "\(twin.output), which has the same source, was changed",
        next: "run it again with --force", category: .inputOutput)
    }
    var record = BatchRecord(kept: twin, item)
    record.status = .copied
    record.notes = ["the same bytes as \(twin.source)"]
    record.sha256 = result.sha256
    try await finish(&record, item, place)
    return record
  }

  /// The metadata goes with its clip; then the ledger knows it.
  private func finish(
    _ record: inout BatchRecord, _ item: BatchItem, _ place: Place?, trash: String? = nil
  ) async throws {
    guard let place, let digest = record.sha256 else { return }
    if let note = try Sidecar.travel(with: item, names: sidecars) { record.notes.append(note) }
    let output = try FileIdentity.of(item.destination)
    var entry = place.entry(.done, item)
    entry.trash = trash
    entry.result = LedgerEntry.Result(
      byteCount: output.byteCount, modifiedNanoseconds: output.modifiedNanoseconds, sha256: digest,
      sourceByteCount: place.identity.byteCount, decisions: record.decisions, removed: record.removed,
      notes: record.notes)
    try await place.ledger.append(entry)
  }

  /// Failures that would come again are remembered; a source that cannot even be read has no key to do it by.
  private func note(_ record: BatchRecord, of item: BatchItem, _ settings: String) async throws {
    guard let error = record.error, let ledger = ledger(of: item) else { return }
    let identity = try FileIdentity.of(item.path)
    guard let digest = ledger.digest(of: identity) else {
      guard error.category == .unjudged || error.category == .rejected else { return }
      let digest = try await FileDigest.sha256(path: item.path)
      return try await note(
        error, item, Place(ledger: ledger, identity: identity, key: .init(sha256: digest, settings: settings)))
    }
    try await note(
      error, item, Place(ledger: ledger, identity: identity, key: .init(sha256: digest, settings: settings)))
  }

  private func note(_ error: Explanation, _ item: BatchItem, _ place: Place) async throws {
    let comesAgain = error.category == .unjudged || error.category == .rejected
    var entry = place.entry(comesAgain ? .refused : .failed, item)
    entry.error = error
    try await place.ledger.append(entry)
  }
}
