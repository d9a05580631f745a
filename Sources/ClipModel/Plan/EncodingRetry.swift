/// The decision to encode a clip again, because the output of the last encode exceeds a limit.
package struct EncodingRetry: Equatable, Sendable {
  /// The settings for the next encode.
  package let encoding: VideoEncoding
  /// The reason, as a clause about the last output: `it was larger than the source`.
  package let why: String

  /// The maximum number of times a clip is encoded, each time with a lower bit rate. If the clip still exceeds the limit
  /// after the last encode, it would never fit.
  private static let encodeLimit = 5

  /// Decides on the settings for the next encode. The result is `nil` if the output is within its limits, or if another
  /// encode would not help.
  /// - Parameters:
  ///   - encoding: the settings of the last encode.
  ///   - output: the properties of its output.
  ///   - encodeCount: the number of encodes so far.
  package init?(after encoding: VideoEncoding, output: ClipProbe, encodeCount: Int) {
    guard encodeCount < Self.encodeLimit else { return nil }
    var next = encoding
    if let excess = BitRateExcess(output.mainVideo) {
      next.maximumBitsPerSecond = Int64(Double(encoding.maximumBitsPerSecond) * 0.8 / excess.ratio)
      next.bufferBits = next.maximumBitsPerSecond / 2
      why = excess.why
    } else if let cap = encoding.sizeCap, output.byteCount > cap.byteCount, encoding.isRepeatedAboveSizeCap {
      if encoding.maximumBitsPerSecond > cap.bitsPerSecond {
        next.maximumBitsPerSecond = max(cap.bitsPerSecond, VideoEncoding.minimumBitsPerSecond)
      } else {
        // The bit rate is reduced by the excess and an additional 5 %.
        let ratio = Double(cap.byteCount) / Double(output.byteCount)
        next.maximumBitsPerSecond = Int64(Double(encoding.maximumBitsPerSecond) * ratio * 0.95)
      }
      next.bufferBits = next.maximumBitsPerSecond
      why = "it was larger than \(cap.isPromise ? ByteCount.text(cap.byteCount) : "the source")"
    } else {
      return nil
    }
    // At the lowest bit rate, the next encode would have the same output.
    guard next != encoding else { return nil }
    self.encoding = next
  }
}
