package import ClipModel
import Crypto
import DurableFiles
package import Foundation

/// The rally metadata beside a clip that was cut out of a match: the app's file with that one rally, and what bsc needs
/// to know the clip again.
package struct CutSidecar: Sendable {
  /// Of the match (`FileDigest.fingerprint`).
  package var source: String
  package var cut: RallyCut
  package var plan: ProcessingPlan

  package init(source: String, cut: RallyCut, plan: ProcessingPlan) {
    self.source = source
    self.cut = cut
    self.plan = plan
  }

  /// Of the whole match, and large; nobody asks a clip for them.
  private static let leftOut = ["trajectoryData", "classificationResults", "physicsValidation", "eventLog"]
  private static let byteLimit = 1 << 20

  /// - Parameter metadata: the match's file, which `RallyMetadata.read` understood.
  /// - Throws: `ShareEngineError`.
  package func json(metadata: Data, clipSHA256: String, clipByteCount: Int64) throws -> Data {
    guard var document = try? JSONSerialization.jsonObject(with: metadata) as? [String: Any],
      let segments = document["rallySegments"] as? [[String: Any]], segments.indices.contains(cut.index),
      let times = cut.segment
    else { throw unwritable }
    for key in Self.leftOut { document[key] = nil }
    var segment = segments[cut.index]
    var note: [String: Any] = [
      "mode": "clip", "sourceRallyIndex": cut.index, "clipSHA256": clipSHA256, "clipByteCount": clipByteCount,
      "sourceFingerprint": source, "recipe": recipe, SidecarSeal.key: SidecarSeal.blank,
    ]
    if let trim = cut.trim {
      (segment["startTime"], segment["endTime"]) = (times.startTime, times.endTime)
      note["trim"] = ["before": trim.before, "after": trim.after]
    }
    document["rallySegments"] = [segment]
    document["bsc"] = note
    do {
      let bytes = try JSONSerialization.data(
        withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
      return SidecarSeal.sealed(bytes)
    } catch {
      throw unwritable
    }
  }

  /// What is beside a clip already.
  package enum Existing: Equatable, Sendable {
    case none
    /// The same cut of the same match, with the digest of its clip.
    case same(clipSHA256: String, clipByteCount: Int64)
    /// Written by a cut too: of another match, or with other times or settings.
    case anotherCut
    /// Something else.
    case foreign
  }

  /// - Throws: `DurableFileError` when it cannot be read.
  package func existing(at path: String) throws -> Existing {
    let bytes: Data?
    do throws(DurableFileError) {
      bytes = try DurableFile.readIfPresent(path, limit: Self.byteLimit)
    } catch  where error.explanation.category == .unjudged {
      return .foreign
    }
    guard let bytes else { return .none }
    guard let document = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let note = document["bsc"] as? [String: Any], let recipe = note["recipe"] as? String,
      let fingerprint = note["sourceFingerprint"] as? String, let digest = note["clipSHA256"] as? String,
      let byteCount = note["clipByteCount"] as? Int
    else { return .foreign }
    guard recipe == self.recipe, fingerprint == source, note["sourceRallyIndex"] as? Int == cut.index else {
      return .anotherCut
    }
    return .same(clipSHA256: digest, clipByteCount: Int64(byteCount))
  }

  /// What is to be done about the metadata beside a clip that is there.
  package enum Update: Equatable, Sendable {
    /// It says what would be written.
    case none
    /// It is as we wrote it, and the match's metadata tells something else now: these bytes take its place.
    case write(Data)
    /// It says something else, and somebody changed it: it stays.
    case keep
  }

  /// - Parameters:
  ///   - path: of metadata that `existing(at:)` has found to be of this cut.
  ///   - metadata: as for `json`.
  /// - Throws: `DurableFileError`, `ShareEngineError`.
  package func update(
    at path: String, metadata: Data, clipSHA256: String, clipByteCount: Int64
  ) throws -> Update {
    let wanted = try json(metadata: metadata, clipSHA256: clipSHA256, clipByteCount: clipByteCount)
    let there = try DurableFile.read(path, limit: Self.byteLimit)
    if there == wanted { return .none }
    return SidecarSeal.isWhole(there) ? .write(wanted) : .keep
  }

  /// Every decision that shapes the clip, as one number.
  private var recipe: String {
    struct Shape: Encodable {
      var trim: Range<Double>?
      var leadSeconds: Double?
      var video: VideoTreatment
      var audio: AudioTreatment?
      var salvages: Bool?
    }
    let shape = Shape(
      trim: plan.trim, leadSeconds: plan.leadSeconds, video: plan.video, audio: plan.audio, salvages: plan.salvages)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = (try? encoder.encode(shape)) ?? Data()
    return FileDigest.sha256(of: bytes)
  }

  private var unwritable: ShareEngineError {
    ShareEngineError(.cutMetadataChanged, ["rally": "\(cut.index)"])
  }
}
