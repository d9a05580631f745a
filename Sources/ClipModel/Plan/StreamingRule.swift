/// Decides whether a clip is uploaded while it's encoded.
///
/// If the clip must be encoded again, its first bytes change and the started upload is lost. So the upload starts early
/// only if the highest bit rate of the encoder can't exceed the clip's size limit.
package enum StreamingRule {
  /// The duration of the shortest clip that is uploaded early, in seconds: three groups of pictures.
  private static let minimumSeconds = 6.0
  /// The minimum ratio of the size limit to the largest possible clip.
  private static let sizeMargin = 1.1
  /// The assumed bit rate of the audio and the index, in bits per second.
  private static let otherBitsPerSecond = 400_000.0

  /// Returns the plan with the decision and its reason.
  /// - Parameters:
  ///   - plan: the plan for the clip.
  ///   - source: the properties of the source.
  ///   - refusal: the reason why no clip is uploaded early, or `nil` if clips can be.
  package static func apply(to plan: ProcessingPlan, of source: ClipProbe, refusal: String?) -> ProcessingPlan {
    if let why = refusal ?? obstacle(to: plan, of: source) {
      var plan = plan
      plan.decisions.append(.init("upload: when the clip is finished", because: why))
      return plan
    }
    var streamed = plan.streamed ?? plan
    streamed.decisions.append(
      .init("upload: while the clip is encoded", because: "a second encode is unlikely"))
    return streamed
  }

  /// Returns the reason why a clip isn't uploaded early, or `nil` if it can be.
  private static func obstacle(to plan: ProcessingPlan, of source: ClipProbe) -> String? {
    guard let encoding = plan.video.encoding else { return "the video is copied" }
    if plan.streamed == nil { return "a hardware encoder is used" }
    if plan.durationSeconds < minimumSeconds { return "the clip is shorter than \(Int(minimumSeconds)) s" }
    if plan.salvages == true { return "the source may be damaged" }
    // Other containers store AAC in a form that only libav's muxer converts.
    if case .copy = plan.audio, source.isFastStart == nil { return "the audio is copied from a file that isn't MP4" }
    guard let cap = encoding.sizeCap else { return nil }
    let bitsPerSecond = Double(encoding.maximumBitsPerSecond) + otherBitsPerSecond
    guard bitsPerSecond * plan.durationSeconds / 8 * sizeMargin > Double(cap.byteCount) else { return nil }
    return cap.isPromise
      ? "the clip may have to be encoded again to fit into \(ByteCount.text(cap.byteCount))"
      : "the clip may have to be encoded again to be smaller than the source"
  }
}
