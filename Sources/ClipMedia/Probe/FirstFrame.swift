import ClipModel
import LibAV

/// The properties of a clip's first frame that represent the whole clip.
struct FirstFrame {
  /// A measure of detail: the bits per pixel of the frame, encoded alone at the output size and a fixed quality.
  var bitsPerPixel = 0.0
  /// The properties of the HDR mastering display, in x265's syntax.
  var masteringDisplay: String?
  /// The HDR content light level as `MaxCLL,MaxFALL`, in cd/m².
  var contentLight: String?

  /// Decodes and encodes a clip's first frame, which takes a few milliseconds.
  /// - Parameters:
  ///   - opened: the open container. The call changes its read position.
  ///   - isAtStart: whether no packet has been read from the container.
  ///   - startSeconds: the start of the clip on the container's clock, in seconds.
  ///   - target: the layout of the output frames.
  /// - Returns: the properties, or `nil` if no frame can be decoded. The transcode reports that error.
  static func read(
    in opened: InputContainer, isAtStart: Bool, trackIndex: Int, startSeconds: Double, target: FrameLayout,
    interruption: Interruption
  ) throws -> FirstFrame? {
    guard let stream = opened.streams.first(where: { $0.index == trackIndex }) else { return nil }
    let container =
      !isAtStart || startSeconds > opened.originSeconds
      ? try opened.positionedAtKeyFrame(before: startSeconds, stream: stream, interruption: interruption) : opened
    guard let stream = container.streams.first(where: { $0.index == trackIndex }),
      let frame = try? decode(stream, in: container)
    else { return nil }
    var first = FirstFrame(masteringDisplay: frame.masteringDisplay, contentLight: frame.contentLight)
    guard target.pixelFormat == .yuv420p else { return first }
    var settings = Encoder.VideoSettings(layout: target, timeBase: Rational(1, 30), frameRate: Rational(30, 1))
    settings.parameters = "rc-lookahead=0:mbtree=0"
    settings.threadCount = 1
    let encoder = try Encoder(h264: settings)
    let scaled = try FrameScaler(target: target).scale(frame)
    scaled.presentationTicks = 0
    let packet = try Packet()
    _ = try encoder.send(scaled)
    _ = try encoder.send(nil)
    guard try encoder.receive(into: packet) == .produced else { return nil }
    first.bitsPerPixel = Double(packet.byteCount * 8) / Double(target.width * target.height)
    return first
  }

  private static func decode(_ stream: SourceStream, in container: InputContainer) throws -> Frame? {
    container.select([stream.index])
    // A single decoding thread returns the first frame with the least delay.
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
