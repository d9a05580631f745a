import ClipModel
import Foundation
import Privacy

/// Formats private metadata as text.
enum CarrierText {
  /// Returns a line such as `  LOCATION   moov/udta/©xyz (quicktime-xyz), bytes 40 to 80, 1 point near 48°N 11°E`.
  /// - Parameter label: the text that replaces the kind of data at the start of the line.
  static func formatLine(_ carrier: PrivacyCarrier, label: String? = nil, near position: String? = nil) -> String {
    var parts = ["\(carrier.place) (\(carrier.kind))"]
    if let range = carrier.byteRange { parts.append("bytes \(range.lowerBound) to \(range.upperBound)") }
    if let count = carrier.pointCount {
      parts.append(count.withNoun("point") + (position.map { " near \($0)" } ?? ""))
    }
    return "  \(label ?? labels[carrier.disclosure] ?? "")".padded(13) + parts.joined(separator: ", ")
  }

  private static let labels: [PrivacyCarrier.Disclosure: String] = [
    .location: "LOCATION", .opaque: "UNREADABLE", .faces: "FACES", .identity: "identity", .date: "date",
  ]

  /// Returns the first position, rounded to a degree unless exact values are requested.
  static func formatPosition(_ found: FoundCarrier, exactly isExact: Bool = false) -> String? {
    found.firstPosition.map { position in
      isExact ? String(format: "%.6f, %.6f", position.latitude, position.longitude) : position.roundedText
    }
  }

  /// Summarizes what processing removed, without paths, for example `location (3 places), camera model`.
  /// - Parameters:
  ///   - removed: the descriptions in `ProcessedClip.removed`.
  ///   - kinds: the kinds of data, if they are known.
  static func summarizeRemovedData(_ removed: [String], kinds: [RemovedData]) -> String {
    let parts = RemovedData.allCases.compactMap { kind -> String? in
      let count = kinds.count { $0 == kind }
      guard count > 0 else { return nil }
      return switch kind {
      case .location: "location (\(count.withNoun("place")))"
      case .cameraModel: "camera model"
      case .recordingDate: "recording date"
      case .author: "author"
      case .metadata: "metadata"
      case .track: count.withNoun("track")
      }
    }
    if !parts.isEmpty { return parts.joined(separator: ", ") }
    return removed.isEmpty ? "nothing; no location data was found" : removed.count.withNoun("part")
  }
}

/// Private metadata in the JSON output of `audit` and `strip`.
struct CarrierDocument: Encodable {
  var disclosure: PrivacyCarrier.Disclosure
  var kind: String
  var place: String
  /// The half-open byte range in the file; `null` if the data is spread across samples.
  var byteRange: [Int64]?
  var trackIndex: Int?
  var pointCount: Int?
  /// The first position, rounded to a degree unless the user requested exact values.
  var firstPosition: Position?

  struct Position: Encodable {
    var latitude: Double
    var longitude: Double
  }

  init(_ found: FoundCarrier, exactly isExact: Bool = false) {
    let carrier = found.carrier
    (disclosure, kind, place) = (carrier.disclosure, carrier.kind, carrier.place)
    byteRange = carrier.byteRange.map { [$0.lowerBound, $0.upperBound] }
    (trackIndex, pointCount) = (carrier.trackIndex, carrier.pointCount)
    firstPosition = found.firstPosition.map { position in
      isExact
        ? Position(latitude: position.latitude, longitude: position.longitude)
        : Position(latitude: position.latitude.rounded(), longitude: position.longitude.rounded())
    }
  }
}
