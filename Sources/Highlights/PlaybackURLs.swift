import Foundation

/// The URLs of the stream, web page and images for a Mux playback ID.
public struct PlaybackURLs: Equatable, Sendable {
  private let stream: String
  private let image: String
  private let player: String

  /// Creates URLs from the base URLs of a Mux environment.
  /// - Parameters:
  ///   - stream: the base URL of streams, such as `https://stream.mux.com`.
  ///   - image: the base URL of images, such as `https://image.mux.com`.
  ///   - player: the base URL of player pages, such as `https://player.mux.com`.
  public init(stream: String, image: String, player: String) {
    self.stream = stream
    self.image = image
    self.player = player
  }

  /// Returns the URL of the HLS playlist. If a row contains a URL instead of a playback ID, this URL is returned
  /// unchanged.
  public func videoURL(_ playback: String) -> String {
    Self.isURL(playback) ? playback : BackendEndpoint.joinPath(stream, "\(playback).m3u8")
  }

  /// Returns the URL of a page that plays the clip, because most desktop browsers can't open a playlist. Returns `nil`
  /// if `playback` isn't a playback ID.
  public func pageURL(_ playback: String) -> String? {
    playbackID(playback).map { BackendEndpoint.joinPath(player, $0) }
  }

  /// Returns the URL of the clip as a single file, which Mux creates on demand. URLs from other servers are returned
  /// unchanged.
  public func fileURL(_ playback: String) -> String {
    playbackID(playback).map { BackendEndpoint.joinPath(stream, "\($0)/highest.mp4") } ?? playback
  }

  /// Returns the URL of the frame at two seconds. The app requests the same frame, so Mux creates it only once.
  public func thumbnailURL(_ playback: String) -> String? {
    playbackID(playback).map { BackendEndpoint.joinPath(image, "\($0)/thumbnail.jpg?time=2") }
  }

  /// Returns the URL of an animation of the first few seconds, or `nil` if `playback` isn't a playback ID.
  public func animationURL(_ playback: String) -> String? {
    playbackID(playback).map { BackendEndpoint.joinPath(image, "\($0)/animated.gif") }
  }

  /// Returns the playback ID, even if it's part of a URL such as `https://stream.mux.com/ID.m3u8`, or `nil` for a URL
  /// from another server.
  func playbackID(_ playback: String) -> String? {
    guard Self.isURL(playback) else { return playback }
    let prefix = BackendEndpoint.joinPath(stream, "")
    guard playback.hasPrefix(prefix), playback.hasSuffix(".m3u8") else { return nil }
    let id = playback.dropFirst(prefix.count).dropLast(".m3u8".count)
    return id.isEmpty || id.contains("/") ? nil : String(id)
  }

  private static func isURL(_ playback: String) -> Bool {
    playback.hasPrefix("https://") || playback.hasPrefix("http://")
  }
}
