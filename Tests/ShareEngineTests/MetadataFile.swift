import Foundation
import TestSupport
import Testing

extension ScratchFolder {
  /// Writes metadata of the app with the given rallies, based on a sample.
  /// - Returns: the path of the file.
  func writeMetadata(_ rallies: [Range<Double>], to name: String) throws -> String {
    let sample = try Data(contentsOf: URL(filePath: SharedMedia.sample("rally-portrait.json")))
    var document = try #require(try JSONSerialization.jsonObject(with: sample) as? [String: Any])
    let segment = try #require((document["rallySegments"] as? [[String: Any]])?.first)
    document["rallySegments"] = rallies.map { rally in
      segment.merging(["id": UUID().uuidString, "startTime": rally.lowerBound, "endTime": rally.upperBound]) { $1 }
    }
    let text = String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
    return try write(text, to: name)
  }
}
