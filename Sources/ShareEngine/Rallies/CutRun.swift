import ClipMedia
package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// The clips to cut from a match.
package struct CutRunRequest: Sendable {
  /// The path of the match as specified by the user.
  package var match: String
  /// The path of the metadata as specified by the user; `nil` searches the folder of the match.
  package var metadata: String?
  /// The folder of the clips as specified by the user; `nil` uses the folder of the match.
  package var folder: String?
  package var options: MatchCutOptions
  /// Replaces existing clips.
  package var isForced = false
  /// The number of clips that are created at the same time; `nil` derives it from the machine.
  package var workerCount: Int?

  package init(match: String, options: MatchCutOptions) { (self.match, self.options) = (match, options) }
}

/// The progress of a cut, reported on any thread.
package enum CutEvent: Sendable {
  /// Work on the first clip starts.
  case began
  /// The completed fraction of all clips, 0 to 1.
  case progressed(Double)
  /// The clip would be created; only in a preview.
  case planned(CutRun.Target)
  /// `isNew` is `false` for a clip that an earlier run created.
  case made(CutRun.Target, CutRun.Made, isNew: Bool)
  /// The rules rejected the rally.
  case refused(MatchPlan.Clip)
  case failed(CutRun.Target, Explanation)
  /// Work on the last clip has ended.
  case ended
}

/// Cuts a match: probes and checks it, then creates its clips.
package struct CutRun: Sendable {
  /// A clip and its files.
  package struct Target: Sendable {
    package var cut: RallyCut
    package var plan: ProcessingPlan
    package var findings: [Finding]
    /// Paths for display.
    package var clip: String
    package var sidecar: String
  }

  /// A clip that exists now.
  package struct Made: Sendable {
    package var byteCount: Int64
    package var sha256: String
    package var removed: [String] = []
    package var notes: [String] = []
    /// Whether the metadata next to the clip comes from an older export and is being updated.
    package var updatesMetadata = false
  }

  let cutter: ClipCutter
  package let plan: MatchPlan
  private let request: CutRunRequest
  private let names: CutNames
  private let folder: String
  /// The files that are read and therefore must not be overwritten.
  let inputs: [String]
  private let locksFolder: String
  private let report: @Sendable (CutEvent) -> Void

  var isForced: Bool { request.isForced }

  /// Reads all inputs; does not write anything.
  package init(
    _ request: CutRunRequest, rules: RuleSettings, places: Places, report: @escaping @Sendable (CutEvent) -> Void
  ) async throws {
    self.request = request
    self.report = report
    locksFolder = places.locksFolder
    // Foundation crashes when it determines the folder of a path with only one character.
    let slash = request.match.lastIndex(of: "/")
    folder = request.folder ?? slash.map { String(request.match[...$0]) } ?? ""
    let path = absolutePath(request.match)
    _ = try FileIdentity.of(path)
    let metadataPath = try MatchPlan.metadataPath(ofMatch: path, named: request.metadata.map(absolutePath))
    _ = try FileIdentity.of(metadataPath)
    cutter = try await ClipCutter(path: path)
    plan = try MatchPlan.make(
      matchPath: path, probe: cutter.probe, metadataPath: metadataPath, options: request.options, rules: rules)
    inputs = [path, metadataPath] + request.options.files
    names = CutNames(match: request.match, folder: folder, rallyCount: plan.metadata?.segments.count ?? 0)
  }

  private func target(_ clip: MatchPlan.Clip, _ plan: ProcessingPlan) -> Target {
    let base = names.name(of: clip.cut.index)
    return Target(cut: clip.cut, plan: plan, findings: clip.findings, clip: base + ".mp4", sidecar: base + ".json")
  }

  /// Reports which clips would be created; does not write anything.
  package func preview() throws { _ = try missingTargets(isDry: true) }

  /// Creates the clips, or none if the metadata or the match is rejected.
  package func cut() async throws {
    // If no clip can be created, the folder isn't created either.
    guard plan.clips.contains(where: { $0.plan != nil }) else { return try preview() }
    let folder = absolutePath(folder.isEmpty ? "." : folder)
    try Folder.create(folder, permissions: 0o755)
    // No other cut may write between the moment the clip is written and the moment its metadata is written.
    let lock = try lock(folder)
    do {
      try StagedFile.removeAbandoned(in: folder)
      let targets = try missingTargets(isDry: false)
      try await make(targets.sorted { ($0.plan.trim?.lowerBound ?? 0) < ($1.plan.trim?.lowerBound ?? 0) })
    } catch {
      lock.releaseAndRemove()
      throw error
    }
    lock.releaseAndRemove()
  }

  /// Returns the clips that must be created. The other clips are reported: rejected by the rules, created by an earlier
  /// run, or failed.
  /// - Parameter isDry: if true, nothing is written, and the clips that would be created are also reported.
  /// - Throws: if the updated metadata of an existing clip cannot be written.
  private func missingTargets(isDry: Bool) throws -> [Target] {
    try plan.clips.compactMap { clip in
      guard let plan = clip.plan else {
        report(.refused(clip))
        return nil
      }
      let target = target(clip, plan)
      let state: TargetState
      do {
        state = try self.state(of: target)
      } catch let error as any ExplainedError {
        report(.failed(target, Self.adapted(error, target)))
        return nil
      }
      guard case .made(var made, let update) = state else {
        if isDry { report(.planned(target)) }
        return target
      }
      if case .write(let json) = update {
        if !isDry { try DurableFile.write(json, to: absolutePath(target.sidecar)) }
        made.updatesMetadata = true
      }
      report(.made(target, made, isNew: false))
      return nil
    }
  }

  private func lock(_ folder: String) throws -> FileLock {
    let path = URL(filePath: folder).resolvingSymlinksInPath().standardizedFileURL.path
    let id = FileDigest.sha256(of: path.utf8).prefix(16)
    try Folder.create(locksFolder)
    guard let lock = try FileLock(path: "\(locksFolder)/cut-\(id).lock") else {
      throw ShareEngineError(.cutLocked, ["folder": folder])
    }
    return lock
  }

  private func make(_ targets: [Target]) async throws {
    guard !targets.isEmpty else { return }
    let clips = targets.map { ClipCutter.Order($0.plan, destination: absolutePath($0.clip)) }
    let lengths = targets.map { $0.plan.durationSeconds }
    let done = Mutex(lengths.map { _ in 0.0 })
    var observer = ClipCutter.Observer()
    observer.begins = { try requireSpace(for: targets[$0]) }
    observer.progressed = { index, fraction in
      let seconds = done.withLock { done in
        done[index] = fraction * lengths[index]
        return done.reduce(0, +)
      }
      report(.progressed(seconds / max(lengths.reduce(0, +), 0.001)))
    }
    observer.isComplete = { index, clip in
      let json = try sidecar(targets[index]).json(
        metadata: plan.document, clipSHA256: clip.sha256, clipByteCount: clip.byteCount)
      try DurableFile.write(json, to: absolutePath(targets[index].sidecar))
    }
    observer.ended = { index, outcome in
      switch outcome {
      case .made(let clip):
        let made = Made(byteCount: clip.byteCount, sha256: clip.sha256, removed: clip.removed, notes: clip.notes)
        report(.made(targets[index], made, isNew: true))
      case .failed(let error): report(.failed(targets[index], Self.adapted(error, targets[index])))
      }
    }
    report(.began)
    defer { report(.ended) }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    try await cutter.cut(
      clips, width: request.workerCount ?? ClipCutter.defaultWorkerCount(of: clips, cores: cores),
      policy: isForced ? .replace : .keepExisting, observer: observer)
  }

  /// Checks the free disk space, assuming that a clip is never larger than its match.
  private func requireSpace(for target: Target) throws {
    let limit = cutter.probe.byteCount
    try DiskSpace.require(
      min(target.plan.estimatedByteCount ?? limit, limit), at: absolutePath(target.clip),
      operation: "write \(target.clip)")
  }
}
