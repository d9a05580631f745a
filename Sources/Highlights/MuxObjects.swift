import ClipModel
import Foundation

/// A response from Mux, which contains the object in `data`.
struct MuxResponse<Value: Decodable>: Decodable {
  var data: Value
}

/// The properties of a Mux direct upload that bsc uses.
struct MuxUpload: Decodable {
  struct Settings: Decodable {
    var passthrough: String?
  }

  struct Failure: Decodable {
    var type: LenientString?
    var message: LenientString?
  }

  var id: String
  /// The upload status: `waiting`, `asset_created`, `errored`, `cancelled` or `timed_out`.
  var status: String
  /// The upload URL, which lists of uploads may omit.
  var url: String?
  var assetId: String?
  var error: Failure?
  var newAssetSettings: Settings?
}

/// The properties of a Mux asset that bsc uses.
struct MuxAsset: Decodable {
  struct PlaybackEntry: Decodable {
    var id: String
    var policy: String?
  }

  struct Failure: Decodable {
    var type: LenientString?
    var messages: [LenientString]?
  }

  var id: String
  /// The asset status: `preparing`, `ready` or `errored`.
  var status: String
  /// The creation time in Unix seconds, which is a string in the REST API and a number in webhooks.
  var createdAt: LenientString?
  /// The duration in seconds.
  var duration: Double?
  var playbackIds: [PlaybackEntry]?
  var errors: Failure?
  var nonStandardInputReasons: [String: LenientString]?

  /// The playback ID that requires no token.
  var publicPlaybackID: String? { playbackIds?.first { $0.policy == nil || $0.policy == "public" }?.id }

  /// The reason why processing failed, for display.
  var failureReason: String {
    let messages = (errors?.messages ?? []).map(\.text).filter { !$0.isEmpty }
    return messages.isEmpty ? errors?.type?.text ?? "no reason given" : messages.joined(separator: "; ")
  }
}

/// A JSON string, number or Boolean as text. Other values become an empty string. Mux has changed the types of such
/// fields before.
struct LenientString: Decodable {
  var text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else if let flag = try? container.decode(Bool.self) {
      text = String(flag)
    } else if let number = try? container.decode(Double.self) {
      text = Int64(exactly: number).map(String.init) ?? String(number)
    } else {
      text = ""
    }
  }
}

/// Identifies the highlight and the attempt of an upload in Mux's `passthrough` field.
struct Passthrough {
  let text: String
  private let highlight: String

  init(highlightID: UUID, key: String) {
    highlight = highlightID.uuidString.lowercased()
    text = "\(highlight) \(key)"
  }

  func hasSameHighlight(as other: String) -> Bool { other.hasPrefix(highlight + " ") }

  static func highlightID(in text: String) -> UUID? { UUID(uuidString: String(text.prefix(36))) }
}
