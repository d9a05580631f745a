import ClipModel
import DurableFiles

/// What decides the bytes of the encoded video. Stored GOPs are used only if nothing of it has changed.
///
/// The audio, the pictures and the metadata of a plan aren't part of it, because they are always processed again.
struct EncodingKey: Codable, Equatable {
  var version = PackageVersion.current
  private var sourceModifiedNanoseconds: Int64
  /// The fingerprint of the source's content and size (`FileDigest.fingerprint`).
  private var sourceFingerprint: String
  private var trim: Range<Double>?
  /// The duration determines the initial fill level of the decoder's buffer.
  private(set) var durationSeconds: Double
  private var trackIndex: Int
  private var steps: [PictureStep]
  private var encoding: VideoEncoding

  /// Returns `nil` if the plan copies the video.
  init?(source: FileIdentity, fingerprint: String, plan: ProcessingPlan) {
    guard case .transcode(let trackIndex, let steps, let encoding) = plan.video else { return nil }
    (sourceModifiedNanoseconds, sourceFingerprint) = (source.modifiedNanoseconds, fingerprint)
    (trim, durationSeconds) = (plan.trim, plan.durationSeconds)
    (self.trackIndex, self.steps, self.encoding) = (trackIndex, steps, encoding)
  }

  /// Returns the attempt that continues a stored one, or `nil` if its GOPs can't be used.
  /// - Parameter other: the key of the stored attempt.
  func attempt(
    stored: EncodingCheckpoint.Attempt, of other: EncodingKey
  ) -> EncodingCheckpoint.Attempt? {
    if other == self { return stored }
    // The size limit decides only whether the clip is encoded again after its first attempt. It depends on the audio's bit
    // rate, too.
    var sameLimit = other
    sameLimit.encoding.sizeCap = encoding.sizeCap
    guard stored.reasons.isEmpty, sameLimit == self else { return nil }
    return EncodingCheckpoint.Attempt(encoding: encoding)
  }
}
