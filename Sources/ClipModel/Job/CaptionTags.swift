/// The hashtags of a caption.
public enum CaptionTags {
  /// Returns every `#word` in order, in lowercase and without the `#` and duplicates.
  ///
  /// The regular expression is that of the app, so that both find the same tags. Only the app keeps duplicates. Words
  /// consist of letters, digits and `_` of any script: `#été`, `#排球`, `#2v2`.
  public static func tags(in caption: String) -> [String] {
    var known: Set<String> = []
    return caption.matches(of: /#(\w+)/)
      .map { $0.output.1.lowercased() }
      .filter { known.insert($0).inserted }
  }
}
