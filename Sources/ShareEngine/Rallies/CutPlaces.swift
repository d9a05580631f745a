import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// What is in the places of a cut's clips before any is made.
extension CutRun {
  enum Place {
    /// The clip is to be made.
    case open
    /// An earlier run made it.
    case made(Made, CutSidecar.Update)
  }

  /// - Throws: when something else is there and has to stay.
  func place(of target: Target) throws -> Place {
    for path in [target.clip, target.sidecar] {
      guard let there = try? FileIdentity.of(absolutePath(path)),
        inputs.contains(where: { (try? FileIdentity.of($0)).map(there.isSameFile) ?? false })
      else { continue }
      throw ShareEngineError(.outputIsInput, ["output": path])
    }
    guard !isForced else { return .open }
    let found = try sidecar(target).existing(at: absolutePath(target.sidecar))
    let isThere = (try? StagedFile.check(absolutePath(target.clip), replacing: .keepExisting)) == nil
    switch (found, isThere) {
    case (.same(let sha256, let byteCount), true):
      if try FileIdentity.of(absolutePath(target.clip)).byteCount == byteCount {
        return try made(target, sha256: sha256, byteCount: byteCount)
      }
      throw taken(target.clip, "it is not the clip that its metadata tells of: it was changed, or cut off")
    case (.anotherCut, true):
      throw taken(target.clip, "it was cut with other times or settings, or out of another match")
    case (_, true): try StagedFile.check(absolutePath(target.clip), replacing: .keepExisting)
    // The clip appears after its metadata: a killed run leaves the metadata alone.
    case (.none, false), (.same, false), (.anotherCut, false): break
    case (.foreign, false): throw taken(target.sidecar, "it is there already, and bsc did not write it")
    }
    return .open
  }

  private func made(_ target: Target, sha256: String, byteCount: Int64) throws -> Place {
    var made = Made(byteCount: byteCount, sha256: sha256)
    let update = try sidecar(target).update(
      at: absolutePath(target.sidecar), metadata: plan.document, clipSHA256: sha256, clipByteCount: byteCount)
    if update == .keep {
      let name = (target.sidecar as NSString).lastPathComponent
      made.notes = [
        "\(name) is not what would be written now, and stays: somebody changed it (--force makes both anew)"
      ]
    }
    return .made(made, update)
  }

  func sidecar(_ target: Target) -> CutSidecar {
    CutSidecar(source: cutter.fingerprint, cut: target.cut, plan: target.plan)
  }

  private func taken(_ path: String, _ why: String) -> ShareEngineError {
    ShareEngineError(.outputOccupied, ["output": path, "reason": why])
  }

  /// What helps in a cut, where nobody chooses the names of clips.
  static func advised(_ error: any ExplainedError, _ target: Target) -> Explanation {
    var explanation = error.explanation
    if target.plan.salvages == true, case .damaged(let name, _, let why)? = error as? ClipMediaError {
      return Explanation(.notSalvageable, ["file": name, "reason": why])
    }
    guard let error = error as? DurableFileError, explanation.category == .usage || error.code == EISDIR else {
      return explanation
    }
    explanation.facts["command"] = "cut"
    return explanation
  }
}
