/// The kind of backend on which highlights are registered. Settings and `ShareJob.backend` use the raw values.
public enum BackendKind: String, Codable, Sendable, CaseIterable {
  /// The backend that is built into bsc. It requires neither an account nor a network connection.
  case local
  /// The app's backend: a Supabase project that uses Mux.
  case supabase
  /// A Mux account without Supabase. This backend supports only uploads.
  case mux
}
