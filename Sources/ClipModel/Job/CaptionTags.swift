/// The hashtags of a caption.
public enum CaptionTags {
  /// Returns every `#word` in order, in lowercase, without the `#`. Duplicates are removed.
  ///
  /// The regular expression is the app's, so that both find the same tags. Only the app keeps duplicates. Words consist
  /// of letters, digits and `_` of any script: `#été`, `#排球`, `#2v2`.
  public static func tags(in caption: String) -> [String] {
    var known: Set<String> = []
    return caption.matches(of: /#(\w+)/)
      .map { $0.output.1.lowercased() }
      .filter { known.insert($0).inserted }
  }
}
