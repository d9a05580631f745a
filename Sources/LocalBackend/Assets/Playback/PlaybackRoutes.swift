import ClipModel
import Foundation
import Hummingbird

/// The route `POST /functions/v1/playback`: the addresses of highlights' videos and pictures, for a caller who may see the
/// highlights. On Supabase, an Edge Function provides it.
struct PlaybackRoutes: Sendable {
  let server: ServerDependencies

  private static let bodyLimit = 16 * 1024
  private static let highlightLimit = 50

  func add(to router: Router<BackendContext>) {
    for path in ["playback", "functions/v1/playback"] {
      router.post("\(path)") { request, context in
        let caller = Caller.user(try await server.callers.user(of: request))
        let body = try await context.decodeBody(of: request, limit: Self.bodyLimit, as: Body.self)
        guard (1...Self.highlightLimit).contains(body.highlightIDs.count) else {
          throw BackendFailure.invalid(["highlight_ids must be a list of 1 to \(Self.highlightLimit) IDs"])
        }
        return try Response.json(try await addresses(body, for: caller, base: request.requestedBaseURL))
      }
    }
  }

  private struct Body: Decodable {
    var highlightIDs: [UUID]
    var thumbnail: [String: Parameter]?
    var animation: [String: Parameter]?

    enum CodingKeys: String, CodingKey {
      case thumbnail, animation
      case highlightIDs = "highlight_ids"
    }
  }

  /// A parameter of a picture: a number, a text or a Boolean, as the text that image URLs contain.
  private struct Parameter: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        text = "\(flag)"
      } else if let number = try? container.decode(Double.self) {
        text = Int64(exactly: number).map(String.init) ?? "\(number)"
      } else {
        text = try container.decode(String.self)
      }
    }
  }

  private struct Answer: Encodable {
    var expiresAt: Int64
    var highlights: [Highlight] = []
    /// Highlights whose IDs are being changed. On this server, a change takes effect at once.
    var waiting: [String] = []

    struct Highlight: Encodable {
      var id: String
      var isSigned: Bool
      var clips: [Clip]
    }

    struct Clip: Encodable {
      var video: String
      var file: String?
      var thumbnail: String
      var animation: String
      var storyboard: String
    }
  }

  private func addresses(_ body: Body, for caller: Caller, base: String) async throws -> Answer {
    let thumbnail = ["time": "2"].merging((body.thumbnail ?? [:]).mapValues(\.text)) { $1 }
    let animation = (body.animation ?? [:]).mapValues(\.text)
    for (file, parameters) in [("thumbnail.jpg", thumbnail), ("animated.gif", animation)] {
      _ = try ImageQuery(file: file, parameters.map { (name: $0.key, value: $0.value) })
    }
    let ids = body.highlightIDs.map { $0.uuidString.lowercased() }
    var answer = Answer(
      expiresAt: Int64(server.now.timeIntervalSince1970) + PlaybackTokens.lifetimeSeconds)
    for clip in try await server.store.playableClips(of: ids, for: caller) {
      let id = clip.playbackID
      func address(_ path: String, _ use: PlaybackTokens.Use, _ parameters: [String: String] = [:]) async throws
        -> String
      {
        let needsToken = clip.isSigned || use == .file
        let query =
          needsToken
          ? [
            "token": try await server.playback.sign(
              .init(playbackID: id, use: use, expiresAt: answer.expiresAt, parameters: parameters))
          ]
          : parameters
        let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(LocalPath.percentEncoded($0.value))" }
        return "\(base)\(path)" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
      }
      let addresses = Answer.Clip(
        video: try await address("/stream/\(id).m3u8", .stream),
        file: clip.mayDownload ? try await address("/stream/\(id).mp4", .file) : nil,
        thumbnail: try await address("/image/\(id)/thumbnail.jpg", .thumbnail, thumbnail),
        animation: try await address("/image/\(id)/animated.gif", .animation, animation),
        storyboard: try await address("/image/\(id)/storyboard.vtt", .storyboard))
      if answer.highlights.last?.id == clip.highlightID {
        answer.highlights[answer.highlights.count - 1].clips.append(addresses)
      } else {
        answer.highlights.append(.init(id: clip.highlightID, isSigned: clip.isSigned, clips: [addresses]))
      }
    }
    return answer
  }
}
