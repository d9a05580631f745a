/// Where highlights are registered. The raw values are the words of settings and of `ShareJob.backend`.
public enum BackendKind: String, Codable, Sendable, CaseIterable {
  /// The backend inside bsc: no account, no network.
  case local
  case supabase
  /// Upload only, for people with a Mux account and no Supabase.
  case mux
}
