/// Whether a clip is uploaded while it's encoded.
public enum UploadStreaming: String, Codable, Sendable, CaseIterable {
  /// If `StreamingRule` allows it, the clip isn't small, and the backend isn't on this computer.
  case auto
  /// If `StreamingRule` allows it.
  case on
  /// The clip is uploaded after it's finished.
  case off
}
