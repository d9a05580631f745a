import ClipModel
import Foundation

/// What Mux answers: the object is in `data`.
struct MuxAnswer<Value: Decodable>: Decodable {
  var data: Value
}

/// A direct upload of Mux, as far as it is needed.
struct MuxUpload: Decodable {
  struct Settings: Decodable {
    var passthrough: String?
  }

  struct Failure: Decodable {
    var type: LooseText?
    var message: LooseText?
  }

  var id: String
  /// `waiting`, `asset_created`, `errored`, `cancelled`, `timed_out`.
  var status: String
  /// A list may leave it out.
  var url: String?
  var assetID: String?
  var error: Failure?
  var settings: Settings?

  private enum CodingKeys: String, CodingKey {
    case id, status, url, error
    case assetID = "asset_id"
    case settings = "new_asset_settings"
  }
}

/// An asset of Mux, as far as it is needed.
struct MuxAsset: Decodable {
  struct Playback: Decodable {
    var id: String
    var policy: String?
  }

  struct Failure: Decodable {
    var type: LooseText?
    var messages: [LooseText]?
  }

  var id: String
  /// `preparing`, `ready`, `errored`.
  var status: String
  /// Unix seconds: a text in REST, a number in webhooks.
  var createdAt: LooseText?
  /// Seconds.
  var duration: Double?
  var playbacks: [Playback]?
  var errors: Failure?
  var nonStandardInputReasons: [String: LooseText]?

  private enum CodingKeys: String, CodingKey {
    case id, status, duration, errors
    case createdAt = "created_at"
    case playbacks = "playback_ids"
    case nonStandardInputReasons = "non_standard_input_reasons"
  }

  /// The one that needs no token.
  var publicPlaybackID: String? { playbacks?.first { $0.policy == nil || $0.policy == "public" }?.id }

  /// For a person.
  var failure: String {
    let messages = (errors?.messages ?? []).map(\.text).filter { !$0.isEmpty }
    return messages.isEmpty ? errors?.type?.text ?? "no reason given" : messages.joined(separator: "; ")
  }
}

/// A text, a number or a flag, as text; anything else is empty. Mux's schema has changed such types before.
struct LooseText: Decodable {
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

/// Whose an upload is.
struct Passthrough {
  let text: String
  private let highlight: String

  init(highlightID: UUID, key: String) {
    highlight = highlightID.uuidString.lowercased()
    text = "\(highlight) \(key)"
  }

  func isOfSameHighlight(_ other: String) -> Bool { other.hasPrefix(highlight + " ") }

  static func highlightID(in text: String) -> UUID? { UUID(uuidString: String(text.prefix(36))) }
}
