internal import Foundation

/// The index of a storyboard in the format of Mux's players. It maps times to parts of the picture.
package struct Storyboard: Codable, Equatable, Sendable {
  /// The URL of the picture, relative to the index.
  package var url: String
  /// The size of a tile in pixels.
  package var tileWidth: Int
  package var tileHeight: Int
  /// The length of the clip in seconds.
  package var duration: Double
  package var tiles: [Tile]

  package struct Tile: Codable, Equatable, Sendable {
    /// The start in seconds.
    package var start: Double
    /// The position in pixels from the left and the top.
    package var x: Int
    package var y: Int
  }

  enum CodingKeys: String, CodingKey {
    case url, duration, tiles
    case tileWidth = "tile_width"
    case tileHeight = "tile_height"
  }

  /// - Parameter url: the file name of the picture. It is percent-encoded.
  package init(_ plan: TilePlan, url: String) {
    self.url = url.percentEncoded
    tileWidth = plan.tile.width
    tileHeight = plan.tile.height
    duration = Self.milliseconds(plan.durationSeconds)
    tiles = plan.seconds.enumerated().map { index, seconds in
      let place = plan.place(of: index)
      return Tile(start: Self.milliseconds(seconds), x: place.x, y: place.y)
    }
  }

  /// The index as WebVTT with media fragments, which most players support.
  package var webVTT: String {
    let ends = tiles.dropFirst().map(\.start) + [duration]
    let cues = zip(tiles, ends).map { tile, end in
      "\(Self.cueTime(tile.start)) --> \(Self.cueTime(end))\n"
        + "\(url)#xywh=\(tile.x),\(tile.y),\(tileWidth),\(tileHeight)\n"
    }
    return "WEBVTT\n\n" + cues.joined(separator: "\n")
  }

  private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  /// `00:00:01.250`.
  private static func cueTime(_ seconds: Double) -> String {
    let total = Int(saturating: (max(seconds, 0) * 1000).rounded())
    return String(
      format: "%02d:%02d:%02d.%03d", total / 3_600_000, total / 60_000 % 60, total / 1000 % 60, total % 1000)
  }
}
