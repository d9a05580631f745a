public import ClipModel
internal import LocationFormats

/// Options for a strip. Location data, faces and unreadable data are always removed.
public struct StripOptions: Equatable, Sendable {
  /// Whether serial numbers, camera and lens IDs, and owners are also removed.
  public var removesIdentifiers = false
  /// Whether make and model are kept when `removesIdentifiers` is set.
  public var keepsModel = false
  /// Whether recording dates are also removed.
  public var removesDates = false
  /// Whether the motion data of a GoPro track is kept, without its GPS streams.
  public var keepsMotion = false

  /// Creates options that remove only what is always removed.
  public init() {}

  /// Whether these options remove a carrier.
  public func removes(_ carrier: PrivacyCarrier, isModel: Bool = false) -> Bool {
    switch carrier.disclosure {
    case .location, .opaque, .faces: true
    case .identity: removesIdentifiers && !(isModel && keepsModel)
    case .date: removesDates
    }
  }

  func removes(_ finding: PayloadFinding) -> Bool {
    FoundCarrier(finding, place: "").map { removes($0.carrier) } ?? false
  }
}
