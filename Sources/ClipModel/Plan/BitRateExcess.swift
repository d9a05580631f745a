/// The amount by which an output's video exceeds the bit rates that Mux accepts without transcoding.
package struct BitRateExcess: Sendable {
  /// The ratio of the bit rate to its limit, which is greater than 1.
  package let ratio: Double
  /// The reason, as a clause about the output.
  package let why: String

  /// The result is `nil` if the track is within both limits: for its average bit rate, and for each group of pictures.
  package init?(_ video: VideoTrack?) {
    let average = Double(video?.bitsPerSecond ?? 0) / Double(MuxStandard.today.averageBitsPerSecond)
    let highest = Double(video?.gop?.highestBitsPerSecond ?? 0) / Double(MuxStandard.today.gopBitsPerSecond)
    guard max(average, highest) > 1 else { return nil }
    ratio = max(average, highest)
    why = average >= highest ? "its bit rate was above 8 Mbit/s" : "its bit rate peaked above 16 Mbit/s"
  }
}
