extension Finding {
  /// The index of the rally that the finding is about; `nil` if it is about the whole metadata.
  public var rallyPosition: Int? {
    guard let place, place.hasPrefix("rallySegments[") else { return nil }
    return Int(place.dropFirst("rallySegments[".count).prefix { $0 != "]" })
  }
}
