internal import Foundation

/// The index of a storyboard in the shape that Mux's players read: which part of the picture stands for which time.
package struct Storyboard: Codable, Equatable, Sendable {
  /// Of the picture, relative to this file.
  package var url: String
  /// Pixels of a tile.
  package var tileWidth: Int
  package var tileHeight: Int
  /// Seconds of the clip.
  package var duration: Double
  package var tiles: [Tile]

  package struct Tile: Codable, Equatable, Sendable {
    /// Seconds.
    package var start: Double
    /// Pixels from the left and the top.
    package var x: Int
    package var y: Int
  }

  enum CodingKeys: String, CodingKey {
    case url, duration, tiles
    case tileWidth = "tile_width"
    case tileHeight = "tile_height"
  }

  /// - Parameter url: the picture's name; what URLs do not take is escaped.
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

  /// The same as WebVTT with media fragments, which most players read.
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
