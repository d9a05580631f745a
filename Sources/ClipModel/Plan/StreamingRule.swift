/// Decides whether a clip is uploaded while it's encoded.
///
/// If the clip must be encoded again, its first bytes change and the started upload is lost. So the upload starts early
/// only if the clip probably fits into its size limit, and pauses if the finished part predicts a larger clip.
package enum StreamingRule {
  /// The duration of the shortest clip that is uploaded early, in seconds: three groups of pictures.
  private static let minimumSeconds = 6.0
  /// The estimated size of the smallest clip that `UploadStreaming.auto` uploads early, in bytes. At 10 Mbit/s, an upload
  /// of this size takes 3 s.
  private static let minimumByteCount: Int64 = 4_000_000
  /// The minimum ratio of the size limit to the largest possible clip, or to the clip that its finished part predicts.
  private static let sizeMargin = 1.1
  /// The minimum ratio of the size limit to the clip that the plan estimates, which is less exact.
  private static let estimateMargin = 1.25
  /// The assumed bit rate of the audio and the index, in bits per second.
  private static let otherBitsPerSecond = 400_000.0

  /// Returns the plan with the decision and its reason.
  /// - Parameters:
  ///   - plan: the plan for the clip.
  ///   - source: the properties of the source.
  ///   - upload: where the clip is uploaded to.
  package static func apply(
    to plan: ProcessingPlan, of source: ClipProbe, _ upload: UploadConditions
  ) -> ProcessingPlan {
    let why = obstacle(to: upload) ?? obstacle(to: plan, of: source, upload.streaming)
    var decided = why == nil ? plan.streamed ?? plan : plan
    decided.upload =
      why.map { .init("upload: when the clip is finished", because: $0) }
      ?? .init("upload: while the clip is encoded", because: "a second encode is unlikely")
    return decided
  }

  /// Returns whether a finished part waits for later parts, or for the end of the encode, because the clip may exceed its
  /// size limit.
  /// - Parameter byteCount: the size of the clip that the part predicts.
  package static func pauses(_ plan: ProcessingPlan, predictedByteCount byteCount: Double) -> Bool {
    guard let encoding = plan.video.encoding, let cap = encoding.sizeCap, encoding.isRepeatedAboveSizeCap else {
      return false
    }
    return byteCount * sizeMargin > Double(cap.byteCount)
  }

  /// Returns the reason why no clip of an upload is sent early, or `nil` if clips can be.
  private static func obstacle(to upload: UploadConditions) -> String? {
    if upload.streaming == .off { return "uploads during the encode are off" }
    // Nothing of a post is sent before all of its clips are finished.
    if upload.isPost { return "the highlight has several clips" }
    // An early upload saves almost no time here, and its clip is larger, because it has more key frames.
    if upload.streaming == .auto, upload.isLocal { return "the backend is on this computer" }
    return upload.requiresSize ? "\(upload.host) requires the size of an upload" : nil
  }

  /// Returns the reason why a clip isn't uploaded early, or `nil` if it can be.
  private static func obstacle(
    to plan: ProcessingPlan, of source: ClipProbe, _ streaming: UploadStreaming
  ) -> String? {
    guard let encoding = plan.video.encoding else { return "the video is copied" }
    if plan.streamed == nil { return "a hardware encoder is used" }
    if plan.durationSeconds < minimumSeconds { return "the clip is shorter than \(Int(minimumSeconds)) s" }
    if plan.salvages == true { return "the source may be damaged" }
    // Other containers store AAC in a form that only libav's muxer converts.
    if case .copy = plan.audio, source.isFastStart == nil { return "the audio is copied from a file that isn't MP4" }
    if streaming == .auto, let bytes = plan.estimatedByteCount, bytes < minimumByteCount {
      return "the clip is estimated to be smaller than \(ByteCount.text(minimumByteCount))"
    }
    guard let cap = encoding.sizeCap, encoding.isRepeatedAboveSizeCap else { return nil }
    let bitsPerSecond = Double(encoding.maximumBitsPerSecond) + otherBitsPerSecond
    let largest = bitsPerSecond * plan.durationSeconds / 8 * sizeMargin
    let estimated = plan.estimatedByteCount.map { Double($0) * estimateMargin } ?? largest
    guard min(largest, estimated) > Double(cap.byteCount) else { return nil }
    return cap.isPromise
      ? "the clip may have to be encoded again to fit into \(ByteCount.text(cap.byteCount))"
      : "the clip may have to be encoded again to be smaller than the source"
  }
}
