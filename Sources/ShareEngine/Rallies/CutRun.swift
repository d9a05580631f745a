import ClipMedia
package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// The clips that are cut out of a match.
package struct CutOrder: Sendable {
  /// As it was named.
  package var match: String
  /// As it was named; `nil` looks beside the match.
  package var metadata: String?
  /// Of the clips, as it was named; `nil` is the match's.
  package var folder: String?
  package var options: MatchCutOptions
  /// Clips that exist are replaced.
  package var isForced = false
  /// Clips at once; `nil` for what suits the machine.
  package var width: Int?

  package init(match: String, options: MatchCutOptions) { (self.match, self.options) = (match, options) }
}

/// What happens in a cut, on any thread.
package enum CutEvent: Sendable {
  /// Clips are made now.
  case began
  /// Fraction of the clips that is done, 0 to 1.
  case progressed(Double)
  /// The clip would be made: only in a preview.
  case planned(CutRun.Target)
  /// `isNew` is false for a clip of an earlier run.
  case made(CutRun.Target, CutRun.Made, isNew: Bool)
  /// The rules refuse the rally.
  case refused(MatchPlan.Clip)
  case failed(CutRun.Target, Explanation)
  /// No more clips are made.
  case ended
}

/// One cut: the match is probed and judged, then its clips are made.
package struct CutRun: Sendable {
  /// A clip and its files.
  package struct Target: Sendable {
    package var cut: RallyCut
    package var plan: ProcessingPlan
    package var findings: [Finding]
    /// As people see them.
    package var clip: String
    package var sidecar: String
  }

  /// A clip that exists now.
  package struct Made: Sendable {
    package var byteCount: Int64
    package var sha256: String
    package var removed: [String] = []
    package var notes: [String] = []
    /// The metadata beside it was of an older export, and is written anew.
    package var updatesMetadata = false
  }

  let cutter: ClipCutter
  package let plan: MatchPlan
  private let order: CutOrder
  private let names: CutNames
  private let folder: String
  /// What was read: nothing is written over it.
  let inputs: [String]
  private let locksFolder: String
  private let report: @Sendable (CutEvent) -> Void

  var isForced: Bool { order.isForced }

  /// Reads everything; writes nothing.
  package init(
    _ order: CutOrder, rules: RuleSettings, places: Places, report: @escaping @Sendable (CutEvent) -> Void
  ) async throws {
    self.order = order
    self.report = report
    locksFolder = places.locksFolder
    // Foundation ends the process over the folder of a path of one character.
    let slash = order.match.lastIndex(of: "/")
    folder = order.folder ?? slash.map { String(order.match[...$0]) } ?? ""
    let path = absolutePath(order.match)
    _ = try FileIdentity.of(path)
    let metadataPath = try MatchPlan.metadataPath(ofMatch: path, named: order.metadata.map(absolutePath))
    _ = try FileIdentity.of(metadataPath)
    cutter = try await ClipCutter(path: path)
    plan = try MatchPlan.make(
      matchPath: path, probe: cutter.probe, metadataPath: metadataPath, options: order.options, rules: rules)
    inputs = [path, metadataPath] + order.options.files
    names = CutNames(match: order.match, folder: folder, rallyCount: plan.metadata?.segments.count ?? 0)
  }

  private func target(_ clip: MatchPlan.Clip, _ plan: ProcessingPlan) -> Target {
    let base = names.name(of: clip.cut.index)
    return Target(cut: clip.cut, plan: plan, findings: clip.findings, clip: base + ".mp4", sidecar: base + ".json")
  }

  /// Reports what would be made; writes nothing.
  package func preview() throws {
    _ = try openTargets(isDry: true)
  }

  /// Makes the clips; none when the metadata or the match is refused.
  package func cut() async throws {
    // Where nothing can be made, nothing is written either.
    guard plan.clips.contains(where: { $0.plan != nil }) else {
      _ = try openTargets(isDry: false)
      return
    }
    if !folder.isEmpty { try Folder.create(absolutePath(folder), permissions: 0o755) }
    let place = absolutePath(folder.isEmpty ? "." : folder)
    // A clip and its metadata are two files: another cut between them would write its own beside ours.
    let lock = try lock(place)
    let result: Result<Void, any Error>
    do { result = .success(try await cut(into: place)) } catch { result = .failure(error) }
    lock.releaseAndRemove()
    try result.get()
  }

  private func cut(into place: String) async throws {
    try StagedFile.removeAbandoned(in: place)
    let targets = try openTargets(isDry: false)
    try await make(targets.sorted { ($0.plan.trim?.lowerBound ?? 0) < ($1.plan.trim?.lowerBound ?? 0) })
  }

  /// The rallies that are to be made. The others are reported: refused, made by an earlier run, or in the way of
  /// something.
  /// - Parameter isDry: nothing is written, and the rallies that would be made are reported, too.
  /// - Throws: when new metadata of an existing clip cannot be written.
  private func openTargets(isDry: Bool) throws -> [Target] {
    try plan.clips.compactMap { clip in
      guard let plan = clip.plan else {
        report(.refused(clip))
        return nil
      }
      let target = target(clip, plan)
      let place: Place
      do {
        place = try self.place(of: target)
      } catch let error as any ExplainedError {
        report(.failed(target, Self.advised(error, target)))
        return nil
      }
      guard case .made(var made, let update) = place else {
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

  private func lock(_ place: String) throws -> FileLock {
    let path = URL(filePath: place).resolvingSymlinksInPath().standardizedFileURL.path
    let id = FileDigest.sha256(of: path.utf8).prefix(16)
    try Folder.create(locksFolder)
    guard let lock = try FileLock(path: "\(locksFolder)/cut-\(id).lock") else {
      throw ShareEngineError(.cutLocked, ["folder": place])
    }
    return lock
  }

  private func make(_ targets: [Target]) async throws {
    guard !targets.isEmpty else { return }
    let orders = targets.map { ClipCutter.Order($0.plan, destination: absolutePath($0.clip)) }
    let document = plan.document
    let lengths = targets.map { $0.plan.durationSeconds }
    let done = Mutex(lengths.map { _ in 0.0 })
    report(.began)
    defer { report(.ended) }
    try await cutter.cut(
      orders,
      width: order.width ?? ClipCutter.usualWidth(of: orders, cores: ProcessInfo.processInfo.activeProcessorCount),
      policy: isForced ? .replace : .keepExisting,
      observer: ClipCutter.Observer(
        begins: { try requireRoom(for: targets[$0]) },
        progressed: { place, fraction in
          let seconds = done.withLock { done in
            done[place] = fraction * lengths[place]
            return done.reduce(0, +)
          }
          report(.progressed(seconds / max(lengths.reduce(0, +), 0.001)))
        },
        isComplete: { place, clip in
          let json = try sidecar(targets[place]).json(
            metadata: document, clipSHA256: clip.sha256, clipByteCount: clip.byteCount)
          try DurableFile.write(json, to: absolutePath(targets[place].sidecar))
        },
        ended: { place, outcome in
          switch outcome {
          case .made(let clip):
            let made = Made(byteCount: clip.byteCount, sha256: clip.sha256, removed: clip.removed, notes: clip.notes)
            report(.made(targets[place], made, isNew: true))
          case .failed(let error): report(.failed(targets[place], Self.advised(error, targets[place])))
          }
        }))
  }

  /// As a batch asks for it: a clip is never bigger than what it is cut out of.
  private func requireRoom(for target: Target) throws {
    let most = cutter.probe.byteCount
    try DiskRoom.require(
      min(target.plan.estimatedByteCount ?? most, most), at: absolutePath(target.clip),
      operation: "write \(target.clip)")
  }
}
