extension Finding {
  /// Which rally of the metadata it is about, by its place in the list; `nil` for what is about all of it.
  public var rallyPosition: Int? {
    guard let place, place.hasPrefix("rallySegments[") else { return nil }
    return Int(place.dropFirst("rallySegments[".count).prefix { $0 != "]" })
  }
}
