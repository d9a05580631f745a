import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// Small media for the tests of this target.
enum LibAVMedia {
  static let layout = FrameLayout(width: 160, height: 120)

  static func layout(_ width: Int, _ height: Int, _ format: PixelFormat = .yuv420p) -> FrameLayout {
    var layout = Self.layout
    (layout.width, layout.height, layout.pixelFormat) = (width, height, format)
    return layout
  }

  /// The visible bytes of a plane.
  static func rows(_ frame: Frame, plane: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    frame.withRows(ofPlane: plane) { _, row in bytes += row }
    return bytes
  }

  static func settings(_ layout: FrameLayout = layout) -> Encoder.VideoSettings {
    var settings = Encoder.VideoSettings(layout: layout, timeBase: Rational(1, 25), frameRate: Rational(25, 1))
    (settings.constantRateFactor, settings.keyFrameInterval, settings.threadCount) = (30, 10, 2)
    settings.preset = "ultrafast"
    return settings
  }

  static func encoder() throws -> Encoder { try Encoder(h264: settings()) }

  /// A frame whose bytes differ from frame to frame.
  static func frame(_ number: Int, _ layout: FrameLayout = layout) throws -> Frame {
    let frame = try Frame(layout)
    for plane in 0..<3 {
      frame.withMutableRows(ofPlane: plane) { row, bytes in
        for column in bytes.indices { bytes[column] = UInt8(truncatingIfNeeded: number * 3 + row * 5 + column) }
      }
    }
    frame.tag(as: layout)
    frame.presentationTicks = Int64(number)
    return frame
  }

  /// One second of 25 frames with audio, made by ffmpeg.
  static func clip(_ kind: String, _ more: [String] = []) throws -> String {
    let codecs =
      kind == "webm"
      ? ["-c:v", "libvpx", "-c:a", "libvorbis"]
      : ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    return try ClipFactory.clip(
      "small.\(kind)",
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000"] + codecs + more)
  }

  /// Every frame of a track.
  static func frames(_ path: String, _ kind: SourceStream.Kind = .video) throws -> [Frame] {
    let container = try InputContainer(path: path)
    let stream = try #require(container.streams.first { $0.kind == kind })
    container.select([stream.index])
    return try frames(of: Decoder(stream), in: container)
  }

  static func frames(of decoder: Decoder, in container: InputContainer) throws -> [Frame] {
    var frames: [Frame] = []
    let packet = try Packet()
    var isAtEnd = false
    while true {
      let frame = try Frame()
      switch try decoder.receive(into: frame) {
      case .produced: frames.append(frame)
      case .finished: return frames
      case .needsInput:
        if !isAtEnd { isAtEnd = try !container.read(into: packet) }
        _ = try decoder.send(isAtEnd ? nil : packet)
      }
    }
  }

  /// The packets that the encoder returns for a number of frames.
  static func packets(_ count: Int, of encoder: Encoder, ends: Bool = true) throws -> [Packet] {
    var packets: [Packet] = []
    for number in 0..<count + (ends ? 1 : 0) {
      _ = try encoder.send(number < count ? frame(number) : nil)
      while true {
        let packet = try Packet()
        guard try encoder.receive(into: packet) == .produced else { break }
        packets.append(packet)
      }
    }
    return packets
  }
}
