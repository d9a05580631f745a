public import ClipModel

/// What goes beside location, and what stays.
public struct StripOptions: Equatable, Sendable {
  /// Serial numbers, camera and lens ids, owners go too.
  public var removesIdentifiers = false
  /// With `removesIdentifiers`: make and model stay.
  public var keepsModel = false
  /// Recording dates go too.
  public var removesDates = false
  /// The motion data of a GoPro track stays; its GPS streams go.
  public var keepsMotion = false

  /// Location, faces and what nobody can read go; everything else stays.
  public init() {}

  /// Whether something of this kind goes.
  public func removes(_ carrier: PrivacyCarrier, isModel: Bool = false) -> Bool {
    removes(carrier.disclosure, isModel: isModel)
  }

  func removes(_ disclosure: PrivacyCarrier.Disclosure, isModel: Bool = false) -> Bool {
    switch disclosure {
    case .location, .opaque, .faces: true
    case .identity: removesIdentifiers && !(isModel && keepsModel)
    case .date: removesDates
    }
  }
}
