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
        if error.isTransient, let pause = pauses.popFirst() {
          try await Task.sleep(for: pause)
          continue
        }
        record = BatchRecord(file: item.shown, output: item.output, status: .failed)
        record.error = item.named(error.explanation)
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
    if let made = ledger.result(ofDigest: digest) {
      // Under another name, or with another time: the next run need not read it.
      var seen = Place(ledger: ledger, identity: identity, key: key).entry(.done, item)
      seen.output = item.name
      seen.result = LedgerEntry.Result(
        byteCount: identity.byteCount, modifiedNanoseconds: identity.modifiedNanoseconds, sha256: digest,
        sourceByteCount: identity.byteCount, decisions: [], removed: [], notes: [])
      try await ledger.append(seen)
      return BatchRecord(result: made, item, settings: settings)
    }
    return try await making.use(key) {
      let place = Place(ledger: ledger, identity: identity, key: key)
      switch try ledger.decision(
        for: item, key: key, force: options.force, retriesRefusals: options.retriesFailed)
      {
      case .keep(let entry): return kept(entry, item)
      case .refused(let entry): return BatchRecord(refused: entry, item)
      // What replaces its source is made of that.
      case .copy where options.replaces: return try await make(item, place, policy: .keepExisting, coreCount: coreCount)
      case .copy(let twin, let policy): return try await copy(twin, to: item, place, policy: policy)
      case .make(let policy): return try await make(item, place, policy: policy, coreCount: coreCount)
      }
    }
  }

  /// Where the ledger writes about a file.
  struct Place: Sendable {
    var ledger: Ledger
    var identity: FileIdentity
    var key: LedgerEntry.Key

    func entry(_ event: LedgerEntry.Event, _ item: BatchItem) -> LedgerEntry {
      LedgerEntry(
        event, at: Int64(Date().timeIntervalSince1970), source: item.name, path: item.path, output: item.output,
        identity: identity, key: key)
    }

    /// Before the output gets its name. Blocks.
    func tellMade(_ item: BatchItem, _ output: FileIdentity) throws {
      var entry = entry(.made, item)
      entry.result = LedgerEntry.Result(
        byteCount: output.byteCount, modifiedNanoseconds: output.modifiedNanoseconds, sha256: "",
        sourceByteCount: identity.byteCount, decisions: [], removed: [], notes: [])
      try ledger.appendNow(entry)
    }
  }

  private func make(
    _ item: BatchItem, _ place: Place?, policy: ReplacePolicy, coreCount: Int
  ) async throws -> BatchRecord {
    if options.replaces, let place {
      try checkReplacement(item, place)
    } else {
      try StagedFile.check(item.destination, replacing: policy)
    }
    let source = try await OpenedClip(path: item.path)
    let probe = source.probe
    let purpose = SharePlan.Purpose.file(ofRally: isOfRally)
    let outcome = try await SharePlan.make(path: item.path, probe: probe, request: request, purpose: purpose)
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
    let orders = plan.pictures.map { PictureRequest($0, base: base) }
    for path in orders.flatMap(\.paths) { try StagedFile.check(path, replacing: policy) }
    let folder = (item.destination as NSString).deletingLastPathComponent
    try Folder.create(folder, permissions: 0o755)
    try await requireRoom(item, for: min(plan.estimatedByteCount ?? probe.byteCount, probe.byteCount))
    if let place { try await place.ledger.append(place.entry(.began, item)) }
    let workPath = options.replaces ? try place?.ledger.workPath() : nil
    var options = ClipProcessor.Options()
    options.pictures = orders
    options.policy = policy
    options.keepsAttributes = true
    options.coreCount = coreCount
    let clip = try await ClipProcessor.process(
      source, plan: plan, to: workPath ?? item.destination, options: options, judge: nil,
      isComplete: { if workPath == nil { try place?.tellMade(item, $0) } },
      progress: { report(.progressed(item, fraction: $0, seconds: plan.durationSeconds)) })
    record.byteCount = clip.byteCount
    record.sha256 = clip.sha256
    record.decisions = plan.decisions
    record.isVideoCopied = if case .copy = plan.video { true } else { false }
    record.removed = clip.removed
    record.pictures = clip.pictures
    record.notes = clip.notes
    if let workPath, let place { return try await replace(item, by: workPath, plan, record, place) }
    try await finish(&record, item, place)
    return record
  }

  /// The bytes of a twin's result, looked at once more on the way.
  private func copy(
    _ twin: LedgerEntry, to item: BatchItem, _ place: Place, policy: ReplacePolicy
  ) async throws -> BatchRecord {
    guard let result = twin.result else {
      return try await make(item, place, policy: policy, coreCount: options.coreCount)
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
      try staged.copyAttributes(of: CopySource(item.path), keepsTimes: true)
      try place.tellMade(item, try FileIdentity.of(staged.path))
      try staged.commit(replacing: policy)
    }
    guard try await FileDigest.sha256(path: item.destination) == result.sha256 else {
      try DurableFile.remove(item.destination)
      throw ShareEngineError(.twinChanged, ["output": item.name, "twin": twin.output])
    }
    var record = BatchRecord(kept: twin, item)
    record.status = .copied
    record.notes = ["the same bytes as \(twin.source)"]
    record.sha256 = result.sha256
    try await finish(&record, item, place)
    return record
  }

  /// The metadata goes with its clip; then the ledger knows it.
  /// - Parameter replaced: where the source is, when the result replaced it, and the result as it was made.
  func finish(
    _ record: inout BatchRecord, _ item: BatchItem, _ place: Place?,
    replaced: (trash: Trash.Place, result: FileIdentity)? = nil
  ) async throws {
    guard let place, let digest = record.sha256 else { return }
    let sidecar = try Sidecar.travel(with: item, names: sidecars, known: place.ledger.sidecar(ofOutput: item.output))
    if let note = sidecar.note { record.notes.append(note) }
    let output = try replaced?.result ?? FileIdentity.of(item.destination)
    var entry = place.entry(.done, item)
    entry.sidecar = sidecar.digest
    entry.trash = replaced?.trash.number
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
