import ClipMedia
import ClipModel
import DurableFiles

/// What `bsc thumbs` made of several clips.
final class ThumbsTally {
  /// Clips whose pictures were there.
  var keptCount = 0
  /// Clips with pictures that are older than themselves.
  var staleCount = 0
  /// Clips that ended well, whatever was drawn of them.
  var endedCount = 0
  private var clipCount = 0
  private var pictureCount = 0
  private var byteCount: Int64 = 0

  func count(_ drawn: [RenderedPicture]) {
    clipCount += 1
    pictureCount += drawn.count
    byteCount += drawn.map(\.byteCount).reduce(0, +)
  }

  /// `12 pictures of 12 clips, 1.5 MB; 3 clips had theirs (--force draws them again); 1 failed`; `nil` for one clip alone.
  /// - Parameter count: of all that was named.
  func line(of count: Int) -> String? {
    guard count > 1 || keptCount + staleCount > 0 else { return nil }
    let failedCount = count - endedCount
    var parts: [String] = []
    if pictureCount > 0 {
      parts.append(
        "\(pictureCount.counting("picture")) of \(clipCount.counting("clip")), \(ByteCount.text(byteCount))")
    }
    if keptCount > 0 {
      parts.append(
        "\(keptCount.counting("clip")) had \(keptCount == 1 ? "its" : "theirs") (--force draws them again)")
    }
    if staleCount > 0 {
      parts.append(
        "\(staleCount.counting("clip")) \(staleCount == 1 ? "is" : "are") newer than \(staleCount == 1 ? "its" : "their") pictures (--force draws them again)"
      )
    }
    if failedCount > 0 { parts.append("\(failedCount) failed") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Whether all of these pictures are there.
  static func isDrawn(_ paths: [String]) -> Bool {
    paths.allSatisfy { ((try? FileIdentity.of($0))?.byteCount ?? 0) > 0 }
  }

  /// Whether one of these pictures was made before the clip came to be what it is. A copy brings its old time along, but
  /// not the time of its arrival.
  static func areOlder(_ paths: [String], than source: String) throws -> Bool {
    let clip = max(try FileIdentity.of(source).modifiedNanoseconds, FileIdentity.changedNanoseconds(of: source) ?? 0)
    return paths.contains { path in
      guard let picture = try? FileIdentity.of(path) else { return false }
      return picture.modifiedNanoseconds < clip
    }
  }
}
