import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import Synchronization

/// One `bsc cut`: the match is probed and judged, then its clips are made.
struct CutRun {
  /// A clip with its place.
  struct Target: Sendable {
    var cut: RallyCut
    var plan: ProcessingPlan
    var findings: [Finding]
    /// As people see them.
    var clip: String
    var sidecar: String
  }

  private let match: String
  private let cutter: ClipCutter
  private let plan: MatchPlan
  private let names: CutNames
  /// Of the clips, as it was named.
  private let folder: String
  private let isForced: Bool
  /// Where this user's processes tell each other apart.
  private let locksFolder: String
  /// What was read: nothing is written over it.
  private let inputs: [String]
  private let reporting: OutputOptions

  /// Reads everything; writes nothing.
  init(
    match: String, metadata: String?, folder: String?, wish: MatchWish, rules: RuleSettings, isForced: Bool,
    locksFolder: String, reporting: OutputOptions
  ) async throws {
    self.match = match
    // Foundation ends the process over the folder of a path of one character.
    let slash = match.lastIndex(of: "/")
    self.folder = folder ?? slash.map { String(match[...$0]) } ?? ""
    self.isForced = isForced
    self.locksFolder = locksFolder
    self.reporting = reporting
    let path = absolutePath(match)
    _ = try FileIdentity.of(path)
    let metadataPath = try MatchPlan.metadataPath(ofMatch: path, named: metadata.map(absolutePath))
    _ = try FileIdentity.of(metadataPath)
    cutter = try await ClipCutter(path: path)
    plan = try MatchPlan.make(
      matchPath: path, probe: cutter.probe, metadataPath: metadataPath, wish: wish, rules: rules)
    inputs = [path, metadataPath] + wish.files
    names = CutNames(match: match, folder: self.folder, rallyCount: plan.metadata?.segments.count ?? 0)
  }

  private func target(_ clip: MatchPlan.Clip, _ plan: ProcessingPlan) -> Target {
    let base = names.name(of: clip.cut.index)
    return Target(cut: clip.cut, plan: plan, findings: clip.findings, clip: base + ".mp4", sidecar: base + ".json")
  }

  /// Tells what is wrong with the metadata or the match.
  /// - Returns: whether nothing can be cut.
  private func isRefused() -> Bool {
    guard !plan.isRefused else {
      if reporting.json { Console.writeJSON(CutDocument(match: match, refused: plan.findings)) }
      Console.writeError(FindingText.rejection(of: match, to: "cut", plan.findings))
      return true
    }
    if !reporting.quiet {
      let notes = plan.findings.filter { $0.severity == .warning }
      Console.writeError(Console.printable(notes.map { FindingText.line($0) + "\n" }.joined()))
    }
    return false
  }

  /// `--dry-run`; returns the exit code.
  func show() -> Int32 {
    guard !isRefused() else { return ExitStatus.code(for: .rejected) }
    let tally = CutTally(match: match, reporting: reporting)
    for clip in plan.clips {
      guard let plan = clip.plan else {
        tally.refused(clip)
        continue
      }
      tally.planned(target(clip, plan))
    }
    tally.summarize()
    return tally.exitCode
  }

  /// - Parameter width: so many at once; `nil` for what suits the machine.
  /// - Returns: the exit code, and the clips that are there now, in the order of their rallies.
  func cut(width: Int?) async throws -> (code: Int32, clips: [String]) {
    guard !isRefused() else { return (ExitStatus.code(for: .rejected), []) }
    let tally = CutTally(match: match, reporting: reporting)
    if !folder.isEmpty { try Folder.create(absolutePath(folder), permissions: 0o755) }
    let place = absolutePath(folder.isEmpty ? "." : folder)
    // A clip and its metadata are two files: another cut between them would put its own beside ours.
    let lock = try lock(place)
    let result: Result<(code: Int32, clips: [String]), any Error>
    do { result = .success(try await cut(into: place, tally, width)) } catch { result = .failure(error) }
    lock.releaseAndRemove()
    return try result.get()
  }

  private func cut(
    into place: String, _ tally: CutTally, _ width: Int?
  ) async throws -> (code: Int32, clips: [String]) {
    try StagedFile.removeAbandoned(in: place)
    var targets: [Target] = []
    for clip in plan.clips {
      guard let plan = clip.plan else {
        tally.refused(clip)
        continue
      }
      let target = target(clip, plan)
      do {
        if let there = try existing(target) { tally.present(target, there) } else { targets.append(target) }
      } catch let error as any ExplainedError {
        tally.failed(target, error.explanation)
      }
    }
    try await make(targets.sorted { ($0.plan.trim?.lowerBound ?? 0) < ($1.plan.trim?.lowerBound ?? 0) }, tally, width)
    tally.summarize()
    return (tally.exitCode, tally.clips)
  }

  private func lock(_ place: String) throws -> FileLock {
    let path = URL(filePath: place).resolvingSymlinksInPath().standardizedFileURL.path
    let id = FileDigest.sha256(of: path.utf8).prefix(16)
    try Folder.create(locksFolder)
    guard let lock = try FileLock(path: "\(locksFolder)/cut-\(id).lock") else {
      throw UsageFailure(
        what: "cannot cut into \(place)", why: "another bsc cut works there",
        next: "wait until it has ended, or name another folder (-o)", category: .locked)
    }
    return lock
  }

  private func sidecar(_ target: Target) -> CutSidecar {
    CutSidecar(source: cutter.fingerprint, cut: target.cut, plan: target.plan)
  }

  /// The clip that an earlier run made; `nil` when there is none.
  /// - Throws: when something else is in its place and has to stay.
  private func existing(_ target: Target) throws -> CutTally.Made? {
    for path in [target.clip, target.sidecar] {
      guard let there = try? FileIdentity.of(absolutePath(path)),
        inputs.contains(where: { (try? FileIdentity.of($0)).map(there.isSameFile) ?? false })
      else { continue }
      throw UsageFailure(
        what: "cannot write \(path)", why: "it is itself what is read", next: "name another folder: -o")
    }
    guard !isForced else { return nil }
    let found = try sidecar(target).existing(at: absolutePath(target.sidecar))
    let isThere = (try? StagedFile.check(absolutePath(target.clip), replacing: .keepExisting)) == nil
    switch (found, isThere) {
    case (.same(let sha256, let byteCount), true):
      if try FileIdentity.of(absolutePath(target.clip)).byteCount == byteCount {
        return CutTally.Made(byteCount: byteCount, sha256: sha256)
      }
      throw taken(target, target.clip, "it is not the clip that its metadata tells of: it was changed, or cut off")
    case (.anotherCut, true):
      throw taken(target, target.clip, "it was cut with other times or settings, or out of another match")
    case (_, true): try StagedFile.check(absolutePath(target.clip), replacing: .keepExisting)
    // The clip appears after its metadata: a killed run leaves the metadata alone.
    case (.none, false), (.same, false), (.anotherCut, false): break
    case (.foreign, false): throw taken(target, target.sidecar, "it is there already, and bsc did not write it")
    }
    return nil
  }

  private func taken(_ target: Target, _ path: String, _ why: String) -> UsageFailure {
    UsageFailure(
      what: "cannot write \(path)", why: why, next: "name another folder (-o), or allow replacing it (--force)")
  }

  private func make(_ targets: [Target], _ tally: CutTally, _ width: Int?) async throws {
    guard !targets.isEmpty else { return }
    let orders = targets.map { ClipCutter.Order($0.plan, destination: absolutePath($0.clip)) }
    let document = plan.document
    tally.begin(targets.map { $0.plan.durationSeconds })
    let cores = ProcessInfo.processInfo.activeProcessorCount
    defer { tally.end() }
    try await cutter.cut(
      orders, width: width ?? ClipCutter.usualWidth(of: orders, cores: cores),
      policy: isForced ? .replace : .keepExisting,
      observer: ClipCutter.Observer(
        progressed: { tally.move($0, $1) },
        isComplete: { place, clip in
          let json = try sidecar(targets[place]).json(metadata: document, clip: clip)
          try DurableFile.write(json, to: absolutePath(targets[place].sidecar))
        },
        ended: { place, outcome in
          switch outcome {
          case .made(let clip): tally.made(targets[place], clip)
          case .failed(let error): tally.failed(targets[place], error.explanation)
          }
        }))
  }
}
