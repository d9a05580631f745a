/// The backend that registers highlights. The raw values are used in settings and in `ShareJob.backend`.
public enum BackendKind: String, Codable, Sendable, CaseIterable {
  /// The backend built into bsc: no account, no network.
  case local
  /// The app's backend: a Supabase project that uses Mux.
  case supabase
  /// Upload only, for a Mux account without Supabase.
  case mux
}
