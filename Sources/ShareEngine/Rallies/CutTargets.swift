import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// Checks the paths of a cut's clips before any clip is created.
extension CutRun {
  enum TargetState {
    /// The clip must be created.
    case missing
    /// An earlier run created the clip.
    case made(Made, CutSidecar.Update)
  }

  /// - Throws: if there is a different file that must be kept.
  func state(of target: Target) throws -> TargetState {
    for path in [target.clip, target.sidecar] {
      guard let existing = try? FileIdentity.of(absolutePath(path)),
        inputs.contains(where: { (try? FileIdentity.of($0)).map(existing.isSameFile) ?? false })
      else { continue }
      throw ShareEngineError(.outputIsInput, ["output": path])
    }
    guard !isForced else { return .missing }
    let clip = absolutePath(target.clip)
    let sidecar = try sidecar(target).existing(at: absolutePath(target.sidecar))
    // Metadata without its clip was left by a killed run, because the metadata is written first.
    guard (try? StagedFile.check(clip, replacing: .keepExisting)) == nil else {
      guard sidecar != .foreign else { throw occupied(target.sidecar, "it already exists, and bsc did not write it") }
      return .missing
    }
    switch sidecar {
    case .same(let sha256, let byteCount):
      guard try FileIdentity.of(clip).byteCount == byteCount else {
        throw occupied(target.clip, "it is not the clip that its metadata describes: it was changed or truncated")
      }
      return try made(target, sha256: sha256, byteCount: byteCount)
    case .anotherCut:
      throw occupied(target.clip, "it was cut with different times or settings, or from a different match")
    case .none, .foreign:
      try StagedFile.check(clip, replacing: .keepExisting)
      return .missing
    }
  }

  private func made(_ target: Target, sha256: String, byteCount: Int64) throws -> TargetState {
    var made = Made(byteCount: byteCount, sha256: sha256)
    let update = try sidecar(target).update(
      at: absolutePath(target.sidecar), metadata: plan.document, clipSHA256: sha256, clipByteCount: byteCount)
    if update == .keep {
      let name = (target.sidecar as NSString).lastPathComponent
      made.notes = ["\(name) is outdated, but is kept because it was edited (--force creates both files again)"]
    }
    return .made(made, update)
  }

  func sidecar(_ target: Target) -> CutSidecar {
    CutSidecar(source: cutter.fingerprint, cut: target.cut, plan: target.plan)
  }

  private func occupied(_ path: String, _ why: String) -> ShareEngineError {
    ShareEngineError(.outputOccupied, ["output": path, "reason": why])
  }

  /// Adapts an error to a cut, where the user does not choose the names of clips.
  static func adapted(_ error: any ExplainedError, _ target: Target) -> Explanation {
    if target.plan.salvages == true, case .damaged(let name, _, let why)? = error as? ClipMediaError {
      return Explanation(.notSalvageable, ["file": name, "reason": why])
    }
    var explanation = error.explanation
    if let error = error as? DurableFileError, explanation.category == .usage || error.code == EISDIR {
      explanation.facts["command"] = "cut"
    }
    return explanation
  }
}
