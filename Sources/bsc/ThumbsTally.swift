import ClipMedia
import ClipModel
import DurableFiles

/// What `bsc thumbs` made of several clips.
final class ThumbsTally {
  /// Clips whose pictures were there.
  var keptCount = 0
  /// Clips that were drawn in the terminal alone.
  var shownCount = 0
  private var clipCount = 0
  private var pictureCount = 0
  private var byteCount: Int64 = 0

  func count(_ drawn: [DrawnPicture]) {
    clipCount += 1
    pictureCount += drawn.count
    byteCount += drawn.map(\.byteCount).reduce(0, +)
  }

  /// `12 pictures of 12 clips, 1.5 MB; 3 clips had theirs (--force draws them again); 1 failed`; `nil` for one clip alone.
  /// - Parameter count: of all that was named.
  func line(of count: Int) -> String? {
    guard count > 1 else { return nil }
    let failedCount = count - clipCount - keptCount - shownCount
    var parts: [String] = []
    if pictureCount > 0 {
      parts.append(
        "\(pictureCount.counting("picture")) of \(clipCount.counting("clip")), \(ByteCount.text(byteCount))")
    }
    if keptCount > 0 {
      parts.append(
        "\(keptCount.counting("clip")) had \(keptCount == 1 ? "its" : "theirs") (--force draws them again)")
    }
    if failedCount > 0 { parts.append("\(failedCount) failed") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Whether all of these pictures are there, and none is older than its clip.
  static func isDrawn(_ paths: [String], of source: String) throws -> Bool {
    let clip = try FileIdentity.of(source)
    return paths.allSatisfy { path in
      guard let picture = try? FileIdentity.of(path) else { return false }
      return picture.byteCount > 0 && picture.modifiedNanoseconds >= clip.modifiedNanoseconds
    }
  }
}
