/// What to do if the destination already exists when a file is committed.
public enum ReplacePolicy: Sendable, Equatable {
  /// Replaces the destination atomically. Readers see either the old file or the new one, never a partial file.
  case replace
  /// Keeps the destination. The commit throws an error, and the staged file is removed.
  case keepExisting
}
