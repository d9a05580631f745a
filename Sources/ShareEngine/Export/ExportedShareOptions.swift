import ClipModel
import DurableFiles
import Foundation

/// The share options in an exported highlight's metadata. `HighlightExport` writes them to the `bsc` object.
struct ExportedShareOptions: Equatable, Sendable {
  var caption: String?
  var privacy: PrivacyLevel?
  var hideLikes = false
  /// The ID of the exported highlight. If the highlight still exists, sharing the clip doesn't create a duplicate.
  var highlightID: UUID?
  /// The exported clip's SHA-256 as 64 hexadecimal digits.
  var clipSHA256: String?
  /// The clip's position in a highlight with several clips.
  var post: PostPart?

  /// Reads a clip's options, or returns the defaults if there are none. Damaged metadata is reported later, when the
  /// rally is read.
  static func read(
    _ request: MetadataRequest, clipPath: String, names: SidecarNames = SidecarNames()
  ) -> ExportedShareOptions {
    guard let path = try? RallySidecar.locateMetadata(request, clipPath: clipPath, names: names) else {
      return readRow(beside: clipPath)
    }
    guard let options = readJSONObject(path)?["bsc"] as? [String: Any] else { return ExportedShareOptions() }
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

  /// Reads the options from the exported database row. A highlight without a rally has no metadata, but a private
  /// highlight must remain private.
  private static func readRow(beside clipPath: String) -> ExportedShareOptions {
    let row = readJSONObject((clipPath as NSString).deletingPathExtension + HighlightExport.rowEnding) ?? [:]
    return ExportedShareOptions(
      caption: row["caption"] as? String,
      privacy: (row["privacy_level"] as? String).flatMap(PrivacyLevel.init(rawValue:)),
      hideLikes: row["hide_likes"] as? Bool ?? false)
  }

  private static func readJSONObject(_ path: String) -> [String: Any]? {
    let bytes = try? DurableFile.read(path, limit: RallyMetadata.byteLimit)
    return bytes.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
  }

  /// Returns the ID of the highlight whose only clip was exported to this file, or `nil` if the file is a different
  /// clip.
  func singleClipHighlightID(of source: SourceFile) -> UUID? {
    clipSHA256 == source.sha256 && post == nil ? highlightID : nil
  }

  /// Returns the request, with these options in place of all options that the user did not set. Exported options can
  /// make a highlight less visible than the user's settings, but never more visible.
  func applyOptions(to request: ShareRequest, isPrivacyGiven: Bool) -> ShareRequest {
    var request = request
    request.caption = request.caption ?? caption
    request.hideLikes = request.hideLikes || hideLikes
    if !isPrivacyGiven, let privacy, privacy.strictness > request.privacy.strictness { request.privacy = privacy }
    return request
  }
}
