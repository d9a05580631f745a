import ClipModel
import Crypto
import DurableFiles
import Foundation

/// What was asked for, as a fingerprint: the same source with the same fingerprint needs not be made again.
enum BatchSettings {
  /// Counted up when the same settings make something else that people would want to have instead.
  private static let recipe = 1

  private struct Content: Encodable {
    var recipe: Int
    var settings: ProcessingSettings
    var cut: Range<Double>?
    var metadata: String?
    var rallyIndex: Int?
    var isOfRally: Bool
  }

  /// 16 hexadecimal digits.
  static func fingerprint(_ request: ShareRequest, isOfRally: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(
      Content(
        recipe: recipe, settings: request.settings, cut: request.cut, metadata: request.metadata.path,
        rallyIndex: request.metadata.rallyIndex, isOfRally: isOfRally))
    return FileDigest.hexadecimal(SHA256.hash(data: bytes).prefix(8))
  }
}
