import Foundation

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
