import ClipModel
import LibAV

/// What the first picture of a clip tells about all of it.
struct FirstFrame {
  /// Bits per pixel at the output's size when it is coded by itself at a fixed quality: how much there is to code.
  var bitsPerPixel: Double
  /// The display that HDR was graded on, as x265 takes it.
  var masteringDisplay: String?
  /// `MaxCLL,MaxFALL` in cd/m².
  var contentLight: String?

  /// Costs the decoding of one picture, and a few milliseconds.
  /// - Parameters:
  ///   - opened: it stands somewhere else afterwards.
  ///   - isAtBeginning: nothing was read from it yet.
  ///   - startSeconds: on the container's own clock.
  ///   - target: what it is scaled to.
  /// - Returns: `nil` when nothing can be decoded; the encoding itself will tell why.
  static func read(
    in opened: InputContainer, isAtBeginning: Bool, trackIndex: Int, startSeconds: Double, target: PictureLayout,
    interruption: Interruption
  ) throws -> FirstFrame? {
    guard let stream = opened.streams.first(where: { $0.index == trackIndex }) else { return nil }
    let container =
      !isAtBeginning || startSeconds > opened.originSeconds
      ? try opened.positioned(before: startSeconds, stream: stream, interruption: interruption) : opened
    guard let stream = container.streams.first(where: { $0.index == trackIndex }),
      let frame = try? firstFrame(of: stream, in: container)
    else { return nil }
    var picture = FirstFrame(bitsPerPixel: 0)
    picture.masteringDisplay = frame.masteringDisplay
    picture.contentLight = frame.contentLight
    guard target.pixelFormat == .yuv420p else { return picture }
    let encoder = try Encoder(
      h264: Encoder.VideoSettings(
        layout: target, timeBase: Rational(1, 30), frameRate: Rational(30, 1), constantRateFactor: 23,
        keyFrameInterval: 1, preset: EncoderRecipe.preset, parameters: "rc-lookahead=0:mbtree=0", threadCount: 1))
    let scaled = try FrameScaler(target: target).scale(frame)
    scaled.presentationTicks = 0
    let packet = try Packet()
    _ = try encoder.send(scaled)
    _ = try encoder.send(nil)
    guard try encoder.receive(into: packet) == .produced else { return nil }
    picture.bitsPerPixel = Double(packet.byteCount * 8) / Double(target.width * target.height)
    return picture
  }

  private static func firstFrame(of stream: SourceStream, in container: InputContainer) throws -> Frame? {
    container.select([stream.index])
    // One thread gives the first picture soonest.
    let decoder = try Decoder(stream, threadCount: 1)
    let packet = try Packet()
    let frame = try Frame()
    while try container.read(into: packet) {
      guard packet.streamIndex == stream.index else { continue }
      _ = try decoder.send(packet)
      if try decoder.receive(into: frame) == .produced { return frame }
    }
    _ = try decoder.send(nil)
    return try decoder.receive(into: frame) == .produced ? frame : nil
  }
}
