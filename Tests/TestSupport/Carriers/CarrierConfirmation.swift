import ClipModel
import Foundation

/// What other programs read from a file: the whole carrier before its removal, and nothing of it afterwards.
extension LocationCarrierFile {
  public struct Sightings: Equatable, Sendable {
    /// The positions, or other expected content, that were read.
    public var seen: Int
    public var expected: Int

    public var isComplete: Bool { expected > 0 && seen == expected }
  }

  /// Reads this carrier with a program that supports it.
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

  /// The latitude and longitude of each position in thousandths of a degree. If the hemisphere is a separate tag, the
  /// number has no sign.
  private func positions(in output: String) -> Sightings {
    let values = OtherPrograms.locationNumbers(in: output)
    let isSouth = output.contains(/GPSLatitudeRef +: S/)
    let isWest = output.contains(/GPSLongitudeRef +: W/)
    func has(_ value: Double, unsigned: Bool) -> Bool {
      values.contains { abs($0 - value) < 1e-3 || unsigned && abs($0 - abs(value)) < 1e-3 }
    }
    let seen = positions.filter { has($0.latitude, unsigned: isSouth) && has($0.longitude, unsigned: isWest) }
    return Sightings(seen: seen.count, expected: positions.count)
  }
}

/// Other programs, for independent results.
public enum OtherPrograms {
  /// Everything that exiftool finds, including media data and trailers, as `[group] tag : value` with plain numbers.
  public static func exiftool(_ path: String, _ options: [String] = []) throws -> String {
    try ExiftoolServer.run(["-ee3", "-n", "-G1", "-a", "-s"] + options + [path])
  }

  /// The decimal numbers in exiftool's lines about locations.
  public static func locationNumbers(in output: String) -> [Double] {
    output.split(separator: "\n").flatMap { line -> [Double] in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].contains("GPS") || parts[0].contains("Location") else { return [] }
      return parts[1].matches(of: /[-+]?\d+\.\d+/).compactMap { Double($0.output) }
    }
  }

  /// The errors of ffmpeg when it decodes all video and audio; empty for an undamaged file.
  public static func decodingComplaints(_ path: String) throws -> String {
    try shell("ffmpeg -v error -nostdin -i \"$1\" -map 0:v -map 0:a? -f null - 2>&1 || true", path)
  }

  /// The one-byte fields that ffmpeg's parser prints of the headers and messages of the video stream, in their
  /// order.
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
