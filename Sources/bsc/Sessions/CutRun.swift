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
  let cutter: ClipCutter
  let plan: MatchPlan
  private let names: CutNames
  /// Of the clips, as it was named.
  private let folder: String
  let isForced: Bool
  /// Where this user's processes tell each other apart.
  private let locksFolder: String
  /// What was read: nothing is written over it.
  let inputs: [String]
  private let reporting: OutputOptions

  /// Reads everything; writes nothing.
  init(
    match: String, metadata: String?, folder: String?, wish: MatchCutOptions, rules: RuleSettings, isForced: Bool,
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

  /// Tells what is wrong with the metadata or the match, and that nothing is wanted of it.
  /// - Returns: whether nothing can be cut.
  private func isRefused() -> Bool {
    guard !plan.isRefused else {
      if reporting.json { Console.writeJSON(CutDocument(match: match, refused: plan.findings)) }
      Console.writeError(FindingText.rejection(of: match, to: "cut", plan.findings))
      return true
    }
    if plan.clips.isEmpty, let path = plan.selectionsPath, !reporting.quiet {
      Console.note("nothing is saved in \((path as NSString).lastPathComponent)")
    }
    if !reporting.quiet {
      let notes = plan.findings.filter { $0.severity == .warning }
      Console.writeError(notes.map(FindingText.line).lines)
    }
    return false
  }

  /// `--dry-run`: writes nothing; returns the exit code.
  func show() throws -> Int32 {
    guard !isRefused() else { return ExitStatus.code(for: .rejected) }
    let tally = CutTally(match: match, reporting: reporting, isDry: true)
    try eachOpen(tally) { tally.planned($0) }
    tally.summarize()
    return tally.exitCode
  }

  /// - Parameter width: so many at once; `nil` for what suits the machine.
  /// - Returns: the exit code, and the clips that are there now, in the order of their rallies.
  func cut(width: Int?) async throws -> (code: Int32, clips: [String]) {
    guard !isRefused() else { return (ExitStatus.code(for: .rejected), []) }
    let tally = CutTally(match: match, reporting: reporting)
    // Where nothing can be made, nothing is written either.
    guard plan.clips.contains(where: { $0.plan != nil }) else {
      try eachOpen(tally) { _ in }
      tally.summarize()
      return (tally.exitCode, [])
    }
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
    try eachOpen(tally) { targets.append($0) }
    try await make(targets.sorted { ($0.plan.trim?.lowerBound ?? 0) < ($1.plan.trim?.lowerBound ?? 0) }, tally, width)
    tally.summarize()
    return (tally.exitCode, tally.clips)
  }

  /// Hands out the rallies that are to be made. The others are told: refused, made by an earlier run, or in the way of
  /// something.
  /// - Throws: when new metadata of a clip that is there cannot be written.
  private func eachOpen(_ tally: CutTally, _ body: (Target) -> Void) throws {
    for clip in plan.clips {
      guard let plan = clip.plan else {
        tally.refused(clip)
        continue
      }
      let target = target(clip, plan)
      let place: Place
      do {
        place = try self.place(of: target)
      } catch let error as any ExplainedError {
        tally.failed(target, Self.advised(error, target))
        continue
      }
      switch place {
      case .open: body(target)
      case .made(var made, let update):
        if case .write(let json) = update {
          if !tally.isDry { try DurableFile.write(json, to: absolutePath(target.sidecar)) }
          made.metadataUpdate = tally.isDry ? .planned : .made
        }
        tally.present(target, made)
      }
    }
  }

  private func lock(_ place: String) throws -> FileLock {
    let path = URL(filePath: place).resolvingSymlinksInPath().standardizedFileURL.path
    let id = FileDigest.sha256(of: path.utf8).prefix(16)
    try Folder.create(locksFolder)
    guard let lock = try FileLock(path: "\(locksFolder)/cut-\(id).lock") else {
      throw CommandFailure(.cutLocked, ["folder": place])
    }
    return lock
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
        begins: { try requireRoom(for: targets[$0]) },
        progressed: { tally.move($0, $1) },
        isComplete: { place, clip in
          let json = try sidecar(targets[place]).json(
            metadata: document, clipSHA256: clip.sha256, clipByteCount: clip.byteCount)
          try DurableFile.write(json, to: absolutePath(targets[place].sidecar))
        },
        ended: { place, outcome in
          switch outcome {
          case .made(let clip): tally.made(targets[place], clip)
          case .failed(let error): tally.failed(targets[place], Self.advised(error, targets[place]))
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
