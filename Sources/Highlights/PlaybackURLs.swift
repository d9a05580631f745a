import Foundation

/// The URLs of a Mux playback ID's stream, page and images.
public struct PlaybackURLs: Equatable, Sendable {
  private let stream: String
  private let image: String
  private let player: String

  /// - Parameters:
  ///   - stream: `https://stream.mux.com`.
  ///   - image: `https://image.mux.com`.
  ///   - player: `https://player.mux.com`.
  public init(stream: String, image: String, player: String) {
    self.stream = stream
    self.image = image
    self.player = player
  }

  /// The HLS playlist. A row may contain a URL instead of a playback ID; URLs are returned unchanged.
  public func video(_ playback: String) -> String {
    Self.isURL(playback) ? playback : BackendEndpoint.join(stream, "\(playback).m3u8")
  }

  /// A page that plays the clip, because most desktop browsers can't open a playlist. `nil` if `playback` isn't a
  /// playback ID.
  public func page(_ playback: String) -> String? { identifier(playback).map { BackendEndpoint.join(player, $0) } }

  /// The clip as a single file. Mux creates it on demand; URLs of other servers are returned unchanged.
  public func file(_ playback: String) -> String {
    identifier(playback).map { BackendEndpoint.join(stream, "\($0)/highest.mp4") } ?? playback
  }

  /// The frame at two seconds, which the app requests too, so that Mux creates it only once.
  public func thumbnail(_ playback: String) -> String? {
    identifier(playback).map { BackendEndpoint.join(image, "\($0)/thumbnail.jpg?time=2") }
  }

  /// An animation of the first seconds; `nil` if `playback` isn't a playback ID.
  public func animated(_ playback: String) -> String? {
    identifier(playback).map { BackendEndpoint.join(image, "\($0)/animated.gif") }
  }

  /// The playback ID, which may also be given as `https://stream.mux.com/ID.m3u8`; `nil` for a URL of another server.
  func identifier(_ playback: String) -> String? {
    guard Self.isURL(playback) else { return playback }
    let prefix = BackendEndpoint.join(stream, "")
    guard playback.hasPrefix(prefix), playback.hasSuffix(".m3u8") else { return nil }
    let id = playback.dropFirst(prefix.count).dropLast(".m3u8".count)
    return id.isEmpty || id.contains("/") ? nil : String(id)
  }

  private static func isURL(_ playback: String) -> Bool {
    playback.hasPrefix("https://") || playback.hasPrefix("http://")
  }
}
