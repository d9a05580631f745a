import ClipModel
import Foundation
import Privacy

/// What tells more than the film, for people.
enum CarrierText {
  /// `  LOCATION   moov/udta/©xyz (quicktime-xyz), bytes 40 to 80, 1 point near 48°N 11°E`
  /// - Parameter label: in front, instead of what it tells.
  static func line(_ carrier: PrivacyCarrier, labelled label: String? = nil, near position: String? = nil) -> String {
    var parts = ["\(carrier.place) (\(carrier.kind))"]
    if let range = carrier.byteRange { parts.append("bytes \(range.lowerBound) to \(range.upperBound)") }
    if let count = carrier.pointCount {
      parts.append(count.counting("point") + (position.map { " near \($0)" } ?? ""))
    }
    return "  \(label ?? self.label(carrier.disclosure))".padded(13) + parts.joined(separator: ", ")
  }

  static func label(_ disclosure: PrivacyCarrier.Disclosure) -> String {
    switch disclosure {
    case .location: "LOCATION"
    case .opaque: "UNREADABLE"
    case .faces: "FACES"
    case .identity: "identity"
    case .date: "date"
    }
  }

  /// A position as asked for: to a degree, or as it was read.
  static func position(_ found: FoundCarrier, exactly isExact: Bool) -> String? {
    found.firstPosition.map { position in
      isExact ? String(format: "%.6f, %.6f", position.latitude, position.longitude) : position.roundedText
    }
  }
}

/// A carrier in the JSON of `audit` and `strip`.
struct CarrierDocument: Encodable {
  /// `location`, `opaque`, `faces`, `identity` or `date`.
  var disclosure: String
  var kind: String
  var place: String
  /// First byte and the one behind the last; `null` when spread over samples.
  var byteRange: [Int64]?
  var trackIndex: Int?
  var pointCount: Int?
  /// To a degree, unless the values were asked for.
  var firstPosition: Position?

  struct Position: Encodable {
    var latitude: Double
    var longitude: Double
  }

  init(_ found: FoundCarrier, exactly isExact: Bool) {
    let carrier = found.carrier
    disclosure = carrier.disclosure.rawValue
    kind = carrier.kind
    place = carrier.place
    byteRange = carrier.byteRange.map { [$0.lowerBound, $0.upperBound] }
    trackIndex = carrier.trackIndex
    pointCount = carrier.pointCount
    firstPosition = found.firstPosition.map { position in
      isExact
        ? Position(latitude: position.latitude, longitude: position.longitude)
        : Position(latitude: position.latitude.rounded(), longitude: position.longitude.rounded())
    }
  }
}
