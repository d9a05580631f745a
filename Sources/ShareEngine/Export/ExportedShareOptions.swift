package import ClipModel
import DurableFiles
package import Foundation

/// What an exported highlight's sidecar says about sharing it again: the `bsc` object, as `HighlightExport` writes it.
package struct ExportedShareOptions: Equatable, Sendable {
  package var caption: String?
  package var privacy: PrivacyLevel?
  package var hideLikes = false
  /// The highlight that it was: shared where that still exists, nothing is made twice.
  package var highlightID: UUID?
  /// Of the exported clip, 64 hexadecimal digits.
  package var clipSHA256: String?
  /// Which clip of the highlight it was, where that had several.
  package var post: PostPlace?

  package init(
    caption: String? = nil, privacy: PrivacyLevel? = nil, hideLikes: Bool = false, highlightID: UUID? = nil,
    clipSHA256: String? = nil, post: PostPlace? = nil
  ) {
    self.caption = caption
    self.privacy = privacy
    self.hideLikes = hideLikes
    self.highlightID = highlightID
    self.clipSHA256 = clipSHA256
    self.post = post
  }

  /// What the sidecar that belongs to a clip says; nothing when there is none, or none of these. Damage is told by those
  /// who read the rally from it.
  package static func read(
    _ request: MetadataRequest, clipPath: String, names: SidecarNames = SidecarNames()
  ) -> ExportedShareOptions {
    guard let path = try? RallySidecar.locate(request, clipPath: clipPath, names: names) else {
      return ofRow(beside: clipPath)
    }
    guard let bytes = try? DurableFile.read(path, limit: RallyMetadata.byteLimit),
      let document = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let note = document["bsc"] as? [String: Any]
    else { return ExportedShareOptions() }
    return ExportedShareOptions(
      caption: note["caption"] as? String, privacy: (note["privacy"] as? String).flatMap(PrivacyLevel.init(rawValue:)),
      hideLikes: note["hideLikes"] as? Bool ?? false,
      highlightID: (note["highlightId"] as? String).flatMap(UUID.init(uuidString:)),
      clipSHA256: note["clipSHA256"] as? String, post: place(note))
  }

  /// Of a highlight without a rally there is no metadata, but the row beside the clip: what was private stays so.
  private static func ofRow(beside clipPath: String) -> ExportedShareOptions {
    let path = (clipPath as NSString).deletingPathExtension + HighlightExport.rowEnding
    guard let bytes = try? DurableFile.read(path, limit: RallyMetadata.byteLimit),
      let row = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    else { return ExportedShareOptions() }
    return ExportedShareOptions(
      caption: row["caption"] as? String,
      privacy: (row["privacy_level"] as? String).flatMap(PrivacyLevel.init(rawValue:)),
      hideLikes: row["hide_likes"] as? Bool ?? false)
  }

  private static func place(_ note: [String: Any]) -> PostPlace? {
    guard let part = note["part"] as? Int, let count = note["partCount"] as? Int else { return nil }
    return PostPlace(part: part, count: count)
  }

  /// The highlight that this very clip was. Another clip beside the same sidecar is another highlight, and so is one clip
  /// of several.
  package func highlightID(of source: SourceFile) -> UUID? {
    clipSHA256 == source.sha256 && post == nil ? highlightID : nil
  }

  /// The request with these wishes where the user has said nothing. Somebody else's file can make a highlight less
  /// visible than the user's settings do, never more.
  package func applied(to request: ShareRequest, isPrivacyGiven: Bool) -> ShareRequest {
    var request = request
    request.caption = request.caption ?? caption
    request.hideLikes = request.hideLikes || hideLikes
    if !isPrivacyGiven, let privacy, privacy.strictness > request.privacy.strictness { request.privacy = privacy }
    return request
  }
}

extension PrivacyLevel {
  fileprivate var strictness: Int {
    switch self {
    case .everyone: 0
    case .followersOnly: 1
    case .onlyMe: 2
    }
  }
}
