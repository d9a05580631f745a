import ClipModel
import Crypto
import DurableFiles
import Foundation

/// The rally metadata next to a clip of a match: the app's file reduced to one rally, plus the properties by which bsc
/// recognizes the clip.
struct CutSidecar: Sendable {
  /// The fingerprint of the match (`FileDigest.fingerprint`).
  var source: String
  var cut: RallyCut
  var plan: ProcessingPlan

  /// Large data about the whole match that a clip does not need.
  private static let omittedKeys = ["trajectoryData", "classificationResults", "physicsValidation", "eventLog"]
  private static let byteLimit = 1 << 20

  /// - Parameter metadata: the match's metadata file, already validated by `RallyMetadata.read`.
  /// - Throws: `ShareEngineError`.
  func json(metadata: Data, clipSHA256: String, clipByteCount: Int64) throws -> Data {
    guard var document = try? JSONSerialization.jsonObject(with: metadata) as? [String: Any],
      let segments = document["rallySegments"] as? [[String: Any]], segments.indices.contains(cut.index),
      let times = cut.segment
    else { throw unwritable }
    for key in Self.omittedKeys { document[key] = nil }
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
    guard
      let bytes = try? JSONSerialization.data(
        withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    else { throw unwritable }
    return SidecarSeal.sealed(bytes)
  }

  /// The metadata that already exists next to a clip.
  enum Existing: Equatable, Sendable {
    case none
    /// The metadata describes the same cut of the same match, and contains the digest and size of its clip.
    case same(clipSHA256: String, clipByteCount: Int64)
    /// The metadata describes a different cut: from a different match, or with different times or settings.
    case anotherCut
    /// A file that bsc did not write.
    case foreign
  }

  /// - Throws: `DurableFileError` when it cannot be read.
  func existing(at path: String) throws -> Existing {
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

  /// The update that is needed for the metadata next to an existing clip.
  enum Update: Equatable, Sendable {
    /// It is up to date.
    case none
    /// It is unchanged, but the match's metadata has changed, so it must be replaced with these bytes.
    case write(Data)
    /// The user edited it, so it must be kept.
    case keep
  }

  /// - Parameters:
  ///   - path: the path of metadata that belongs to this cut according to `existing(at:)`.
  ///   - metadata: as in `json`.
  /// - Throws: `DurableFileError`, `ShareEngineError`.
  func update(
    at path: String, metadata: Data, clipSHA256: String, clipByteCount: Int64
  ) throws -> Update {
    let new = try json(metadata: metadata, clipSHA256: clipSHA256, clipByteCount: clipByteCount)
    let existing = try DurableFile.read(path, limit: Self.byteLimit)
    if existing == new { return .none }
    return SidecarSeal.isIntact(existing) ? .write(new) : .keep
  }

  /// A digest of all settings that affect the clip.
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
    return FileDigest.sha256(of: (try? encoder.encode(shape)) ?? Data())
  }

  private var unwritable: ShareEngineError {
    ShareEngineError(.cutMetadataChanged, ["rally": "\(cut.index)"])
  }
}
