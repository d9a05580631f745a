public import ClipModel
internal import LocationFormats

/// Options of a strip. Location data, faces and unreadable data are always removed.
public struct StripOptions: Equatable, Sendable {
  /// Also removes serial numbers, camera and lens IDs, and owners.
  public var removesIdentifiers = false
  /// With `removesIdentifiers`: keeps make and model.
  public var keepsModel = false
  /// Also removes recording dates.
  public var removesDates = false
  /// Keeps the motion data of a GoPro track, without its GPS streams.
  public var keepsMotion = false

  /// Removes only what is always removed.
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
