public import ClipModel
import Foundation

extension OtherPrograms {
  /// The unique positions that exiftool reads, including embedded data and trailers.
  public static func positions(in path: String) throws -> [GeoPosition] {
    let lines = try ExiftoolServer.run(["-ee3", "-n", "-q", "-q", "-p", "$GPSLatitude $GPSLongitude", "-f", path])
    let coordinates = try ExiftoolServer.run(
      ["-ee3", "-n", "-a", "-s", "-GPSCoordinates*", "-LocationInformation*", path]
    ).replacing(#/(?m)^[^:\n]*: /#, with: "")
    var found: [GeoPosition] = []
    for line in lines.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      if numbers.count == 2, let position = GeoPosition(latitude: numbers[0], longitude: numbers[1]) {
        found.append(position)
      }
    }
    for line in coordinates.split(separator: "\n") {
      if let match = line.firstMatch(of: /Lat=(-?[\d.]+) Lon=(-?[\d.]+)/), let latitude = Double(match.1),
        let longitude = Double(match.2), let position = GeoPosition(latitude: latitude, longitude: longitude)
      {
        found.append(position)
        continue
      }
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      if numbers.count >= 2, let position = GeoPosition(latitude: numbers[0], longitude: numbers[1]) {
        found.append(position)
      }
    }
    var seen: Set<GeoPosition> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// The lines of exiftool, mediainfo and ffprobe about locations.
  public static func locationWords(in path: String) throws -> [String] {
    let lines =
      try ExiftoolServer.run(["-ee3", "-G1", "-a", "-s", "--System:all", path])
      + shell(
        "mediainfo --Full \"$1\" | grep -v -F \"$1\" | grep -v -i 'complete name\\|file name\\|folder name'", path)
      + shell("ffprobe -v error -show_format -show_streams \"$1\" | grep -v '^filename='", path)
    let words = ["gps", "location", "xyz", "coordinates", "latitude", "longitude", "iso6709"]
    // Locations of chroma samples and audio channels.
    let others = ["chroma_location", "chromalocation", "chroma location", "channel"]
    return lines.split(separator: "\n").map(String.init).filter { line in
      let lower = line.lowercased()
      return words.contains { lower.contains($0) } && !others.contains { lower.contains($0) }
    }
  }

  /// ffmpeg's digest of each video and audio stream.
  /// - Parameter covers: includes attached pictures.
  public static func streamHashes(of path: String, covers: Bool = true) throws -> [String] {
    try shell(
      "ffmpeg -v error -nostdin -i \"$1\" -map 0:\(covers ? "v" : "V")? -map 0:a? -c copy -f streamhash - 2>/dev/null",
      path
    )
    .split(separator: "\n").map(String.init).sorted()
  }

  /// ffmpeg's digest and times of each packet of video and audio.
  public static func frameDigests(of path: String) throws -> [String] {
    try shell("ffmpeg -v error -nostdin -copyts -i \"$1\" -map 0:v? -map 0:a? -c copy -f framemd5 - 2>/dev/null", path)
      .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// What ffprobe reports about video and audio: codec, color, rotation, language, Dolby Vision, times.
  public static func streams(of path: String) throws -> [String] {
    try shell("ffprobe -v error -show_streams \"$1\"", path).components(separatedBy: "[/STREAM]")
      .filter { $0.contains("codec_type=video") || $0.contains("codec_type=audio") }
      .map { stream in
        // Stream numbers change when an earlier track is removed.
        stream.split(separator: "\n").filter { !$0.hasPrefix("index=") && !$0.hasPrefix("TAG:") }.joined(
          separator: "\n")
      }
  }

  /// A position in the text formats of programs.
  public static func texts(_ position: GeoPosition) -> [String] {
    [
      String(format: "%+08.4f%+09.4f", position.latitude, position.longitude),
      String(format: "%.4f", position.latitude), String(format: "%.4f", position.longitude),
    ]
    .filter { $0.count > 6 }
  }

  private static func shell(_ command: String, _ path: String) throws -> String {
    String(decoding: try Tool.run("sh", ["-c", command + "; true", "sh", path]), as: UTF8.self)
  }
}
