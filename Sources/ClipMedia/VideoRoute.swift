import ClipModel
import Foundation
import LibAV

/// Packets that are decoded, scaled and encoded anew, with their timestamps exact.
final class VideoRoute: PacketRoute {
  private let output: OutputContainer
  private let trackIndex: Int
  private let decoder: Decoder
  private let encoder: Encoder
  private let scaler: FrameScaler
  private let timeBase: Rational
  private let origin: Int64
  private let length: Int64?
  private let divisor: Int
  private let name: String
  private let frame: Frame
  private let encoded: Packet
  private var lastTicks: Int64?
  private var decodedCount = 0
  /// Ticks of one frame at the average rate.
  private let frameTicks: Int64
  /// With a cut: the decoded picture before it.
  private var shownBefore: Frame?
  /// Where the last picture's time on screen ends; `nil` when the source does not tell.
  private let endTicks: Int64?
  /// No more pictures come: `lastTicks` is the last one's.
  private var isFinishing = false
  private(set) var reachedSeconds = 0.0
  private(set) var isComplete = false
  private(set) var writtenCount = 0
  private(set) var notes: [String] = []

  init(
    _ stream: SourceStream, output: OutputContainer, window: OutputWindow, steps: [PictureStep],
    encoding: VideoEncoding, endSeconds: Double?, name: String
  ) throws {
    self.output = output
    self.name = name
    timeBase = stream.timeBase
    origin = window.origin(in: timeBase)
    length = window.length(in: timeBase)
    endTicks = endSeconds.map { Int64(($0 / stream.timeBase.value).rounded()) }
    divisor = max(encoding.frameRateDivisor, 1)
    decoder = try Decoder(stream, skipsNonReferenceDeblocking: true)
    // The scaler tone maps by what the frames themselves say; the step only tells people that it will.
    var size = PictureSize(width: stream.width, height: stream.height)
    for case .scale(let width, let height) in steps { size = PictureSize(width: width, height: height) }
    scaler = FrameScaler(target: FrameScaler.videoLayout(size))
    let rate = VideoRoute.frameRate(of: stream, dividedBy: divisor)
    frameTicks = max(1, Int64((1 / rate.value / stream.timeBase.value).rounded()))
    encoder = try Encoder(
      h264: Encoder.H264Settings(
        width: size.width, height: size.height, timeBase: stream.timeBase, frameRate: rate,
        constantRateFactor: encoding.constantRateFactor, maximumBitsPerSecond: encoding.maximumBitsPerSecond,
        bufferBits: encoding.bufferBits,
        keyFrameInterval: max(1, Int((rate.value * encoding.keyFrameIntervalSeconds).rounded()))))
    trackIndex = try output.addTrack(from: encoder, orientation: stream.orientation)
    frame = try Frame()
    encoded = try Packet()
  }

  private static func frameRate(of stream: SourceStream, dividedBy divisor: Int) -> Rational {
    let rate = stream.averageFrameRate ?? stream.realFrameRate ?? Rational(30, 1)
    return Rational(rate.numerator, rate.denominator * Int32(divisor))
  }

  func take(_ packet: Packet) throws {
    guard !isComplete else { return }
    if packet.isCorrupt {
      throw damage(at: packet.presentationTicks, why: "a packet is cut short")
    }
    let ticks = packet.presentationTicks
    try send(packet, ticks: ticks)
  }

  func finish() throws {
    try send(nil, ticks: nil)
    isFinishing = true
    while try !encoder.send(nil) { try drainEncoder() }
    try drainEncoder()
  }

  private func send(_ packet: Packet?, ticks: Int64?) throws {
    do {
      while try !decoder.send(packet) { try drainDecoder() }
      try drainDecoder()
    } catch let error as FFmpegError where error.isOfTheDecoder {
      // An encoder that fails in between says nothing about the source.
      throw damage(at: ticks ?? lastTicks.map { $0 + origin }, why: error.logLine ?? error.codeText)
    }
  }

  private func drainDecoder() throws {
    while try decoder.receive(into: frame) == .produced {
      if frame.isDamaged { throw damage(at: frame.presentationTicks, why: "a frame is incomplete") }
      try show(frame)
    }
  }

  private func show(_ frame: Frame) throws {
    guard let source = frame.presentationTicks else { return }
    let ticks = source - origin
    if let length {
      // Of the frames before the cut the last one may be on screen when it begins.
      guard ticks >= 0 else {
        shownBefore = try frame.copy()
        return
      }
      if let opening = shownBefore {
        shownBefore = nil
        if ticks > frameTicks, ticks < length { try encode(try scaler.scale(opening), ticks: 0) }
      }
      if ticks >= length {
        isComplete = true
        return
      }
    }
    defer { decodedCount += 1 }
    guard decodedCount % divisor == 0 else { return }
    if let lastTicks, ticks <= lastTicks {
      if notes.isEmpty { notes.append("frames with the same timestamp were dropped") }
      return
    }
    try encode(try scaler.scale(frame), ticks: ticks)
  }

  private func encode(_ scaled: Frame, ticks: Int64) throws {
    lastTicks = ticks
    scaled.presentationTicks = ticks
    reachedSeconds = Double(ticks) * timeBase.value
    while try !encoder.send(scaled) { try drainEncoder() }
    try drainEncoder()
  }

  private func drainEncoder() throws {
    while try encoder.receive(into: encoded) == .produced {
      // The muxer would guess it from the average rate; a picture may stand still to the end.
      if isFinishing, let endTicks, let ticks = encoded.presentationTicks, ticks == lastTicks, endTicks > ticks {
        encoded.durationTicks = endTicks - ticks
      }
      try output.write(encoded, track: trackIndex, timeBase: encoder.timeBase)
      writtenCount += 1
    }
  }

  private func damage(at ticks: Int64?, why: String) -> ClipMediaError {
    let seconds = ticks.map { Double($0 - origin) * timeBase.value } ?? reachedSeconds
    return .damaged(name: name, seconds: max(seconds, 0), why: why)
  }
}
