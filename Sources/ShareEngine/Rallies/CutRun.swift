import ClipMedia
package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// A request to cut clips from a match.
package struct CutRunRequest: Sendable {
  /// The match's path as the user entered it.
  package var match: String
  /// The metadata's path as the user entered it, or `nil` to search the match's folder.
  package var metadata: String?
  /// The output folder as the user entered it, or `nil` to use the match's folder.
  package var folder: String?
  package var options: MatchCutOptions
  /// Whether to replace existing clips.
  package var isForced = false
  /// The number of clips to create in parallel, or `nil` to choose a number based on the CPU cores.
  package var workerCount: Int?

  package init(match: String, options: MatchCutOptions) { (self.match, self.options) = (match, options) }
}

/// An event during a cut. Events can arrive on any thread.
package enum CutEvent: Sendable {
  /// Processing of the first clip starts.
  case began
  /// An interrupted encode of the clip continues.
  case continued(CutRun.Target, EncodingProgress)
  /// The completed fraction of all clips, from 0 to 1.
  case progressed(Double)
  /// The clip would be created. Reported only by previews.
  case planned(CutRun.Target)
  /// The clip exists. `isNew` is `false` if an earlier run created the clip.
  case made(CutRun.Target, CutRun.CreatedClip, isNew: Bool)
  /// The rules rejected the rally.
  case refused(MatchPlan.Clip)
  case failed(CutRun.Target, Explanation)
  /// Processing of the last clip has ended.
  case ended
}

/// Cuts a match into clips. First probes and checks the match, then creates the clips.
package struct CutRun: Sendable {
  /// A clip to create, and the paths of its files.
  package struct Target: Sendable {
    package var cut: RallyCut
    package var plan: ProcessingPlan
    package var findings: [Finding]
    /// The clip's path for display.
    package var clip: String
    package var sidecar: String
  }

  /// A clip that now exists, created by this run or by an earlier run.
  package struct CreatedClip: Sendable {
    package var byteCount: Int64
    package var sha256: String
    package var removed: [String] = []
    package var notes: [String] = []
    /// Whether the clip's metadata file comes from an older export and is updated.
    package var updatesMetadata = false
    /// Whether the clip's metadata file is outdated and was kept because the user edited it.
    package var keepsOutdatedMetadata = false
  }

  let cutter: ClipCutter
  package let plan: MatchPlan
  private let request: CutRunRequest
  private let names: CutNames
  private let folder: String
  /// The input files, which must not be overwritten.
  let inputs: [String]
  private let locksFolder: String
  private let report: @Sendable (CutEvent) -> Void

  var isForced: Bool { request.isForced }

  /// Reads all input files. Does not write any files.
  package init(
    _ request: CutRunRequest, rules: RuleSettings, places: ApplicationFolders,
    report: @escaping @Sendable (CutEvent) -> Void
  ) async throws {
    self.request = request
    self.report = report
    locksFolder = places.locksFolder
    // Foundation crashes when it determines the folder of a one-character path.
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

  private func makeTarget(_ clip: MatchPlan.Clip, _ plan: ProcessingPlan) -> Target {
    let base = names.baseName(of: clip.cut.index)
    return Target(cut: clip.cut, plan: plan, findings: clip.findings, clip: base + ".mp4", sidecar: base + ".json")
  }

  /// Reports which clips would be created, without writing any files.
  package func preview() throws { _ = try findMissingTargets(isDry: true) }

  /// Creates the clips. If the metadata or the match is rejected, creates no clips.
  package func cut() async throws {
    // If no clips can be created, don't create the folder.
    guard plan.clips.contains(where: { $0.plan != nil }) else { return try preview() }
    let folder = absolutePath(folder.isEmpty ? "." : folder)
    try Folder.create(folder, permissions: 0o755)
    // Prevent another cut from writing to the folder after a clip is written and before its metadata is written.
    let lock = try lockFolder(folder)
    do {
      try StagedFile.removeAbandoned(in: folder)
      let targets = try findMissingTargets(isDry: false)
      try await createClips(targets.sorted { ($0.plan.trim?.lowerBound ?? 0) < ($1.plan.trim?.lowerBound ?? 0) })
    } catch {
      lock.releaseAndRemove()
      throw error
    }
    lock.releaseAndRemove()
  }

  /// Returns the clips that must be created. Reports the other clips as rejected by the rules, created by an earlier
  /// run, or failed.
  /// - Parameter isDry: whether to report the clips that would be created, without writing any files.
  /// - Throws: an error if an existing clip's updated metadata cannot be written.
  private func findMissingTargets(isDry: Bool) throws -> [Target] {
    try plan.clips.compactMap { clip in
      guard let plan = clip.plan else {
        report(.refused(clip))
        return nil
      }
      let target = makeTarget(clip, plan)
      let state: TargetState
      do {
        state = try self.checkState(of: target)
      } catch let error as any ExplainedError {
        report(.failed(target, Self.adaptError(error, target)))
        return nil
      }
      guard case .made(var made, let update) = state else {
        if isDry { report(.planned(target)) }
        return target
      }
      if !isDry { StoredEncode(of: absolutePath(target.clip)).remove() }
      if case .write(let json) = update {
        if !isDry { try DurableFile.write(json, to: absolutePath(target.sidecar)) }
        made.updatesMetadata = true
      }
      report(.made(target, made, isNew: false))
      return nil
    }
  }

  private func lockFolder(_ folder: String) throws -> FileLock {
    let path = URL(filePath: folder).resolvingSymlinksInPath().standardizedFileURL.path
    let id = FileDigest.sha256(of: path.utf8).prefix(16)
    try Folder.create(locksFolder)
    guard let lock = try FileLock(path: "\(locksFolder)/cut-\(id).lock") else {
      throw ShareEngineError(.cutLocked, ["folder": folder])
    }
    return lock
  }

  private func createClips(_ targets: [Target]) async throws {
    guard !targets.isEmpty else { return }
    let clips = targets.map { ClipCutter.CutOrder($0.plan, destination: absolutePath($0.clip)) }
    let lengths = targets.map { $0.plan.durationSeconds }
    let done = Mutex(lengths.map { _ in 0.0 })
    var observer = ClipCutter.Observer()
    observer.begins = { try requireDiskSpace(for: targets[$0]) }
    observer.continued = { report(.continued(targets[$0], $1)) }
    observer.progressed = { index, fraction in
      let seconds = done.withLock { done in
        done[index] = fraction * lengths[index]
        return done.reduce(0, +)
      }
      report(.progressed(seconds / max(lengths.reduce(0, +), 0.001)))
    }
    observer.isComplete = { index, clip in
      let json = try makeSidecar(for: targets[index]).encode(
        metadata: plan.document, clipSHA256: clip.sha256, clipByteCount: clip.byteCount)
      try DurableFile.write(json, to: absolutePath(targets[index].sidecar))
    }
    observer.ended = { index, outcome in
      switch outcome {
      case .made(let clip):
        let made = CreatedClip(
          byteCount: clip.byteCount, sha256: clip.sha256, removed: clip.removed, notes: clip.notes.map(\.text))
        report(.made(targets[index], made, isNew: true))
      case .failed(let error): report(.failed(targets[index], Self.adaptError(error, targets[index])))
      }
    }
    report(.began)
    defer { report(.ended) }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    try await cutter.cut(
      clips, width: request.workerCount ?? ClipCutter.defaultWorkerCount(of: clips, cores: cores),
      policy: isForced ? .replace : .keepExisting, observer: observer)
  }

  /// Checks the free disk space for a clip. A clip is assumed to be no larger than its match.
  private func requireDiskSpace(for target: Target) throws {
    let limit = cutter.probe.byteCount
    try DiskSpace.requireFreeSpace(
      min(target.plan.estimatedByteCount ?? limit, limit), at: absolutePath(target.clip),
      operation: "write \(target.clip)")
  }
}
