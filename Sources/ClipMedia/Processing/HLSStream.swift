import ClipModel
import DurableFiles
import Foundation
import LibAV

/// A clip in pieces for HTTP Live Streaming: the packets as they are, in fragmented MP4.
package enum HLSStream {
  /// Seconds of a piece at least; it ends with the key frame that comes then. Mux's have 4 to 6.
  static let pieceSeconds = 4

  /// Writes `master.m3u8`, `index.m3u8`, `init.mp4` and `segment0.m4s`… into a folder that exists.
  ///
  /// Both playlists name the others by their names alone. Until it returns the folder is no stream.
  /// - Throws: `ClipMediaError`, `FFmpegError` (a codec that MP4 has no place for), `CancellationError`.
  package static func make(of path: String, in folder: String) async throws {
    try await MediaThread.run(named: "bsc stream") { interruption in
      let input = try InputContainer(path: path, interruption: interruption)
      guard let video = input.mainVideo else { throw ClipMediaError.noFrames(name: input.name) }
      let output = try OutputContainer(hlsIn: folder, pieceSeconds: pieceSeconds, interruption: interruption)
      let window = OutputWindow(originSeconds: input.originSeconds, lengthSeconds: nil)
      var routes = [video.index: try CopyRoute(video, output: output, window: window, name: input.name)]
      if let audio = input.mainAudio {
        routes[audio.index] = try CopyRoute(audio, output: output, window: window, name: input.name)
      }
      input.select(Set(routes.keys))
      try output.writeHeader()
      let packet = try Packet()
      while try input.read(into: packet) {
        try interruption.check()
        try routes[packet.streamIndex]?.take(packet)
      }
      guard let written = routes[video.index]?.writtenCount, written > 0 else {
        throw ClipMediaError.noFrames(name: input.name)
      }
      try output.finish()
      try turn(folder + "/init.mp4", to: video.orientation)
      try nameCodecs(folder)
    }
  }

  /// Says in the master playlist what a player has to know before it fetches anything (RFC 6381): libav's writer of
  /// version 5 leaves it out. What is neither H.264 nor AAC stays unnamed.
  private static func nameCodecs(_ folder: String) throws {
    let master = URL(filePath: folder + "/master.m3u8")
    let text = try String(contentsOf: master, encoding: .utf8)
    guard !text.contains("CODECS=") else { return }
    let header = try [UInt8](Data(contentsOf: URL(filePath: folder + "/init.mp4")))
    // Version, profile, constraints, level.
    guard let record = header.firstRange(of: Array("avcC".utf8)), record.upperBound + 4 <= header.count else { return }
    var codecs = "avc1." + FileDigest.hexadecimal(header[record.upperBound + 1..<record.upperBound + 4])
    if header.firstRange(of: Array("mp4a".utf8)) != nil { codecs += ",mp4a.40.2" }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#EXT-X-STREAM-INF:") ? "\(line),CODECS=\"\(codecs)\"" : String(line)
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: master)
  }

  /// Says in the pieces' header how the picture is turned: libav's HLS writer loses it on the way to its MP4 writer in
  /// versions before 7.
  private static func turn(_ path: String, to orientation: Orientation) throws {
    guard orientation != .upright else { return }
    let url = URL(filePath: path)
    var bytes = try [UInt8](Data(contentsOf: url))
    // The picture's track is the first one; a handful of boxes lie before its header.
    guard let header = bytes.firstRange(of: Array("tkhd".utf8)), header.upperBound < bytes.count else { return }
    // Behind version, times, number and duration, which are longer in version 1, and layer and volume.
    let matrix = header.upperBound + (bytes[header.upperBound] == 0 ? 40 : 52)
    let upright = big(Orientation.upright.displayMatrix)
    guard matrix + upright.count <= bytes.count, Array(bytes[matrix..<matrix + upright.count]) == upright else {
      return
    }
    bytes.replaceSubrange(matrix..<matrix + upright.count, with: big(orientation.displayMatrix))
    try Data(bytes).write(to: url)
  }

  private static func big(_ values: [Int32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
  }
}
