import ClipModel
import Crypto
import DurableFiles
import Foundation
import HummingbirdCore

/// What a URL of a picture asks for: `/image/{playback id}/{file}?…`, as Mux takes it.
enum ImageQuery: Equatable, Sendable {
  case still(PictureFraming)
  case animation(AnimationFraming)
  case storyboard(ImageFormat)
  /// - Parameter format: of the picture that it points into.
  case storyboardIndex(isWebVTT: Bool, format: ImageFormat)

  /// - Returns: `nil` when there is no such file.
  /// - Throws: `BackendFailure`, 400: a parameter that is unknown, wrong, or more than this server can do.
  init?(file: String, _ parameters: [(name: String, value: String)]) throws(BackendFailure) {
    var fields: [String: String] = [:]
    for (name, value) in parameters {
      guard fields.updateValue(value, forKey: name) == nil else {
        throw BackendFailure.invalid(["\(name.prefix(64)) is there twice"])
      }
    }
    var values = ImageParameters(fields: fields)
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let format = Self.formats[String(parts[1])]
    switch (parts[0], parts[1]) {
    case ("thumbnail", _):
      guard let format else { return nil }
      self = .still(try Self.still(&values, format))
    case ("animated", "gif"): self = .animation(try Self.animation(&values, .gif))
    case ("animated", "webp"): self = .animation(try Self.animation(&values, .webp))
    case ("storyboard", "vtt"), ("storyboard", "json"):
      let name = try values.choice("format", ["jpg", "png", "webp"]) ?? "jpg"
      self = .storyboardIndex(isWebVTT: parts[1] == "vtt", format: Self.formats[name] ?? .jpeg)
    case ("storyboard", _):
      guard let format else { return nil }
      self = .storyboard(format)
    default: return nil
    }
    try values.end()
  }

  static let formats: [String: ImageFormat] = ["jpg": .jpeg, "png": .png, "webp": .webp]

  private static func still(
    _ values: inout ImageParameters, _ format: ImageFormat
  ) throws(BackendFailure) -> PictureFraming {
    var framing = PictureFraming(format: format)
    framing.atSeconds = try values.seconds("time")
    framing.width = try values.side("width", upTo: PictureFraming.longestSide)
    framing.height = try values.side("height", upTo: PictureFraming.longestSide)
    framing.clockwiseDegrees = try values.choice("rotate", ["90", "180", "270"]).flatMap { Int($0) } ?? 0
    framing.flipsVertically = try values.flag("flip_v") ?? false
    framing.flipsHorizontally = try values.flag("flip_h") ?? false
    let fit = try values.choice("fit_mode", ["preserve", "stretch", "crop", "smartcrop", "pad"])
    if fit == "smartcrop" {
      throw BackendFailure.invalid(["the local backend cannot do fit_mode smartcrop; crop it can"])
    }
    framing.fit = fit.flatMap(PictureFraming.Fit.init(rawValue:)) ?? .preserve
    if framing.fit != .preserve, framing.width == nil || framing.height == nil {
      throw BackendFailure.invalid(["fit_mode \(framing.fit.rawValue) needs width and height"])
    }
    if try values.flag("latest") == true { throw BackendFailure.invalid(["latest is for live streams"]) }
    return framing
  }

  private static func animation(
    _ values: inout ImageParameters, _ format: AnimationFormat
  ) throws(BackendFailure) -> AnimationFraming {
    var framing = AnimationFraming(format: format)
    framing.start = try values.seconds("start") ?? 0
    framing.end = try values.seconds("end")
    framing.width = try values.side("width", upTo: AnimationFraming.longestSide)
    framing.height = try values.side("height", upTo: AnimationFraming.longestSide)
    framing.framesPerSecond =
      try values.number("fps", in: AnimationFraming.frameRates) ?? framing.framesPerSecond
    // Half a millisecond: 10.05 - 0.05 is not quite 10.
    if let end = framing.end, !(0.2495...10.0005).contains(end - framing.start) {
      throw BackendFailure.invalid(["end must be 0.25 to 10 s behind start"])
    }
    return framing
  }

  /// The name of its file on the asset's shelf: the same for the same picture.
  var itemName: String {
    switch self {
    case .still(let framing): "still-\(Self.digest("\(framing)")).\(framing.format.fileExtension)"
    case .animation(let framing): "moving-\(Self.digest("\(framing)")).\(framing.format.fileExtension)"
    case .storyboard(let format), .storyboardIndex(_, let format): "storyboard.\(format.fileExtension)"
    }
  }

  var contentType: String {
    switch self {
    case .still(let framing): Self.contentType(framing.format)
    case .storyboard(let format): Self.contentType(format)
    case .animation(let framing): framing.format == .gif ? "image/gif" : "image/webp"
    case .storyboardIndex(let isWebVTT, _): isWebVTT ? "text/vtt; charset=utf-8" : "application/json; charset=utf-8"
    }
  }

  private static func contentType(_ format: ImageFormat) -> String { "image/\(format.rawValue)" }

  private static func digest(_ text: String) -> String {
    FileDigest.hexadecimal(SHA256.hash(data: Data(text.utf8)).prefix(16))
  }
}

/// Parameters that are taken out one by one; what is left at the end is unknown.
struct ImageParameters {
  var fields: [String: String]

  func end() throws(BackendFailure) {
    guard let name = fields.keys.min() else { return }
    throw BackendFailure.invalid(["\(name.prefix(64)) is no parameter of this picture"])
  }

  /// A number of seconds from 0, to the millisecond.
  mutating func seconds(_ name: String) throws(BackendFailure) -> Double? {
    guard let text = fields.removeValue(forKey: name) else { return nil }
    // No exponents, no signs, no `nan`.
    guard !text.isEmpty, text.utf8.count <= 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let value = Double(text), value <= 1e7
    else { throw BackendFailure.invalid(["\(name) must be a number of seconds"]) }
    return (value * 1000).rounded() / 1000
  }

  mutating func side(_ name: String, upTo limit: Int) throws(BackendFailure) -> Int? { try number(name, in: 1...limit) }

  mutating func number(_ name: String, in range: ClosedRange<Int>) throws(BackendFailure) -> Int? {
    guard let text = fields.removeValue(forKey: name) else { return nil }
    return try BackendContext.number(text[...], of: name[...], in: range)
  }

  mutating func flag(_ name: String) throws(BackendFailure) -> Bool? {
    try choice(name, ["true", "false"]).map { $0 == "true" }
  }

  mutating func choice(_ name: String, _ known: [String]) throws(BackendFailure) -> String? {
    guard let text = fields.removeValue(forKey: name) else { return nil }
    guard known.contains(text) else {
      throw BackendFailure.invalid(["\(name) must be one of \(known.joined(separator: ", "))"])
    }
    return text
  }
}
