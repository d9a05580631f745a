extension Finding {
  /// The zero-based index of the rally that the finding refers to; `nil` if the finding refers to the entire metadata.
  public var rallyPosition: Int? {
    guard let place, place.hasPrefix("rallySegments[") else { return nil }
    return Int(place.dropFirst("rallySegments[".count).prefix { $0 != "]" })
  }
}
