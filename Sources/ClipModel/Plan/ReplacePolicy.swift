/// What happens if the destination exists when a file is committed.
public enum ReplacePolicy: Sendable, Equatable {
  /// The destination is replaced atomically: readers see the old or the new file, never a partial one.
  case replace
  /// The destination is kept: the commit throws an error, and the staged file is removed.
  case keepExisting
}
