/// How far an interrupted encode is.
package struct EncodingProgress: Codable, Equatable, Sendable {
  /// The stored part of the output in seconds. The encode continues at this time.
  package var seconds: Double
  /// The duration of the output in seconds.
  package var durationSeconds: Double

  package init(seconds: Double, durationSeconds: Double) {
    (self.seconds, self.durationSeconds) = (seconds, durationSeconds)
  }

  /// The progress as text, for example `41:20.0 of 1:58:03.4`.
  package var text: String { "\(clock(seconds)) of \(clock(durationSeconds))" }
  /// The point at which the encode continues as text, for example `continues at 41:20.0 of 1:58:03.4`.
  package var continuationText: String { "continues at \(text)" }
  /// The stored fraction, from 0 to 1.
  package var fraction: Double { min(max(seconds / max(durationSeconds, 0.001), 0), 1) }
}
