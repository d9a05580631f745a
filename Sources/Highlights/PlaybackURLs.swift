import Foundation

/// Where a playback id of Mux can be watched and looked at.
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

  /// The HLS playlist. What is a URL already, as a row may hold it, stays as it is.
  public func video(_ playback: String) -> String {
    Self.isURL(playback) ? playback : BackendEndpoint.join(stream, "\(playback).m3u8")
  }

  /// A page that plays it: most browsers of desktops show a playlist as text, or save it. `nil` for what is no playback id.
  public func page(_ playback: String) -> String? { identifier(playback).map { BackendEndpoint.join(player, $0) } }

  /// The whole clip as one file, where there is one: Mux makes it on demand, and other places hold nothing else.
  public func file(_ playback: String) -> String {
    identifier(playback).map { BackendEndpoint.join(stream, "\($0)/highest.mp4") } ?? playback
  }

  /// The frame at two seconds, which every rally has: Mux makes few of them, and the app asks for the same.
  public func thumbnail(_ playback: String) -> String? {
    identifier(playback).map { BackendEndpoint.join(image, "\($0)/thumbnail.jpg?time=2") }
  }

  /// A moving picture of the first seconds; `nil` for what is no playback id.
  public func animated(_ playback: String) -> String? {
    identifier(playback).map { BackendEndpoint.join(image, "\($0)/animated.gif") }
  }

  /// The bare id, also of `https://stream.mux.com/ID.m3u8`; `nil` for a URL of somewhere else.
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
