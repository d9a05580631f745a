import Foundation

/// Whether a clip is uploaded while it's encoded.
public enum UploadStreaming: String, Sendable, CaseIterable {
  /// If `StreamingRule` allows it.
  case on
  /// The clip is uploaded after it's finished.
  case off
}

extension Configuration {
  /// The host of the backend. The local backend's port and host can change, so its name is used.
  var backendHost: String {
    let host: String? =
      switch backend.value {
      case .local: nil
      case .supabase: supabaseURL.value?.host()
      case .mux: URL(string: muxURL.value)?.host()
      }
    return host ?? backend.value.rawValue
  }
}

extension EngineEnvironment {
  /// The reason why a new clip isn't uploaded while it's encoded, or `nil` if it can be.
  var streamingRefusal: String? {
    guard configuration.uploadStreaming.value == .on else { return "the setting upload.stream is off" }
    return UnknownSizeRefusals(places: places, host: configuration.backendHost).reason
  }
}
