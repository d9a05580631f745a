import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// Processes a single file, from opening the source to writing the final ledger entry.
extension ClipBatch {
  func process(
    _ item: BatchItem, _ byteCount: Int64, _ settings: String, coreCount: Int
  ) async throws -> BatchRecord {
    let clock = ContinuousClock.now
    var pauses = options.retryPauses[...]
    while true {
      var record: BatchRecord
      do {
        report(.began(item, byteCount: byteCount))
        record = try await processOnce(item, settings, coreCount: coreCount)
      } catch let error as any ExplainedError {
        try Task.checkCancellation()
        if error.isDiskFull, options.waitsForSpace {
          try await waitForSpace(item, needed: 0, why: error.explanation.why)
          continue
        }
        // Retry temporary disk and network errors.
        if error.isTransient, let pause = pauses.popFirst() {
          try await Task.sleep(for: pause)
          continue
        }
        record = makeFailedRecord(item, error)
        if let explanation = record.error {
          try? await appendFailure(explanation, isPermanent: error.isPermanent, of: item, settings)
        }
      }
      record.seconds = Double((ContinuousClock.now - clock) / .milliseconds(1)) / 1000
      return record
    }
  }

  private func processOnce(_ item: BatchItem, _ settings: String, coreCount: Int) async throws -> BatchRecord {
    guard let ledger = findLedger(for: item) else {
      return try await createResult(item, nil, policy: options.force ? .replace : .keepExisting, coreCount: coreCount)
    }
    let identity = try FileIdentity.of(item.path)
    let digest = try await sourceDigest(of: item, identity, ledger)
    let key = LedgerEntry.ResultKey(sha256: digest, settings: settings)
    let source = LedgerSource(ledger: ledger, identity: identity, key: key)
    if let made = ledger.findResult(withDigest: digest) {
      // The source is an earlier result under a different name or with a different time. Record it, so that the next
      // run doesn't have to read the file.
      var entry = source.makeEntry(.done, item, output: identity)
      entry.output = item.name
      entry.result?.sha256 = digest
      try await ledger.append(entry)
      return BatchRecord(result: made, item, settings: settings)
    }
    return try await resultMutex.withLock(key) {
      switch try ledger.decideProcessing(for: item, key: key, options: options) {
      case .keep(let entry):
        StoredEncode(of: item.destination).remove()
        return makeKeptRecord(entry, item)
      case .refused(let entry): return BatchRecord(refused: entry, item)
      // A result that replaces its source is always created from the source itself.
      case .copy where options.replaces:
        return try await createResult(item, source, policy: .keepExisting, coreCount: coreCount)
      case .copy(let twin, let policy): return try await copyResult(twin, to: item, source, policy: policy)
      case .make(let policy): return try await createResult(item, source, policy: policy, coreCount: coreCount)
      }
    }
  }

  private func sourceDigest(of item: BatchItem, _ identity: FileIdentity, _ ledger: Ledger) async throws -> String {
    if let known = ledger.knownDigest(of: identity) { return known }
    return try await FileDigest.sha256(path: item.path)
  }

  /// A source file, its digest and its ledger.
  struct LedgerSource: Sendable {
    var ledger: Ledger
    var identity: FileIdentity
    var key: LedgerEntry.ResultKey

    func makeEntry(
      _ event: LedgerEntry.Event, _ item: BatchItem, output: FileIdentity? = nil, _ record: BatchRecord? = nil
    ) -> LedgerEntry {
      let result = output.map { output in
        LedgerEntry.Result(
          byteCount: output.byteCount, modifiedNanoseconds: output.modifiedNanoseconds,
          sha256: record?.sha256 ?? "", sourceByteCount: identity.byteCount, decisions: record?.decisions ?? [],
          removed: record?.removed ?? [], notes: record?.notes ?? [])
      }
      return LedgerEntry(
        event: event, at: Int64(Date().timeIntervalSince1970), source: item.name, path: item.path,
        output: item.output, identity: identity, key: key, result: result)
    }
  }

  private func createResult(
    _ item: BatchItem, _ source: LedgerSource?, policy: ReplacePolicy, coreCount: Int
  ) async throws -> BatchRecord {
    if options.replaces, let source {
      try requireReplaceableSource(item, source)
    } else {
      try StagedFile.checkDestination(item.destination, replacing: policy)
    }
    let opened = try await OpenedClip(path: item.path)
    let probe = opened.probe
    let outcome = try await SharePlan.make(
      for: opened, request: request, purpose: .file(ofRally: isRally))
    var record = BatchRecord(file: item.displayPath, output: item.output, status: .done)
    record.sourceByteCount = probe.byteCount
    record.findings = outcome.findings
    guard let plan = outcome.plan else {
      record.status = .refused
      if var entry = source?.makeEntry(.refused, item) {
        entry.findings = outcome.findings
        try await source?.ledger.append(entry)
      }
      return record
    }
    let pictures = plan.pictures.map {
      PictureRequest($0, base: (item.destination as NSString).deletingPathExtension)
    }
    for path in pictures.flatMap(\.paths) { try StagedFile.checkDestination(path, replacing: policy) }
    try await beginProcessing(item, source, byteCount: min(plan.estimatedByteCount ?? probe.byteCount, probe.byteCount))
    let workPath = options.replaces ? try source?.ledger.makeWorkPath() : nil
    var options = ClipProcessor.Options()
    options.pictures = pictures
    options.policy = policy
    options.keepsAttributes = true
    options.coreCount = coreCount
    if workPath != nil { options.finalDestination = item.destination }
    options.reportContinuation = { report(.continued(item, $0)) }
    let clip = try await ClipProcessor.process(
      opened, plan: plan, to: workPath ?? item.destination, options: options, evaluateDecoding: nil,
      isComplete: { output in
        if workPath == nil, let source {
          try source.ledger.appendSynchronously(source.makeEntry(.made, item, output: output))
        }
      },
      progress: { report(.progressed(item, fraction: $0, seconds: plan.durationSeconds)) })
    record.byteCount = clip.byteCount
    record.sha256 = clip.sha256
    record.decisions = plan.decisions
    record.isVideoCopied = if case .copy = plan.video { true } else { false }
    record.removed = clip.removed
    record.pictures = clip.pictures
    record.notes = clip.notes.map(\.text)
    if let workPath, let source {
      record = try await replaceSource(item, by: workPath, plan, record, source)
      StoredEncode(of: item.destination).remove()
      return record
    }
    try await recordResult(&record, item, source)
    return record
  }

  /// Prepares the destination and records in the ledger that processing has started.
  private func beginProcessing(_ item: BatchItem, _ source: LedgerSource?, byteCount: Int64) async throws {
    try Folder.create((item.destination as NSString).deletingLastPathComponent, permissions: 0o755)
    try await requireDiskSpace(item, for: byteCount)
    if let source { try await source.ledger.append(source.makeEntry(.began, item)) }
  }

  /// Copies and verifies the result of an identical source.
  private func copyResult(
    _ twin: LedgerEntry, to item: BatchItem, _ source: LedgerSource, policy: ReplacePolicy
  ) async throws -> BatchRecord {
    guard let result = twin.result else {
      return try await createResult(item, source, policy: policy, coreCount: options.coreCount)
    }
    try await beginProcessing(item, source, byteCount: result.byteCount)
    try await WorkerThread.run("bsc copy") { flag in
      let original = try CopySource("\(source.ledger.root)/\(twin.output)")
      let staged = try StagedFile(for: item.destination)
      var copy = StagedCopy(to: staged)
      try copy.append(0..<result.byteCount, of: original, to: staged) { _ in try flag.check() }
      try staged.copyAttributes(of: CopySource(item.path), keepsTimes: true)
      try source.ledger.appendSynchronously(source.makeEntry(.made, item, output: FileIdentity.of(staged.path)))
      try staged.commit(replacing: policy)
    }
    guard try await FileDigest.sha256(path: item.destination) == result.sha256 else {
      try DurableFile.remove(item.destination)
      throw ShareEngineError(.twinChanged, ["output": item.name, "twin": twin.output])
    }
    var record = BatchRecord(existing: twin, item, status: .copied)
    record.notes = ["copied from the result of the identical file \(twin.source)"]
    try await recordResult(&record, item, source)
    return record
  }

  /// Copies a clip's metadata and records the result in the ledger.
  /// - Parameter replaced: the trash slot of the replaced source and the identity of the result, or `nil` if no source
  ///   was replaced.
  func recordResult(
    _ record: inout BatchRecord, _ item: BatchItem, _ source: LedgerSource?,
    replaced: (trash: Trash.Slot, result: FileIdentity)? = nil
  ) async throws {
    guard let source else { return }
    let known = source.ledger.sidecarDigest(ofOutput: item.output)
    let sidecar = try Sidecar.copyMetadata(with: item, names: sidecars, known: known)
    if let note = sidecar.note { record.notes.append(note) }
    let output = try replaced?.result ?? FileIdentity.of(item.destination)
    var entry = source.makeEntry(.done, item, output: output, record)
    entry.sidecar = sidecar.digest
    entry.trash = replaced?.trash.number
    try await source.ledger.append(entry)
  }

  /// Records a failure and whether a retry would fail again. If the source was never read, a temporary failure is not
  /// recorded, because computing the digest could also fail.
  private func appendFailure(
    _ error: Explanation, isPermanent: Bool, of item: BatchItem, _ settings: String
  ) async throws {
    guard let ledger = findLedger(for: item) else { return }
    let identity = try FileIdentity.of(item.path)
    guard isPermanent || ledger.knownDigest(of: identity) != nil else { return }
    let key = LedgerEntry.ResultKey(sha256: try await sourceDigest(of: item, identity, ledger), settings: settings)
    var entry = LedgerSource(ledger: ledger, identity: identity, key: key)
      .makeEntry(isPermanent ? .refused : .failed, item)
    entry.error = error
    try await ledger.append(entry)
  }
}
