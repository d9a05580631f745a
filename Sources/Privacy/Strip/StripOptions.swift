public import ClipModel
internal import LocationFormats

/// The options for stripping a file. Location data, faces and unreadable data are always removed.
public struct StripOptions: Equatable, Sendable {
  /// Whether to also remove serial numbers, camera and lens IDs, and owners.
  public var removesIdentifiers = false
  /// Whether to keep the camera make and model if `removesIdentifiers` is set.
  public var keepsModel = false
  /// Whether to also remove recording dates.
  public var removesDates = false
  /// Whether to keep the motion data of a GoPro track, without its GPS streams.
  public var keepsMotion = false

  /// Creates options that remove only the metadata that is always removed.
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
