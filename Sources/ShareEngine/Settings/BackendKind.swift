/// The backend on which highlights are registered. The raw values are used in settings and in `ShareJob.backend`.
public enum BackendKind: String, Codable, Sendable, CaseIterable {
  /// The backend that is built into bsc. It requires neither an account nor a network connection.
  case local
  /// The app's backend: a Supabase project that uses Mux.
  case supabase
  /// Uploads only, for a Mux account without Supabase.
  case mux
}
