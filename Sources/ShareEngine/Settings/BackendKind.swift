/// Where highlights are registered. The raw values are the words of settings and of `ShareJob.backend`.
public enum BackendKind: String, Codable, Sendable, CaseIterable {
  /// The backend inside bsc: no account, no network.
  case local
  /// The app's own: a project of Supabase with Mux behind it.
  case supabase
  /// Upload only, for people with a Mux account and no Supabase.
  case mux
}
