public import ClipModel

/// What an author may change about a highlight after sharing; `nil` leaves it as it is.
public struct HighlightChange: Encodable, Equatable, Sendable {
  /// Empty takes the caption away.
  public var caption: String?
  /// New hashtags; they follow from the caption.
  public var tags: [String]?
  /// Who may see it from now on.
  public var privacy: PrivacyLevel?
  /// Others shall not see how many like it.
  public var hideLikes: Bool?

  /// The tags follow from the caption, as when it was shared.
  public init(caption: String? = nil, privacy: PrivacyLevel? = nil, hideLikes: Bool? = nil) {
    self.caption = caption
    tags = caption.map(CaptionTags.tags(in:))
    self.privacy = privacy
    self.hideLikes = hideLikes
  }

  /// Nothing is changed.
  public var isEmpty: Bool { self == HighlightChange() }

  private enum CodingKeys: String, CodingKey {
    case caption, tags
    case privacy = "privacy_level"
    case hideLikes = "hide_likes"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let caption {
      if caption.isEmpty {
        try container.encodeNil(forKey: .caption)
      } else {
        try container.encode(caption, forKey: .caption)
      }
    }
    try container.encodeIfPresent(tags, forKey: .tags)
    try container.encodeIfPresent(privacy, forKey: .privacy)
    try container.encodeIfPresent(hideLikes, forKey: .hideLikes)
  }
}
