import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// Checks the output paths of a cut before any clip is created.
extension CutRun {
  enum TargetState {
    /// The clip must be created.
    case missing
    /// An earlier run created the clip.
    case made(CreatedClip, CutSidecar.RequiredUpdate)
  }

  /// - Throws: an error if a path contains a different file that must be kept.
  func checkState(of target: Target) throws -> TargetState {
    for path in [target.clip, target.sidecar] {
      guard let existing = try? FileIdentity.of(absolutePath(path)),
        inputs.contains(where: { (try? FileIdentity.of($0)).map(existing.isSameFile) ?? false })
      else { continue }
      throw ShareEngineError(.outputIsInput, ["output": path])
    }
    guard !isForced else { return .missing }
    let clip = absolutePath(target.clip)
    let sidecar = try makeSidecar(for: target).inspectExistingMetadata(at: absolutePath(target.sidecar))
    // A metadata file without a clip is left over from a killed run, because the metadata is written first.
    guard (try? StagedFile.checkDestination(clip, replacing: .keepExisting)) == nil else {
      guard sidecar != .foreign else {
        throw makeOccupiedError(target.sidecar, "the file already exists and was not written by bsc")
      }
      return .missing
    }
    switch sidecar {
    case .same(let sha256, let byteCount):
      guard try FileIdentity.of(clip).byteCount == byteCount else {
        throw makeOccupiedError(
          target.clip, "the file was changed or truncated: it is not the clip that its metadata describes")
      }
      return try inspectCreatedClip(target, sha256: sha256, byteCount: byteCount)
    case .anotherCut:
      throw makeOccupiedError(
        target.clip, "the existing clip was cut with different times or settings, or from a different match")
    case .none, .foreign:
      try StagedFile.checkDestination(clip, replacing: .keepExisting)
      return .missing
    }
  }

  private func inspectCreatedClip(_ target: Target, sha256: String, byteCount: Int64) throws -> TargetState {
    var made = CreatedClip(byteCount: byteCount, sha256: sha256)
    let update = try makeSidecar(for: target).determineUpdate(
      at: absolutePath(target.sidecar), metadata: plan.document, clipSHA256: sha256, clipByteCount: byteCount)
    made.keepsOutdatedMetadata = update == .keep
    return .made(made, update)
  }

  func makeSidecar(for target: Target) -> CutSidecar {
    CutSidecar(source: cutter.fingerprint, cut: target.cut, plan: target.plan)
  }

  private func makeOccupiedError(_ path: String, _ why: String) -> ShareEngineError {
    ShareEngineError(.outputOccupied, ["output": path, "reason": why])
  }

  /// Adapts an error's explanation to a cut, because the user doesn't choose the names of the clips.
  static func adaptError(_ error: any ExplainedError, _ target: Target) -> Explanation {
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
