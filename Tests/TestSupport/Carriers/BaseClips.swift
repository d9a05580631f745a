import Foundation

/// The clips that carriers are added to: half a second, 64 by 64, with audio, and without metadata.
enum BaseClips {
  private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=0.5"]
  private static let sound = ["-f", "lavfi", "-i", "sine=r=48000:d=0.5"]
  private static let plain = ["-fflags", "+bitexact", "-map_metadata", "-1"]
  static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "32k"]

  /// H.264 and AAC in MP4, with `moov` at the start.
  static var mp4: MovieEdit { get throws { try movie("base.mp4", ["-movflags", "+faststart"]) } }
  /// With `moov` after `mdat`, as cameras write it.
  static var mp4WithMovieLast: MovieEdit { get throws { try movie("last.mp4", []) } }
  static var mov: MovieEdit { get throws { try movie("base.mov", []) } }
  static var fragmentedMP4: MovieEdit {
    get throws { try movie("fragments.mp4", ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"]) }
  }

  static func movie(_ name: String, _ arguments: [String]) throws -> MovieEdit {
    var movie = try MovieEdit(clip(name, h264 + arguments))
    try movie.removeUserData()
    return movie
  }

  /// A clip with video and audio, encoded with the given arguments.
  static func clip(_ name: String, _ arguments: [String]) throws -> [UInt8] {
    try read(path(name, arguments))
  }

  static func path(_ name: String, _ arguments: [String]) throws -> String {
    try ClipFactory.clip(name, picture + sound + plain + arguments)
  }

  /// A clip with an additional input file for ffmpeg: subtitles, an attachment, an elementary stream.
  static func clip(_ name: String, with input: (name: String, bytes: [UInt8]), _ arguments: [String]) throws -> [UInt8]
  {
    let folder = try ScratchFolder()
    let file = folder.path(input.name)
    try Data(input.bytes).write(to: URL(filePath: file))
    let output = folder.path(name)
    _ = try Tool.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments.map { $0 == "INPUT" ? file : $0 } + [output])
    return try read(output)
  }

  /// The elementary video stream: `h264`, `hevc`, `obu`.
  static func elementaryStream(_ format: String, _ arguments: [String]) throws -> [UInt8] {
    try read(ClipFactory.clip("stream.\(format)", picture + arguments + ["-f", format]))
  }

  /// A picture of 32 by 32.
  static var jpeg: [UInt8] {
    get throws { try read(ClipFactory.clip("cover.jpg", ["-f", "lavfi", "-i", "testsrc2=s=32x32", "-frames:v", "1"])) }
  }

  static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}
