/// Extracts the hashtags of a caption.
public enum CaptionTags {
  /// Matches a tag. The capture is the tag without the `#`.
  package static var pattern: Regex<(Substring, Substring)> { /#(\w+)/ }

  /// Returns every `#word` in the caption, lowercased and without the `#`, in order and without duplicates.
  ///
  /// The regular expression matches the app's, so both find the same tags. Only the app keeps duplicates. Words consist
  /// of letters, digits and `_` in any script: `#été`, `#排球`, `#2v2`.
  public static func extractHashtags(in caption: String) -> [String] {
    var known: Set<String> = []
    return caption.matches(of: pattern)
      .map { $0.output.1.lowercased() }
      .filter { known.insert($0).inserted }
  }
}
