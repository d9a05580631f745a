import Foundation
import TestSupport
import Testing

/// Real files and other programs for the tests.
enum SharedClips {
  /// Files without location data, according to other programs.
  static let clean = [
    "phone-4k-hevc-portrait-9s.mp4", "phone-8k-hevc-24fps.mp4", "iphone-dovi84-hlg-1080p-rot90-editlist.mp4",
    "hdr10-pq-hevc-1080p.mp4", "volleyball-indoor-720p-30s.mp4", "phone-hevc-1376x1840-vfr-5s.mp4",
    "park-h264-1080p-6s.mp4", "screencast-h264-8.8fps-audio-first.mp4", "nasa-two-video-two-audio-two-subs.mp4",
    "anamorphic-sar-3x2.mp4", "canon-mjpeg-422-pcm.avi", "sony-a7m3-avchd-1080i.mts", "vp9-opus-screencast.webm",
    "matroska-h264-13s.mkv", "prores-422-10bit.mov", "partially-fragmented.mp4", "samsung-sef-slow-motion.mp4",
  ]

  /// The first 8 MB of a file, because unoptimized tests are slow.
  static func mediaData(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe).prefix(8 << 20)
  }

  static func run(_ tool: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return data
  }

  static func exiftoolPosition(_ path: String) throws -> TestPosition {
    let data = try run("exiftool", ["-n", "-s3", "-GPSLatitude", "-GPSLongitude", path])
    let numbers = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
    try #require(numbers.count == 2)
    return TestPosition(numbers[0], numbers[1])
  }
}
