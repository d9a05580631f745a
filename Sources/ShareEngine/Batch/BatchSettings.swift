import ClipModel
import Crypto
import DurableFiles
import Foundation

/// A fingerprint of the request. A source does not need to be processed again if the fingerprint is the same.
enum BatchSettings {
  /// Increase this when the same settings produce a result that is different enough to justify reprocessing.
  private static let recipe = 1

  private struct Content: Encodable {
    var recipe: Int
    var settings: ProcessingSettings
    var cut: Range<Double>?
    var metadata: String?
    var rallyIndex: Int?
    var isOfRally: Bool
  }

  /// Returns 16 hexadecimal digits.
  static func fingerprint(_ request: ShareRequest, isRally: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(
      Content(
        recipe: recipe, settings: request.settings, cut: request.cut, metadata: request.metadata.path,
        rallyIndex: request.metadata.rallyIndex, isOfRally: isRally))
    return FileDigest.hexadecimal(SHA256.hash(data: bytes).prefix(8))
  }
}
