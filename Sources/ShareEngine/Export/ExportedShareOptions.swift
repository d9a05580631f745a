import ClipModel
import DurableFiles
import Foundation

/// The share options in an exported highlight's metadata: the `bsc` object that `HighlightExport` writes.
struct ExportedShareOptions: Equatable, Sendable {
  var caption: String?
  var privacy: PrivacyLevel?
  var hideLikes = false
  /// The exported highlight. If it still exists, sharing the clip doesn't create a duplicate.
  var highlightID: UUID?
  /// The digest of the exported clip, 64 hexadecimal digits.
  var clipSHA256: String?
  /// The clip's part in a highlight of several clips.
  var post: PostPart?

  /// Reads the options of a clip. Returns default options if there are none. Damaged metadata is reported later, when
  /// the rally is read.
  static func read(
    _ request: MetadataRequest, clipPath: String, names: SidecarNames = SidecarNames()
  ) -> ExportedShareOptions {
    guard let path = try? RallySidecar.locate(request, clipPath: clipPath, names: names) else {
      return row(beside: clipPath)
    }
    guard let options = jsonObject(path)?["bsc"] as? [String: Any] else { return ExportedShareOptions() }
    var post: PostPart?
    if let part = options["part"] as? Int, let count = options["partCount"] as? Int {
      post = PostPart(part: part, count: count)
    }
    return ExportedShareOptions(
      caption: options["caption"] as? String,
      privacy: (options["privacy"] as? String).flatMap(PrivacyLevel.init(rawValue:)),
      hideLikes: options["hideLikes"] as? Bool ?? false,
      highlightID: (options["highlightId"] as? String).flatMap(UUID.init(uuidString:)),
      clipSHA256: options["clipSHA256"] as? String, post: post)
  }

  /// A highlight without a rally has no metadata. Its options come from the exported row, so that a private highlight
  /// stays private.
  private static func row(beside clipPath: String) -> ExportedShareOptions {
    let row = jsonObject((clipPath as NSString).deletingPathExtension + HighlightExport.rowEnding) ?? [:]
    return ExportedShareOptions(
      caption: row["caption"] as? String,
      privacy: (row["privacy_level"] as? String).flatMap(PrivacyLevel.init(rawValue:)),
      hideLikes: row["hide_likes"] as? Bool ?? false)
  }

  private static func jsonObject(_ path: String) -> [String: Any]? {
    let bytes = try? DurableFile.read(path, limit: RallyMetadata.byteLimit)
    return bytes.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
  }

  /// The highlight whose only clip was exported to this file. Returns `nil` for other clips next to the same metadata.
  func highlightID(of source: SourceFile) -> UUID? {
    clipSHA256 == source.sha256 && post == nil ? highlightID : nil
  }

  /// Returns the request with these options for all options that the user did not set. An exported file can make a
  /// highlight less visible than the user's settings, but never more visible.
  func applied(to request: ShareRequest, isPrivacyGiven: Bool) -> ShareRequest {
    var request = request
    request.caption = request.caption ?? caption
    request.hideLikes = request.hideLikes || hideLikes
    if !isPrivacyGiven, let privacy, privacy.strictness > request.privacy.strictness { request.privacy = privacy }
    return request
  }
}

extension PrivacyLevel {
  /// The cases are declared from the least to the most strict.
  fileprivate var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
