/// How much CPU time the video encoder may take to improve the quality at about the same size. Docs/performance.md
/// compares the levels with other programs.
public enum EncodingEffort: String, Codable, CaseIterable, Sendable {
  /// The least CPU time: about a fifth less than x264's `veryfast` preset.
  case fast
  /// About two thirds of the CPU time of x264's `medium` preset.
  case balanced
  /// About the CPU time of x264's `medium` preset.
  case best
}

extension KeyedDecodingContainer {
  /// Synthesized decoders call this function, because plans and settings of earlier versions have no effort.
  func decode(_ type: EncodingEffort.Type, forKey key: Key) throws -> EncodingEffort {
    try decodeIfPresent(type, forKey: key) ?? .fast
  }
}
