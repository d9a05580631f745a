import ClipModel
import Crypto
import DurableFiles
import Foundation

/// The rally metadata file for a clip that was cut from a match. It contains the app's metadata for one rally, and the
/// properties by which bsc recognizes the clip.
struct CutSidecar: Sendable {
  /// The match's fingerprint (`FileDigest.fingerprint`).
  var source: String
  var cut: RallyCut
  var plan: ProcessingPlan

  /// The keys of large data about the entire match that a clip does not need.
  private static let omittedKeys = ["trajectoryData", "classificationResults", "physicsValidation", "eventLog"]
  private static let byteLimit = 1 << 20

  /// - Parameter metadata: the content of the match's metadata file, already validated by `RallyMetadata.read`.
  /// - Throws: `ShareEngineError` if the match's metadata has changed since it was validated.
  func encode(metadata: Data, clipSHA256: String, clipByteCount: Int64) throws -> Data {
    guard var document = try? JSONSerialization.jsonObject(with: metadata) as? [String: Any],
      let segments = document["rallySegments"] as? [[String: Any]], segments.indices.contains(cut.index),
      let times = cut.segment
    else { throw unwritable }
    for key in Self.omittedKeys { document[key] = nil }
    var segment = segments[cut.index]
    var note: [String: Any] = [
      "mode": "clip", "sourceRallyIndex": cut.index, "clipSHA256": clipSHA256, "clipByteCount": clipByteCount,
      "sourceFingerprint": source, "recipe": recipe, SidecarDigest.key: SidecarDigest.blank,
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
    return SidecarDigest.seal(bytes)
  }

  /// The kind of metadata that already exists for a clip.
  enum ExistingMetadata: Equatable, Sendable {
    case none
    /// The metadata describes the same cut of the same match. The associated values are the digest and size of its
    /// clip.
    case same(clipSHA256: String, clipByteCount: Int64)
    /// The metadata describes a different cut: a different match, different times or different settings.
    case anotherCut
    /// The file was not written by bsc.
    case foreign
  }

  /// - Throws: `DurableFileError` if the metadata file cannot be read.
  func inspectExistingMetadata(at path: String) throws -> ExistingMetadata {
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

  /// The update that an existing clip's metadata file needs.
  enum RequiredUpdate: Equatable, Sendable {
    /// The metadata is up to date.
    case none
    /// The match's metadata has changed, and the user has not edited the clip's metadata. Replace the file's content
    /// with these bytes.
    case write(Data)
    /// The user has edited the metadata, so the file must be kept.
    case keep
  }

  /// - Parameters:
  ///   - path: the path of a metadata file that belongs to this cut, as reported by `inspectExistingMetadata(at:)`.
  ///   - metadata: the content of the match's metadata file.
  /// - Throws: `DurableFileError` if the file cannot be read, or `ShareEngineError` if the match's metadata has
  ///   changed.
  func determineUpdate(
    at path: String, metadata: Data, clipSHA256: String, clipByteCount: Int64
  ) throws -> RequiredUpdate {
    let new = try encode(metadata: metadata, clipSHA256: clipSHA256, clipByteCount: clipByteCount)
    let existing = try DurableFile.read(path, limit: Self.byteLimit)
    if existing == new { return .none }
    return SidecarDigest.isIntact(existing) ? .write(new) : .keep
  }

  /// A digest of all settings that affect the clip's content.
  private var recipe: String {
    struct RecipeInput: Encodable {
      var trim: Range<Double>?
      var leadSeconds: Double?
      var video: VideoTreatment
      var audio: AudioTreatment?
      var salvages: Bool?
    }
    let shape = RecipeInput(
      trim: plan.trim, leadSeconds: plan.leadSeconds, video: plan.video, audio: plan.audio, salvages: plan.salvages)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return FileDigest.sha256(of: (try? encoder.encode(shape)) ?? Data())
  }

  private var unwritable: ShareEngineError {
    ShareEngineError(.cutMetadataChanged, ["rally": "\(cut.index)"])
  }
}
