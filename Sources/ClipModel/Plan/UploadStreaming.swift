/// Whether a clip is uploaded while it's encoded.
public enum UploadStreaming: String, Codable, Sendable, CaseIterable {
  /// If it's possible and saves time, which `StreamingRule` decides.
  case auto
  /// If it's possible.
  case on
  /// The clip is uploaded after it's finished.
  case off
}
