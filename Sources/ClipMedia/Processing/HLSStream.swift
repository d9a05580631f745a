import ClipModel
import DurableFiles
import Foundation
import LibAV

/// Segments a clip for HTTP Live Streaming by copying its packets into fragmented MP4 files.
package enum HLSStream {
  /// The minimum length of a segment in seconds. A segment ends before the next key frame. Mux's segments are 4 to 6
  /// seconds long.
  static let segmentSeconds = 4

  /// Writes `master.m3u8`, `index.m3u8`, `init.mp4` and `segment0.m4s`… into an existing folder.
  ///
  /// The playlists refer to the other files by name. The stream is incomplete until this method returns.
  /// - Throws: `ClipMediaError`, `FFmpegError` (for example, if MP4 doesn't support the codec), `CancellationError`.
  package static func writeStream(of path: String, in folder: String) async throws {
    try await MediaThread.run(named: "bsc stream") { interruption in
      let input = try InputContainer(path: path, interruption: interruption)
      guard let video = input.mainVideo else { throw ClipMediaError.noFrames(name: input.name) }
      let output = try OutputContainer(hlsIn: folder, segmentSeconds: segmentSeconds, interruption: interruption)
      let window = OutputWindow(originSeconds: input.originSeconds)
      let streams = [video, input.mainAudio].compactMap(\.self)
      let routes = try Dictionary(
        uniqueKeysWithValues: streams.map {
          ($0.index, try CopyRoute($0, output: output, window: window, name: input.name))
        })
      input.select(Set(routes.keys))
      try output.writeHeader()
      let packet = try Packet()
      while try input.read(into: packet) {
        try interruption.check()
        try routes[packet.streamIndex]?.process(packet)
      }
      guard let written = routes[video.index]?.writtenCount, written > 0 else {
        throw ClipMediaError.noFrames(name: input.name)
      }
      try output.finish()
      try setOrientation(video.orientation, inHeader: folder + "/init.mp4")
      try addCodecs(toStreamIn: folder)
    }
  }

  /// Adds the codecs to the master playlist (RFC 6381), so that players can select a stream before they fetch a
  /// segment. The muxer in libav 5 omits them. Only H.264 and AAC are supported.
  private static func addCodecs(toStreamIn folder: String) throws {
    let master = URL(filePath: folder + "/master.m3u8")
    let text = try String(contentsOf: master, encoding: .utf8)
    guard !text.contains("CODECS=") else { return }
    let header = try [UInt8](Data(contentsOf: URL(filePath: folder + "/init.mp4")))
    // The record contains the version, profile, constraints and level.
    guard let record = header.firstRange(of: Array("avcC".utf8)), record.upperBound + 4 <= header.count else { return }
    var codecs = "avc1." + FileDigest.hexadecimal(header[record.upperBound + 1..<record.upperBound + 4])
    if header.firstRange(of: Array("mp4a".utf8)) != nil { codecs += ",mp4a.40.2" }
    let result = text.replacing(/(?m)^#EXT-X-STREAM-INF:.*$/) { "\($0.0),CODECS=\"\(codecs)\"" }
    try Data(result.utf8).write(to: master)
  }

  /// Sets the display matrix in the initialization segment, because libav's HLS muxer omits it in versions before 7.
  private static func setOrientation(_ orientation: Orientation, inHeader path: String) throws {
    guard orientation != .upright else { return }
    let url = URL(filePath: path)
    var bytes = try [UInt8](Data(contentsOf: url))
    // The first track header belongs to the video track.
    guard let header = bytes.firstRange(of: Array("tkhd".utf8)), header.upperBound < bytes.count else { return }
    // The matrix follows the version, times, track ID, duration, layer and volume. In version 1, times and durations
    // are 64-bit.
    let matrix = header.upperBound + (bytes[header.upperBound] == 0 ? 40 : 52)
    let upright = bigEndian(Orientation.upright.displayMatrix)
    guard matrix + upright.count <= bytes.count, Array(bytes[matrix..<matrix + upright.count]) == upright else {
      return
    }
    bytes.replaceSubrange(matrix..<matrix + upright.count, with: bigEndian(orientation.displayMatrix))
    try Data(bytes).write(to: url)
  }

  private static func bigEndian(_ values: [Int32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
  }
}
