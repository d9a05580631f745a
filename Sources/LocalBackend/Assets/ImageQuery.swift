import ClipModel
import Crypto
import DurableFiles
import Foundation
import HummingbirdCore

/// The picture that an image URL specifies: `/image/{playback id}/{file}?…`, with Mux's parameters.
enum ImageQuery: Equatable, Sendable {
  case still(PictureFraming)
  case animation(AnimationFraming)
  case storyboard(ImageFormat)
  /// The index of a storyboard.
  /// - Parameter format: the image format of the storyboard that the index refers to.
  case storyboardIndex(isWebVTT: Bool, format: ImageFormat)

  /// Parses an image URL.
  /// - Returns: `nil` if no image has this file name.
  /// - Throws: a 400 error if a parameter is unknown, invalid or not supported by this server.
  init?(file: String, _ parameters: [(name: String, value: String)]) throws(BackendFailure) {
    var fields: [String: String] = [:]
    for (name, value) in parameters {
      guard fields.updateValue(value, forKey: name) == nil else {
        throw BackendFailure.invalid(["\(name.prefix(64)) is specified more than once"])
      }
    }
    var values = ImageParameters(fields: fields)
    let parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    switch (parts[0], Self.formats[parts[1]], AnimationFormat(rawValue: parts[1])) {
    case ("thumbnail", let format?, _): self = .still(try Self.parseStill(&values, format))
    case ("animated", _, let format?): self = .animation(try Self.parseAnimation(&values, format))
    case ("storyboard", let format?, _): self = .storyboard(format)
    case ("storyboard", nil, nil) where ["vtt", "json"].contains(parts[1]):
      let name = try values.readChoice("format", Self.formats.keys.sorted()) ?? "jpg"
      self = .storyboardIndex(isWebVTT: parts[1] == "vtt", format: Self.formats[name] ?? .jpeg)
    default: return nil
    }
    try values.rejectUnknownParameters()
  }

  private static let formats: [String: ImageFormat] = ["jpg": .jpeg, "png": .png, "webp": .webp]

  private static func parseStill(
    _ values: inout ImageParameters, _ format: ImageFormat
  ) throws(BackendFailure) -> PictureFraming {
    var framing = PictureFraming(atSeconds: try values.readSeconds("time"), format: format)
    framing.width = try values.readNumber("width", in: 1...PictureFraming.longestSide)
    framing.height = try values.readNumber("height", in: 1...PictureFraming.longestSide)
    framing.clockwiseDegrees = try values.readChoice("rotate", ["90", "180", "270"]).flatMap { Int($0) } ?? 0
    framing.flipsVertically = try values.readFlag("flip_v") ?? false
    framing.flipsHorizontally = try values.readFlag("flip_h") ?? false
    let fit = try values.readChoice("fit_mode", ["preserve", "stretch", "crop", "smartcrop", "pad"])
    if fit == "smartcrop" { throw BackendFailure.invalid(["fit_mode=smartcrop is not supported; use crop"]) }
    framing.fit = fit.flatMap(PictureFraming.FitMode.init(rawValue:)) ?? .preserve
    if framing.fit != .preserve, framing.width == nil || framing.height == nil {
      throw BackendFailure.invalid(["fit_mode=\(framing.fit.rawValue) requires width and height"])
    }
    if try values.readFlag("latest") == true {
      throw BackendFailure.invalid(["latest is only supported for live streams"])
    }
    return framing
  }

  private static func parseAnimation(
    _ values: inout ImageParameters, _ format: AnimationFormat
  ) throws(BackendFailure) -> AnimationFraming {
    var framing = AnimationFraming(format: format)
    framing.start = try values.readSeconds("start") ?? 0
    framing.end = try values.readSeconds("end")
    framing.width = try values.readNumber("width", in: 1...AnimationFraming.longestSide)
    framing.height = try values.readNumber("height", in: 1...AnimationFraming.longestSide)
    framing.framesPerSecond =
      try values.readNumber("fps", in: AnimationFraming.frameRates) ?? framing.framesPerSecond
    // The range includes half a millisecond of tolerance, because `10.05 - 0.05` isn't exactly 10 in floating-point
    // arithmetic.
    if let end = framing.end, !(0.2495...10.0005).contains(end - framing.start) {
      throw BackendFailure.invalid(["end must be 0.25 to 10 s after start"])
    }
    return framing
  }

  /// The name of the cached file. Identical pictures have the same name.
  var itemName: String {
    switch self {
    case .still(let framing): "still-\(Self.digest("\(framing)")).\(framing.format.fileExtension)"
    case .animation(let framing): "moving-\(Self.digest("\(framing)")).\(framing.format.fileExtension)"
    case .storyboard(let format), .storyboardIndex(_, let format): "storyboard.\(format.fileExtension)"
    }
  }

  var contentType: String {
    switch self {
    case .still(let framing): "image/\(framing.format.rawValue)"
    case .storyboard(let format): "image/\(format.rawValue)"
    case .animation(let framing): "image/\(framing.format.rawValue)"
    case .storyboardIndex(let isWebVTT, _): isWebVTT ? "text/vtt; charset=utf-8" : "application/json; charset=utf-8"
    }
  }

  private static func digest(_ text: String) -> String {
    FileDigest.hexadecimal(SHA256.hash(data: Data(text.utf8)).prefix(16))
  }
}

/// The query parameters of an image URL. Reading a parameter removes it, so the remaining parameters are unknown.
struct ImageParameters {
  var fields: [String: String]

  func rejectUnknownParameters() throws(BackendFailure) {
    guard let name = fields.keys.min() else { return }
    throw BackendFailure.invalid(["this image does not support the parameter \(name.prefix(64))"])
  }

  /// Reads a time as a nonnegative number of seconds, rounded to milliseconds.
  mutating func readSeconds(_ name: String) throws(BackendFailure) -> Double? {
    guard let text = fields.removeValue(forKey: name) else { return nil }
    // The number must not contain exponents, signs or `nan`.
    guard !text.isEmpty, text.utf8.count <= 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let value = Double(text), value <= 1e7
    else { throw BackendFailure.invalid(["\(name) must be a time in seconds"]) }
    return (value * 1000).rounded() / 1000
  }

  mutating func readNumber(_ name: String, in range: ClosedRange<Int>) throws(BackendFailure) -> Int? {
    guard let text = fields.removeValue(forKey: name) else { return nil }
    return try BackendContext.parseInteger(text[...], of: name[...], in: range)
  }

  mutating func readFlag(_ name: String) throws(BackendFailure) -> Bool? {
    try readChoice(name, ["true", "false"]).map { $0 == "true" }
  }

  mutating func readChoice(_ name: String, _ choices: [String]) throws(BackendFailure) -> String? {
    guard let text = fields.removeValue(forKey: name) else { return nil }
    guard choices.contains(text) else {
      throw BackendFailure.invalid(["\(name) must be one of \(choices.joined(separator: ", "))"])
    }
    return text
  }
}
