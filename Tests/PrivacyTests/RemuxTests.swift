import ClipModel
import Foundation
import ISOMedia
import LibAV
import TestSupport
import Testing

@testable import Privacy

/// A remux changes nothing but location data.
@Suite struct RemuxTests {
  static let realFiles = [
    "sony-a7m3-avchd-1080i.mts", "canon-mjpeg-422-pcm.avi", "matroska-h264-13s.mkv", "vp9-opus-screencast.webm",
  ]

  @Test(arguments: realFiles)
  func keepsPacketsTracksAndTimesOfRealFiles(name: String) throws {
    guard let path = SharedMedia.path(name) else { return }
    let copy = try ContainerFixture.strip(path)
    #expect(copy.report.cutAccessUnits.isEmpty)
    #expect(copy.report.removed == [])
    #expect(try ContainerFixture.streamHashes(copy.path) == ContainerFixture.streamHashes(path))
    #expect(try ContainerFixture.packets(copy.path) == ContainerFixture.packets(path))
    #expect(try ContainerFixture.tracks(copy.path) == ContainerFixture.tracks(path))
    let after = try ContainerFixture.audit(path: copy.path)
    #expect(!after.carriers.contains { $0.carrier.mustBeRemoved }, "\(after.carriers.map(\.carrier))")
    #expect(after.unread.isEmpty)
  }

  /// Clips with properties that are easily lost.
  struct Recipe: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String]
    var testDescription: String { name }
  }

  static let video = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2"]
  static let audio = ["-f", "lavfi", "-i", "sine=r=48000:d=2"]
  static let both = video + audio
  static let x264 = ["-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p"]
  static let recipes = [
    Recipe(name: "b-frames.mkv", arguments: both + x264 + ["-c:a", "aac"]),
    Recipe(
      name: "colors.mkv",
      arguments: both + x264 + [
        "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
        "-aspect", "16:9", "-c:a", "libopus", "-metadata:s:a", "language=deu", "-metadata:s:v", "title=Left side",
        "-disposition:a:0", "forced",
      ]),
    Recipe(name: "late-start.mkv", arguments: both + x264 + ["-c:a", "flac", "-output_ts_offset", "7.3"]),
    Recipe(
      name: "two-audio-tracks.mkv",
      arguments: both + ["-map", "0", "-map", "1", "-map", "1", "-c:v", "mpeg4", "-c:a:0", "aac", "-c:a:1", "ac3"]),
    Recipe(name: "vp8.webm", arguments: both + ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libvorbis"]),
    Recipe(name: "plain.ts", arguments: both + x264 + ["-c:a", "aac"]),
    Recipe(name: "disc.m2ts", arguments: both + x264 + ["-c:a", "ac3"]),
    Recipe(name: "old.ts", arguments: both + ["-c:v", "mpeg2video", "-c:a", "mp2"]),
    Recipe(name: "mpeg4.avi", arguments: both + ["-c:v", "mpeg4", "-c:a", "mp3"]),
    Recipe(name: "b-frames.avi", arguments: both + ["-c:v", "mpeg4", "-bf", "2", "-c:a", "ac3"]),
    Recipe(name: "mp2.avi", arguments: both + ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "mp2"]),
    Recipe(name: "adpcm.avi", arguments: both + ["-c:v", "mpeg4", "-c:a", "adpcm_ms"]),
    Recipe(name: "ima.avi", arguments: both + ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "adpcm_ima_wav"]),
    Recipe(
      name: "ulaw.avi", arguments: both + ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-ar", "8000", "-c:a", "pcm_mulaw"]),
    Recipe(name: "aac.avi", arguments: both + ["-c:v", "mpeg4", "-c:a", "aac"]),
    Recipe(name: "borrowed.mkv", arguments: both + ["-c:v", "msmpeg4v2", "-c:a", "mp3"]),
    Recipe(
      name: "hevc.mkv", arguments: both + ["-c:v", "libx265", "-x265-params", "log-level=none", "-c:a", "pcm_s16le"]),
    Recipe(
      name: "alpha.webm",
      arguments: video + ["-c:v", "libvpx", "-deadline", "realtime", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0"]),
    Recipe(
      name: "fields.ts",
      arguments: both + ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-vf", "setfield=tff", "-c:a", "ac3"]),
    Recipe(name: "late.m2ts", arguments: both + x264 + ["-c:a", "ac3", "-output_ts_offset", "600"]),
    Recipe(name: "h264.avi", arguments: both + ["-c:v", "libx264", "-bf", "0", "-c:a", "pcm_s16le"]),
  ]

  @Test(arguments: TestScope.some(4, of: recipes))
  func keepsPacketsTracksAndTimesOfGeneratedClips(recipe: Recipe) throws {
    let path = try ClipFactory.clip(recipe.name, recipe.arguments)
    let copy = try ContainerFixture.strip(path)
    #expect(copy.report == RemuxReport(), "\(copy.report)")
    #expect(try ContainerFixture.streamHashes(copy.path) == ContainerFixture.streamHashes(path))
    let packets = try ContainerFixture.packets(copy.path)
    // FFmpeg 9 and later change the durations of the first and last Vorbis packets, also when ffmpeg copies a file.
    let isSame =
      try packets == ContainerFixture.packets(path)
      || packets
        == ContainerFixture.packets(
          ClipFactory.clip("copied-" + recipe.name, ["-i", path, "-map", "0", "-c", "copy"]))
    #expect(isSame)
    #expect(try ContainerFixture.tracks(copy.path) == ContainerFixture.tracks(path))
    #expect(try ContainerFixture.audit(path: copy.path).carriers.filter(\.carrier.mustBeRemoved).isEmpty)
  }

  /// HDR metadata and Dolby Vision of phones.
  @Test(arguments: ["hdr10-pq-hevc-1080p.mp4", "iphone-dovi84-hlg-1080p-rot90-editlist.mp4"])
  func keepsHighDynamicRange(name: String) throws {
    guard let phone = SharedMedia.path(name) else { return }
    let path = try ClipFactory.clip(name + ".mkv", ["-i", phone, "-map", "0:v", "-map", "0:a", "-c", "copy"])
    let copy = try ContainerFixture.strip(path)
    #expect(try ContainerFixture.packets(copy.path) == ContainerFixture.packets(path))
    let tracks = try ContainerFixture.tracks(copy.path)
    #expect(tracks == (try ContainerFixture.tracks(path)))
    #expect(tracks.contains { $0.contains(name.hasPrefix("hdr10") ? "smpte2084" : "dv_profile=8") }, "\(tracks)")
  }

  @Test func keepsPacketsOf192Bytes() throws {
    let path = try ClipFactory.clip("size.m2ts", Self.both + Self.x264 + ["-c:a", "ac3"])
    let copy = try ContainerFixture.strip(path).path
    #expect(try TransportReader(source: FileBytes(path: path))?.packetSize == 192)
    #expect(try TransportReader(source: FileBytes(path: copy))?.packetSize == 192)
  }

  /// Copies contain no random IDs, times or versions.
  @Test(arguments: ["mkv", "ts", "avi"])
  func copiesAreReproducible(fileExtension: String) throws {
    let path = try ClipFactory.clip("again.\(fileExtension)", Self.both + ["-c:v", "mpeg4", "-c:a", "mp2"])
    let first = try Data(contentsOf: URL(filePath: ContainerFixture.strip(path).path))
    let second = try Data(contentsOf: URL(filePath: ContainerFixture.strip(path).path))
    #expect(first == second)
    #expect(!first.isEmpty)
    #expect(first.range(of: Data("Lavf5".utf8)) == nil)
  }

}
