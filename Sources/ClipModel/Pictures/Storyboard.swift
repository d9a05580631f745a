internal import Foundation

/// A storyboard index in the format of Mux's players. It maps presentation times to tiles in the picture.
package struct Storyboard: Codable, Equatable, Sendable {
  /// The picture URL, relative to the index.
  package var url: String
  /// The size of a tile in pixels.
  package var tileWidth: Int
  package var tileHeight: Int
  /// The clip duration in seconds.
  package var duration: Double
  package var tiles: [Tile]

  package struct Tile: Codable, Equatable, Sendable {
    /// The start time in seconds.
    package var start: Double
    /// The position in pixels from the top-left corner.
    package var x: Int
    package var y: Int
  }

  enum CodingKeys: String, CodingKey {
    case url, duration, tiles
    case tileWidth = "tile_width"
    case tileHeight = "tile_height"
  }

  /// Creates the index for a storyboard picture.
  /// - Parameter url: the picture's file name, which is percent-encoded.
  package init(_ plan: TilePlan, url: String) {
    self.url = url.percentEncoded
    tileWidth = plan.tile.width
    tileHeight = plan.tile.height
    duration = Self.roundToMilliseconds(plan.durationSeconds)
    tiles = plan.seconds.enumerated().map { index, seconds in
      let origin = plan.tileOrigin(of: index)
      return Tile(start: Self.roundToMilliseconds(seconds), x: origin.x, y: origin.y)
    }
  }

  /// The index as WebVTT with media fragments, which most players support.
  package var webVTT: String {
    let ends = tiles.dropFirst().map(\.start) + [duration]
    let cues = zip(tiles, ends).map { tile, end in
      "\(Self.formatCueTime(tile.start)) --> \(Self.formatCueTime(end))\n"
        + "\(url)#xywh=\(tile.x),\(tile.y),\(tileWidth),\(tileHeight)\n"
    }
    return "WEBVTT\n\n" + cues.joined(separator: "\n")
  }

  private static func roundToMilliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  /// Formats a time as `00:00:01.250`.
  private static func formatCueTime(_ seconds: Double) -> String {
    let total = Int(saturating: (max(seconds, 0) * 1000).rounded())
    return String(
      format: "%02d:%02d:%02d.%03d", total / 3_600_000, total / 60_000 % 60, total / 1000 % 60, total % 1000)
  }
}
