/// What happens when the destination exists at the moment of the commit.
public enum ReplacePolicy: Sendable, Equatable {
  /// It is replaced in one step: a reader sees the old file or the new one, never a part.
  case replace
  /// It stays; the commit throws and the staged file is removed.
  case keepExisting
}
