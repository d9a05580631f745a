import ClipModel
import Foundation

/// What programs that are not ours read in a file: all of a carrier before it goes, nothing of it after.
extension LocationCarrierFile {
  public struct Sightings: Equatable, Sendable {
    /// Positions, or what else the confirmation looks for, that were read.
    public var seen: Int
    public var expected: Int

    public var isComplete: Bool { expected > 0 && seen == expected }
  }

  /// Looks for this carrier with the program that knows it.
  public func sightings(in path: String) throws -> Sightings {
    switch confirmation {
    case .exiftool: try positions(in: OtherPrograms.exiftool(path))
    case .exiftoolText(let text, let options): one(try OtherPrograms.exiftool(path, options).contains(text))
    case .exiftoolOnPart(let mark): try positionsOfPart(beginningWith: mark, in: path)
    case .ffprobe(let text, let arguments):
      one(
        String(decoding: try Tool.run("ffprobe", ["-v", "error"] + arguments + [path]), as: UTF8.self).contains(text))
    case .bitstream(let message):
      one(Data(try OtherPrograms.messageBytes(path)).firstRange(of: message) != nil)
    case .bytes(let content): one(try Data(contentsOf: URL(filePath: path)).firstRange(of: content) != nil)
    }
  }

  private func one(_ isSeen: Bool) -> Sightings { Sightings(seen: isSeen ? 1 : 0, expected: 1) }

  private func positionsOfPart(beginningWith mark: [UInt8], in path: String) throws -> Sightings {
    let bytes = try Data(contentsOf: URL(filePath: path))
    guard let start = bytes.firstRange(of: mark)?.lowerBound else {
      return Sightings(seen: 0, expected: positions.count)
    }
    let part = try ScratchFolder().path("part")
    try bytes[start...].write(to: URL(filePath: part))
    return positions(in: try OtherPrograms.exiftool(part))
  }

  /// Latitude and longitude of each position, in degrees, to a thousandth. Where the hemisphere is a tag of its own, the
  /// number has no sign.
  private func positions(in said: String) -> Sightings {
    let values = OtherPrograms.placeNumbers(in: said)
    let isSouth = said.contains(/GPSLatitudeRef +: S/)
    let isWest = said.contains(/GPSLongitudeRef +: W/)
    func has(_ value: Double, unsigned: Bool) -> Bool {
      values.contains { abs($0 - value) < 1e-3 || unsigned && abs($0 - abs(value)) < 1e-3 }
    }
    let seen = positions.filter { has($0.latitude, unsigned: isSouth) && has($0.longitude, unsigned: isWest) }
    return Sightings(seen: seen.count, expected: positions.count)
  }
}

/// What other programs say about a file.
public enum OtherPrograms {
  /// All that exiftool finds, also in the media data and behind the last box, as `[group] tag : value` with plain numbers.
  public static func exiftool(_ path: String, _ options: [String] = []) throws -> String {
    // It fails when it is asked for a part of a file that it calls damaged, and still prints what it found.
    try shell("exiftool -ee3 -n -G1 -a -s \(options.joined(separator: " ")) \"$1\" 2>&1 || true", path)
  }

  /// The numbers with a point on exiftool's lines about places.
  public static func placeNumbers(in said: String) -> [Double] {
    said.split(separator: "\n").flatMap { line -> [Double] in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].contains("GPS") || parts[0].contains("Location") else { return [] }
      return parts[1].matches(of: /[-+]?\d+\.\d+/).compactMap { Double($0.output) }
    }
  }

  /// What ffmpeg complains about when it decodes picture and sound to the end; empty for a sound file.
  public static func decodingComplaints(_ path: String) throws -> String {
    try shell("ffmpeg -v error -nostdin -i \"$1\" -map 0:v -map 0:a? -f null - 2>&1 || true", path)
  }

  /// The one-byte fields that ffmpeg's parser prints of the headers and messages of the video stream, one after the
  /// other.
  static func messageBytes(_ path: String) throws -> [UInt8] {
    try shell("ffmpeg -nostdin -i \"$1\" -c copy -bsf:v trace_headers -map 0:v -f null - 2>&1", path)
      .split(separator: "\n").compactMap { line in
        line.split(separator: "=").last.flatMap { UInt8($0.trimmingCharacters(in: .whitespaces)) }
      }
  }

  private static func shell(_ command: String, _ path: String) throws -> String {
    String(decoding: try Tool.run("sh", ["-c", command, "sh", path]), as: UTF8.self)
  }
}
