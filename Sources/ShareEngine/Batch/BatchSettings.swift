import ClipModel
import Crypto
import DurableFiles
import Foundation

/// Computes a fingerprint of the processing settings. As long as the fingerprint is the same, a source doesn't need to
/// be processed again.
enum BatchSettings {
  /// The version of the processing recipe. Increase it when the same settings produce a result that differs enough to
  /// justify reprocessing.
  private static let recipe = 1

  private struct FingerprintInput: Encodable {
    var recipe: Int
    var settings: ProcessingSettings
    var cut: Range<Double>?
    var metadata: String?
    var rallyIndex: Int?
    var isOfRally: Bool
  }

  /// Returns the fingerprint as 16 hexadecimal digits.
  static func computeFingerprint(_ request: ShareRequest, isRally: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(
      FingerprintInput(
        recipe: recipe, settings: request.settings, cut: request.cut, metadata: request.metadata.path,
        rallyIndex: request.metadata.rallyIndex, isOfRally: isRally))
    return FileDigest.hexadecimal(SHA256.hash(data: bytes).prefix(8))
  }
}
